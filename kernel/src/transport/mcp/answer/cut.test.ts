/** Values made shorter: never more tokens than asked, never another shape, and each loss is said. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutValue } from "./cut.ts";
import { estimateTokens } from "./tokens.ts";

const tokensOf = (value: unknown): number => estimateTokens(JSON.stringify(value));

const isShorterOf = (short: unknown, whole: unknown): boolean => {
  if (typeof whole === "string") return typeof short === "string" && (short === whole || short.endsWith("…"));
  if (Array.isArray(whole))
    return (
      Array.isArray(short) && short.length <= whole.length && short.every((each, at) => isShorterOf(each, whole[at]))
    );
  if (typeof whole !== "object" || whole === null) return Object.is(short, whole);
  // An object that had no room for its names.
  return (
    typeof short === "object" &&
    short !== null &&
    Object.entries(short).every(([name, member]) => name in whole && isShorterOf(member, Reflect.get(whole, name)))
  );
};

const long = fc.oneof(
  fc.array(fc.record({ id: fc.string(), note: fc.string({ maxLength: 900 }), at: fc.integer() }), { maxLength: 60 }),
  fc.record({
    rows: fc.array(fc.jsonValue(), { maxLength: 80 }),
    count: fc.integer(),
    text: fc.string({ maxLength: 4_000 }),
  }),
  fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue(), { maxKeys: 200 }),
);

describe("cut values", () => {
  test("are of the same shape, and say where something is missing", () => {
    fc.assert(
      fc.property(long, fc.integer({ min: 20, max: 500 }), (value, tokens) => {
        const whole: unknown = JSON.parse(JSON.stringify(value));
        const { value: short, cuts } = cutValue(whole, tokens);
        expect(isShorterOf(short, whole)).toBe(true);
        if (cuts.length === 0) expect(short).toEqual(whole);
        for (const { kept, of } of cuts) expect(kept).toBeLessThan(of);
      }),
      { numRuns: 60 },
    );
  });

  test("have no more tokens than there is room for, where lists and texts are what is long", () => {
    const item = fc.record({
      id: fc.integer(),
      name: fc.string({ maxLength: 20 }),
      note: fc.string({ maxLength: 2_000 }),
    });
    fc.assert(
      fc.property(
        fc.record({
          items: fc.array(item, { maxLength: 100 }),
          total: fc.integer(),
          text: fc.string({ maxLength: 9_000 }),
        }),
        fc.integer({ min: 1_000, max: 3_000 }),
        (value, tokens) => {
          expect(tokensOf(cutValue(value, tokens).value)).toBeLessThanOrEqual(tokens);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("keep all members of an object, the first entries of a list and of a map, and no half of a character", () => {
    const map = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`n${at}`, { at, text: "a node of the tree" }]),
    );
    const value = { name: "Aria", list: Array.from({ length: 300 }, (_, id) => ({ id })), map, text: "🎲".repeat(900) };
    const { value: short, cuts } = cutValue(value, 600);
    const { list, text } = short as typeof value;
    expect(short).toMatchObject({ name: "Aria" });
    expect(list).toEqual(value.list.slice(0, list.length));
    expect(list.length).toBeGreaterThan(10);
    expect(text.isWellFormed()).toBe(true);
    expect(cuts.map(({ path, unit }) => `${path} ${unit}`)).toEqual(["list items", "map members", "text characters"]);
  });

  test("are the value itself where it is short enough", () => {
    const value = { rows: [1, 2, 3] };
    expect(cutValue(value, 50)).toEqual({ value, cuts: [] });
  });
});
