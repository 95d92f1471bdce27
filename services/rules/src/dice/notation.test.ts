/** Dice notation: what is read, what is refused and where, and that printing and reading agree. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caps, formatDice, parseDice, type Term } from "./notation.ts";

const dice = (count: number, sides: number, rest: object = {}) => ({ kind: "dice", sign: 1, count, sides, ...rest });

describe("reads", () => {
  test.each([
    ["7", [{ kind: "flat", amount: 7 }]],
    ["d20", [dice(1, 20)]],
    ["2d6", [dice(2, 6)]],
    ["2D6", [dice(2, 6)]],
    ["2d6+3", [dice(2, 6), { kind: "flat", amount: 3 }]],
    [" 2d6 - 1d4 ", [dice(2, 6), dice(1, 4, { sign: -1 })]],
    ["-3", [{ kind: "flat", amount: -3 }]],
    ["-0", [{ kind: "flat", amount: 0 }]],
    ["4d6kh3", [dice(4, 6, { keep: { which: "highest", count: 3 } })]],
    ["4d6dl1", [dice(4, 6, { keep: { which: "highest", count: 3 } })]],
    ["2d20KL1", [dice(2, 20, { keep: { which: "lowest", count: 1 } })]],
    ["2d20dh1", [dice(2, 20, { keep: { which: "lowest", count: 1 } })]],
  ])("%j", (text, terms) => {
    expect(parseDice(text)).toEqual({ ok: true, terms });
  });
});

describe("refuses", () => {
  test.each([
    ["", 0],
    ["d", 1],
    ["2d", 2],
    ["2d0", 3],
    ["0d6", 3],
    ["2d6+", 4],
    ["2d6 3", 4],
    ["2d6*2", 3],
    ["--3", 1],
    ["2d6kh", 5],
    ["2d6kh0", 6],
    ["2d6kh3", 6],
    ["101d6", 5],
    ["60d6+60d6", 9],
    ["1d1001", 6],
    ["99999", 5],
    ["(2d6)", 0],
    [Array.from({ length: 21 }, () => "1").join("+"), 39],
    ["1".repeat(caps.length + 1), caps.length],
  ])("%j at %i", (text, at) => {
    expect(parseDice(text)).toMatchObject({ ok: false, at });
  });
});

const term: fc.Arbitrary<Term> = fc.oneof(
  fc.integer({ min: -caps.flat, max: caps.flat }).map((amount): Term => ({ kind: "flat", amount })),
  fc
    .record({
      sign: fc.constantFrom<1 | -1>(1, -1),
      count: fc.integer({ min: 1, max: 10 }),
      sides: fc.integer({ min: 1, max: caps.sides }),
      keep: fc.option(fc.record({ which: fc.constantFrom("highest" as const, "lowest" as const), count: fc.nat(10) })),
    })
    .map(
      ({ keep, ...rest }): Term => ({
        kind: "dice",
        ...rest,
        ...(keep !== null && { keep: { ...keep, count: Math.min(keep.count, rest.count) } }),
      }),
    ),
);

test("printing and reading agree", () => {
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), (terms) => {
      expect(parseDice(formatDice(terms))).toEqual({ ok: true, terms });
    }),
  );
});

test("no text makes it throw", () => {
  const text = fc.oneof(fc.string({ maxLength: 120 }), fc.stringMatching(/^[0-9dkhl+\- ]{0,30}$/));
  fc.assert(
    fc.property(text, (written) => typeof parseDice(written).ok === "boolean"),
    { numRuns: 2_000 },
  );
});
