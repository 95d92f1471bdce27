/** Random texts against the world that records everything: our answer or our error, nothing runs, nothing leaks, nothing stays. */

import { types } from "node:util";
import { defaultLimits, evaluate, LinqError, runQuery, type Type } from "@fairlead/linq";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Encoder } from "../encode/encode.ts";
import { fingerprint, fired, hostileWorld } from "./hostile.ts";

const limits = { ...defaultLimits, fuelPerRow: 5_000, fuelPerQuery: 20_000, stringLength: 4_096, items: 5_000 };
const { host, roots } = hostileWorld(limits);
const settings = { host, limits, args: [7, "constructor"] };
const seen = { answers: 0, errors: 0 };

/** The answer as JSON, or the error's code; anything else thrown fails. */
const outcome = (text: string, run: () => { readonly value: unknown; readonly type: Type }): string => {
  try {
    const { value, type } = run();
    const encoder = new Encoder({ host, items: 20, bytes: 262_144 });
    const json = JSON.stringify(encoder.encode(value, type, { depth: 2, path: "" }));
    seen.answers++;
    return json;
  } catch (error) {
    if (!(error instanceof LinqError)) throw error;
    expect(error.position).toBeGreaterThanOrEqual(-1);
    expect(error.position).toBeLessThanOrEqual(text.length);
    seen.errors++;
    return error.code;
  }
};

const leaks = /native code|\[Function|node:internal|globalThis|process\.env/;

const harmless = (text: string, run: () => { readonly value: unknown; readonly type: Type }): void => {
  expect(outcome(text, run)).not.toMatch(leaks);
  expect(fired.splice(0)).toEqual([]);
};

/** The property over so many expressions, a quarter as many queries, of such texts. */
export const testTexts = (expressions: number, arbitraryText: fc.Arbitrary<string>) =>
  test(`property: ${expressions} expressions and ${expressions / 4} queries`, () => {
    const before = fingerprint(roots, types.isProxy);
    fc.assert(
      fc.property(arbitraryText, (text) => harmless(text, () => evaluate(text, settings))),
      { numRuns: expressions },
    );
    const parts = fc.record({
      from: fc.constantFrom("List", "Rows.Take(3)", "W.map", "W.holes"),
      where: fc.option(arbitraryText, { nil: undefined }),
      select: fc.option(arbitraryText, { nil: undefined }),
      orderBy: fc.option(arbitraryText, { nil: undefined, freq: 1 }),
      groupBy: fc.option(arbitraryText, { nil: undefined, freq: 1 }),
      distinct: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, (query) =>
        harmless(Object.values(query).join(), () => {
          const { rows, type } = runQuery(query, settings);
          return { value: rows[0], type };
        }),
      ),
      { numRuns: expressions / 4 },
    );
    expect(fingerprint(roots, types.isProxy)).toBe(before);
    expect(seen.answers).toBeGreaterThan(expressions / 20);
    expect(seen.errors).toBeGreaterThan(expressions / 20);
  });
