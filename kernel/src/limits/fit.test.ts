import type { WireError } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clippedBytes, errorBytes, fitted } from "./fit.ts";

const issue = fc.record({ path: fc.string(), expected: fc.string(), fix: fc.string() });
const text = fc.oneof(fc.string(), fc.string({ unit: "binary", minLength: 300, maxLength: 5_000 }));
const wireError: fc.Arbitrary<WireError> = fc.record({
  code: fc.constant("invalid_argument"),
  message: text,
  hint: text,
  issues: fc.array(issue, { maxLength: 20 }),
  retryable: fc.boolean(),
});
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("fitted", () => {
  test("whatever the error, what is made of it fits, and its first issues stay", () => {
    fc.assert(
      fc.property(wireError, fc.integer({ min: 2_000, max: 5_000 }), (error, bytes) => {
        const fit = fitted(error, bytes, (shorter) => shorter);
        expect(bytesOf(fit)).toBeLessThanOrEqual(bytes);
        expect(fit.issues).toEqual(error.issues?.slice(0, fit.issues?.length));
        if (bytesOf(error) <= bytes) expect(fit).toBe(error);
      }),
    );
  });

  test("as few issues as must be are left out", () => {
    const issues = Array.from({ length: 20 }, (_, at) => ({ path: `${at}`, expected: "x".repeat(200), fix: "y" }));
    const error: WireError = { code: "invalid_argument", message: "no", issues, retryable: false };
    const fit = fitted(error, 3_000, (shorter) => shorter);
    expect(bytesOf({ ...fit, issues: issues.slice(0, (fit.issues?.length ?? 0) + 1) })).toBeGreaterThan(3_000);
  });

  test("data is kept, since the contract promises it", () => {
    const data = { names: Array.from({ length: 1_000 }, (_, at) => `name ${at}`) };
    const error: WireError = { code: "not_found", reason: "unknown", message: "no", data, retryable: false };
    expect(fitted(error, 4_096, (shorter) => shorter)).toEqual(error);
  });
});

test("a reply has 64 KB for its errors, each 4 KB", () => {
  expect(errorBytes()).toBe(4_096 - 64);
  for (let errors = 1; errors <= 20; errors += 1) {
    expect(errors * errorBytes(errors)).toBeLessThan(65_536);
    expect(errorBytes(errors)).toBeGreaterThan(3_000);
  }
});

test("a text is cut by its bytes as JSON, never inside a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1_000 }), fc.integer({ min: 10, max: 500 }), (long, bytes) => {
      const cut = clippedBytes(long, bytes);
      expect(bytesOf(cut)).toBeLessThanOrEqual(bytes + 5);
      if (cut !== long) expect(long.startsWith(cut.slice(0, -1))).toBe(true);
    }),
  );
});
