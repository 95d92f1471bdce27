/** Dice notation: what is read, what is refused and where, and that printing and reading agree. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DiceOperation, type Expression, expressionRange, formatExpression } from "./expression.ts";
import { caps, parseDice } from "./notation.ts";

const dice = (count: number, sides: number, ...operations: DiceOperation[]): Expression => ({
  ...{ kind: "dice", count, sides, operations },
});
const flat = (amount: number): Expression => ({ kind: "flat", amount });
const kept = (which: "highest" | "lowest", count: number): DiceOperation => ({
  kind: "keep",
  selectors: [{ which, count }],
});

describe("reads", () => {
  test.each<[string, Expression]>([
    ["7", flat(7)],
    ["d20", dice(1, 20)],
    ["d%", dice(1, 100)],
    ["2D6", dice(2, 6)],
    ["2d6+3", { kind: "sum", left: dice(2, 6), right: flat(3) }],
    [" 2d6 - 1d4 ", { kind: "difference", left: dice(2, 6), right: dice(1, 4) }],
    ["-3", { kind: "negative", of: flat(3) }],
    ["4d6kh3", dice(4, 6, kept("highest", 3))],
    ["4d6dl1", dice(4, 6, kept("highest", 3))],
    ["4d6pl1", dice(4, 6, kept("highest", 3))],
    ["2d20KL1", dice(2, 20, kept("lowest", 1))],
    ["2d20dh1", dice(2, 20, kept("lowest", 1))],
    ["3d6k>4", dice(3, 6, { kind: "keep", selectors: [{ which: "over", face: 4 }] })],
    ["3d6p1", dice(3, 6, { kind: "drop", selectors: [{ which: "is", face: 1 }] })],
    [
      "3d6kh1kl1",
      dice(3, 6, {
        kind: "keep",
        selectors: [
          { which: "highest", count: 1 },
          { which: "lowest", count: 1 },
        ],
      }),
    ],
    ["2d6ro<3", dice(2, 6, { kind: "once", selectors: [{ which: "under", face: 3 }] })],
    ["1d10rr1", dice(1, 10, { kind: "always", selectors: [{ which: "is", face: 1 }] })],
    ["1d8ra8", dice(1, 8, { kind: "add", selectors: [{ which: "is", face: 8 }] })],
    ["1d6e6", dice(1, 6, { kind: "explode", selectors: [{ which: "is", face: 6 }] })],
    ["1d20mi10ma18", dice(1, 20, { kind: "least", amount: 10 }, { kind: "most", amount: 18 })],
    ["2d6[fire]", { kind: "dice", count: 2, sides: 6, operations: [], label: "fire" }],
    [
      "( 1d8 + 2 ) * 2 [holy]",
      {
        kind: "product",
        left: { kind: "group", of: { kind: "sum", left: dice(1, 8), right: flat(2) } },
        right: { kind: "flat", amount: 2, label: "holy" },
      },
    ],
    ["8d6/2", { kind: "quotient", left: dice(8, 6), right: flat(2) }],
  ])("%j", (text, expression) => {
    expect(parseDice(text)).toEqual({ ok: true, expression });
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
    ["2d6*", 4],
    ["--3", 1],
    ["2d6kh", 5],
    ["2d6kh0", 6],
    ["2d6kh3", 6],
    ["2d6k7", 5],
    // Each of these would throw millions of dice.
    ["100d1e1e1e1e1e1e1", 7],
    ["100d6e6e6", 7],
    ["4d6kh3e6ro1e5", 11],
    ["2d6rr<7", 7],
    ["2d6rr>0", 7],
    ["2d6rokh1", 3],
    ["1d6mi7", 6],
    ["101d6", 5],
    ["60d6+60d6", 9],
    ["1d1001", 6],
    ["99999", 5],
    ["(2d6", 4],
    ["2d6)", 3],
    ["()", 1],
    ["2d6/0", 4],
    ["2d6/1d4", 4],
    ["2d6[]", 3],
    ["2d6[a[b]]", 3],
    ["10000*10000", 11],
    [`${"(".repeat(11)}1${")".repeat(11)}`, 11],
    ["1d6ro6ro6ro6ro6ro6ro6ro6", 24],
    [Array.from({ length: 21 }, () => "1").join("+"), 39],
    ["1".repeat(caps.length + 1), caps.length],
  ])("%j at %i", (text, at) => {
    expect(parseDice(text)).toMatchObject({ ok: false, at });
  });
});

/** Texts that are dice, by the grammar. */
const face = (sides: number) =>
  fc.tuple(fc.constantFrom("", ">", "<"), fc.integer({ min: 1, max: sides })).map(([sign, one]) => `${sign}${one}`);
const operation = (count: number, sides: number) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom("kh", "kl", "dh", "dl", "ph", "pl"), fc.integer({ min: 1, max: count }))
      .map(([w, n]) => `${w}${n}`),
    fc.tuple(fc.constantFrom("k", "p", "ro", "ra", "e"), face(sides)).map(([w, n]) => `${w}${n}`),
    fc.tuple(fc.constantFrom("mi", "ma"), fc.integer({ min: 1, max: sides })).map(([w, n]) => `${w}${n}`),
  );
const diceText = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 12 }))
  .chain(([count, sides]) =>
    fc.array(operation(count, sides), { maxLength: 2 }).map((operations) => `${count}d${sides}${operations.join("")}`),
  );
const { expression: expressionText } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    diceText,
    fc.integer({ min: 0, max: 50 }).map(String),
    fc.tuple(tie("expression"), fc.constantFrom("+", "-", " * "), tie("expression")).map((parts) => parts.join("")),
    tie("expression").map((one) => `(${one})`),
    tie("expression").map((one) => `(${one})[label]`),
  ),
}));

test("what is printed is read as what it was printed from, and printed the same", () => {
  fc.assert(
    fc.property(expressionText, (text) => {
      const parsed = parseDice(text);
      if (!parsed.ok) return;
      const written = formatExpression(parsed.expression);
      expect(parseDice(written)).toEqual(parsed);
      const [least, most] = expressionRange(parsed.expression);
      expect(least).toBeLessThanOrEqual(most);
    }),
  );
});

test("no text makes it throw", () => {
  const text = fc.oneof(fc.string({ maxLength: 120 }), fc.stringMatching(/^[0-9dkhlropmaie()<>*/+\- [\]%]{0,30}$/));
  fc.assert(
    fc.property(text, (written) => typeof parseDice(written).ok === "boolean"),
    { numRuns: 2_000 },
  );
});
