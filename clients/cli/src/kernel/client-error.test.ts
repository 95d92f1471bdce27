import { ClientError } from "@fairlead/client";
import { expect, test } from "vitest";
import { withCommandHints } from "./client-error.ts";

const without = {
  timeoutMs: undefined,
  token: () => undefined,
  url: undefined,
  verbose: false,
  names: { tools: new Map(), verbs: [] },
};

test("a missed deadline names the milliseconds of --timeout, and the flag", () => {
  const late = new ClientError(
    { code: "deadline_exceeded", message: "a.b did not answer within 0.99716 ms", retryable: true },
    "a.b",
  );
  expect(withCommandHints(late, { ...without, timeoutMs: 1 })).toMatchObject({
    code: "deadline_exceeded",
    message: "a.b did not answer within 1 ms",
    hint: expect.stringContaining("--timeout"),
    procedure: "a.b",
  });
  expect(withCommandHints(late, without)).toBe(late);
});

test("a defect in this process is logged with -v, one of a running kernel is in its log", () => {
  const hint = "search the kernel's log for 1";
  const defect = new ClientError({ code: "internal", message: "a.b failed", hint, id: "1", retryable: false }, "a.b");
  expect(withCommandHints(defect, without)).toMatchObject({ hint: "run it again with -v to see why", id: "1" });
  expect(withCommandHints(defect, { ...without, verbose: true })).toMatchObject({ hint: "the log above says why" });
  expect(withCommandHints(defect, { ...without, url: "http://127.0.0.1:1" })).toBe(defect);
});

test("a tool's name is replaced by the command that does the same", () => {
  const none = new ClientError(
    {
      code: "failed_precondition",
      reason: "no_session",
      message: "no session",
      hint: "use promptwheel_advance",
      retryable: false,
    },
    "loop.nudge",
  );
  const verbs = [{ name: "session advance", service: "loop", steps: [{ call: "advance" }] }];
  const names = { tools: new Map([["promptwheel_advance", "loop.advance"]]), verbs };
  const hint = "use `fairlead session advance`";
  expect(withCommandHints(none, { ...without, names })).toMatchObject({ hint, reason: "no_session" });
  expect(withCommandHints(none, without)).toBe(none);
});

test("a caller without access learns how this command takes a token", () => {
  const refused = new ClientError(
    { code: "unauthenticated", message: "a valid token is required", retryable: false },
    "a.b",
  );
  expect(withCommandHints(refused, without)).toMatchObject({
    hint: expect.stringMatching(/--token-file.*FAIRLEAD_TOKEN/),
  });
  expect(withCommandHints(refused, { ...without, token: () => "x" })).toMatchObject({
    message: "a valid token is required",
    hint: expect.stringContaining("correct --token-file"),
  });
  const other = new TypeError("x");
  expect(withCommandHints(other, without)).toBe(other);
});
