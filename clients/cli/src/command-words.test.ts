import { ClientError } from "@fairlead/client";
import { expect, test } from "vitest";
import { inCommandWords } from "./command-words.ts";

const without = { timeoutMs: undefined, token: () => undefined };

test("a missed deadline tells the milliseconds that were asked for, and the flag", () => {
  const late = new ClientError(
    { code: "deadline_exceeded", message: "a.b did not answer within 0.99716 ms", retryable: true },
    "a.b",
  );
  expect(inCommandWords(late, { ...without, timeoutMs: 1 })).toMatchObject({
    code: "deadline_exceeded",
    message: "a.b did not answer within 1 ms",
    hint: expect.stringContaining("--timeout"),
    procedure: "a.b",
  });
  expect(inCommandWords(late, without)).toBe(late);
});

test("a refused caller hears how this command takes a token", () => {
  const refused = new ClientError(
    { code: "unauthenticated", message: "a valid token is required", retryable: false },
    "a.b",
  );
  expect(inCommandWords(refused, without)).toMatchObject({
    hint: expect.stringMatching(/--token-file.*FAIRLEAD_TOKEN/),
  });
  expect(inCommandWords(refused, { ...without, token: () => "x" })).toMatchObject({
    message: "a valid token is required",
    hint: expect.stringContaining("correct --token-file"),
  });
  const other = new TypeError("x");
  expect(inCommandWords(other, without)).toBe(other);
});
