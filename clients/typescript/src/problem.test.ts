import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codes } from "./error.ts";
import { httpError, isCode, parseRetryAfter, wireError } from "./problem.ts";

const now = Date.UTC(2026, 0, 1);

describe("an HTTP error reply", () => {
  test("of the kernel gives its envelope", () => {
    const body = {
      type: "urn:fairlead:error:unknown_target",
      title: "Not found",
      status: 404,
      detail: "no target Gob",
      code: "not_found",
      reason: "unknown_target",
      message: "no target Gob",
      hint: "use one of npcs",
      data: { known: ["Goblin"] },
      retryable: false,
    };
    expect(httpError({ status: 404, body, retryAfter: null, repeatable: true, now })).toEqual({
      code: "not_found",
      reason: "unknown_target",
      message: "no target Gob",
      hint: "use one of npcs",
      data: { known: ["Goblin"] },
      retryable: false,
    });
  });

  test("takes the message from the detail when there is none", () => {
    expect(wireError({ code: "internal", detail: "oops", id: "e1" })).toMatchObject({ message: "oops", id: "e1" });
  });

  test.each([
    [502, "unavailable", true],
    [503, "unavailable", true],
    [504, "deadline_exceeded", true],
    [429, "resource_exhausted", true],
    [401, "unauthenticated", false],
    [404, "not_found", false],
    [418, "unknown", false],
  ])("of another server is read from its status %i", (status, code, retryable) => {
    expect(httpError({ status, body: undefined, retryAfter: null, repeatable: true, now })).toMatchObject({
      code,
      retryable,
    });
  });

  test("keeps the words of a problem that is not ours", () => {
    expect(
      httpError({ status: 502, body: { title: "upstream gone" }, retryAfter: "2", repeatable: true, now }),
    ).toMatchObject({
      message: "upstream gone",
      retryAfterMs: 2_000,
    });
  });

  test("of any shape gives an envelope", () => {
    const nearly = fc.record(
      {
        code: fc.oneof(fc.constantFrom(...codes), fc.jsonValue()),
        message: fc.jsonValue(),
        issues: fc.oneof(
          fc.jsonValue(),
          fc.array(fc.record({ path: fc.string(), expected: fc.string(), fix: fc.jsonValue() })),
        ),
        retryable: fc.jsonValue(),
        retryAfterMs: fc.jsonValue(),
        reason: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), fc.oneof(nearly, fc.jsonValue()), (status, body) => {
        const wire = httpError({ status, body, retryAfter: null, repeatable: true, now });
        expect(isCode(wire.code)).toBe(true);
        expect(typeof wire.message).toBe("string");
        expect(typeof wire.retryable).toBe("boolean");
        for (const issue of wire.issues ?? []) expect(typeof issue.fix).toBe("string");
      }),
    );
  });
});

test.each([
  ["3", 3_000],
  ["0", 0],
  ["Thu, 01 Jan 2026 00:00:07 GMT", 7_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  [null, undefined],
])("Retry-After %s is %s ms", (value, ms) => {
  expect(parseRetryAfter(value, now)).toBe(ms);
});
