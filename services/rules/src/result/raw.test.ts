/** The text for a narrator, to the letter. */
import type { RollResult } from "@fairlead/contracts/rules";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildRawSummary } from "./raw.ts";

type Parsed = Parameters<typeof buildRawSummary>[0];

const hit: Parsed = {
  checkType: "Shortsword Attack",
  components: "DEX +3, Prof +3 = +6",
  dieResult: 14,
  totalModifier: "+6",
  total: 20,
  dcOrAc: "15",
  success: true,
  notes: "20 hits Goblin, AC 15",
};
const line = (rest: Partial<NonNullable<RollResult["damage"]>["breakdown"][number]>) => ({
  ...{ label: "Shortsword", dice: "1d6", rolls: [4], flatBonus: 3, subtotal: 7, damageType: "piercing" as const },
  ...rest,
});
const dealing = (breakdown: ReturnType<typeof line>[], totalDamage: number, isCrit = false): Parsed => ({
  ...hit,
  damage: { breakdown, byType: [], totalDamage, isCrit },
});
const lines = (parsed: Parsed) => buildRawSummary(parsed).split("\n");

test("an attack that hits: seven lines", () => {
  const sneak = line({ label: "Sneak Attack", dice: "3d6", flatBonus: 0 });
  expect(buildRawSummary(dealing([line({}), sneak], 17))).toBe(
    [
      "CHECK: Shortsword Attack",
      "COMPONENTS: DEX +3, Prof +3 = +6",
      "ROLL: 14 + 6 = 20",
      "DC/AC: 15",
      "RESULT: SUCCESS",
      "DAMAGE: Shortsword: 1d6+3 piercing; Sneak Attack: 3d6 piercing",
      "NOTES: 20 hits Goblin, AC 15",
    ].join("\n"),
  );
});

test.each([
  ["a critical hit", [line({ dice: "2d6" })], 11, true, "Shortsword: 2d6+3 piercing"],
  ["a penalty", [line({ flatBonus: -1 })], 3, false, "Shortsword: 1d6-1 piercing"],
  ["no dice", [line({ label: "Blowgun", dice: "", flatBonus: 1 })], 1, false, "Blowgun: 0d1+1 piercing"],
  ["no damage after a save", [], 0, false, "N/A"],
] as const)("damage: %s", (_, breakdown, total, crit, text) => {
  expect(lines(dealing([...breakdown], total, crit))[5]).toBe(`DAMAGE: ${text}`);
});

test("damage without a type", () => {
  const { damageType: _, ...untyped } = line({});
  const parsed = { ...hit, damage: { breakdown: [untyped], byType: [], totalDamage: 7, isCrit: false } };
  expect(lines(parsed)[5]).toBe("DAMAGE: Shortsword: 1d6+3");
});

test("a miss, and a negative modifier", () => {
  const miss = { ...hit, success: false, totalModifier: "-1", total: 13 };
  expect(lines(miss).slice(2, 6)).toEqual(["ROLL: 14 + -1 = 13", "DC/AC: 15", "RESULT: FAILURE", "DAMAGE: N/A"]);
});

test.each([
  [{ ...hit, impossible: true, notes: "No wings." } as const, "CHECK: IMPOSSIBLE\nNOTES: No wings."],
  [{ ...hit, noCheck: true, notes: "The door is open." } as const, "CHECK: NONE\nNOTES: The door is open."],
])("what rolls nothing has two lines", (parsed, text) => {
  expect(buildRawSummary(parsed)).toBe(text);
});

test("no name and no reason can write lines of its own", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", ":", "\n", "\r", "\u2028", "\u2029", "\t", "\v", "\f", "\u0085"),
  });
  fc.assert(
    fc.property(text, text, text, (checkType, notes, label) => {
      const written = buildRawSummary({ ...dealing([line({ label })], 7), checkType, notes });
      expect(written.split(/[\n\r\u2028\u2029\v\f\u0085]/)).toHaveLength(7);
    }),
  );
});
