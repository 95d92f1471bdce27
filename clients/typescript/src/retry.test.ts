import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProcedureDescriptor, RetrySafety } from "./descriptor.ts";
import { ClientError } from "./error.ts";
import { pauseAfter, retryPlan } from "./retry.ts";

const procedure = (retry: RetrySafety): ProcedureDescriptor => ({
  name: "a.b",
  kind: "mutation",
  path: "/api/a/b",
  retry,
});

const error = (retryable: boolean, retryAfterMs?: number): ClientError =>
  new ClientError(
    { code: "unavailable", message: "down", retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) },
    "a.b",
  );

describe("a repeat", () => {
  test("is never made for an unsafe procedure, whatever the options", () => {
    expect(retryPlan(procedure("unsafe"), { attempts: 9 }).attempts).toBe(1);
  });

  test("is planned by the first argument that says something", () => {
    expect(retryPlan(procedure("safe"), undefined, { attempts: 2 }).attempts).toBe(2);
    expect(retryPlan(procedure("safe"), false, { attempts: 2 }).attempts).toBe(1);
    expect(retryPlan(procedure("keyed")).attempts).toBe(3);
    expect(retryPlan({ ...procedure("safe"), kind: "subscription" }).attempts).toBe(8);
  });

  test("never follows an error that is not retryable, nor the last attempt", () => {
    const plan = retryPlan(procedure("safe"));
    expect(pauseAfter(plan, { attempt: 1, error: error(false) }, 0.5)).toBeUndefined();
    expect(pauseAfter(plan, { attempt: 3, error: error(true) }, 0.5)).toBeUndefined();
  });

  test("waits a random share of a doubling bound, and never less than the server asked", () => {
    const plan = retryPlan(procedure("safe"), { attempts: 50, baseMs: 100, capMs: 1_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 49 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.nat(10_000), { nil: undefined }),
        (attempt, random, asked) => {
          const pause = pauseAfter(plan, { attempt, error: error(true, asked) }, random);
          const bound = Math.min(1_000, 100 * 2 ** (attempt - 1));
          expect(pause).toBeGreaterThanOrEqual(asked ?? 0);
          expect(pause).toBeLessThanOrEqual(Math.max(asked ?? 0, bound));
        },
      ),
    );
  });
});
