import rules, { type Odds } from "@fairlead/contracts/rules";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stepInput } from "./steps.ts";
import { renderView } from "./view.ts";

/** The chart that the rules contract declares for odds. */
const oddsChart = (value: Odds): string => renderView({ variables: {}, value }, rules.verbs?.odds?.show ?? "") ?? "";

const of = (fraction: string) => ({ fraction, decimal: "1.000000" });
const spread = (weights: Readonly<Record<number, string>>): Odds["distribution"] =>
  Object.entries(weights).map(([value, fraction]) => ({ value: Number(value), probability: of(fraction) }));

const attack: Odds = {
  of: "Club Attack",
  against: "15",
  stance: "advantage",
  success: of("13/20"),
  crit: of("1/20"),
  measured: "damage",
  mean: of("1"),
  variance: of("1"),
  distribution: spread({ 0: "7/20", 1: "3/10", 2: "3/10", 3: "1/20" }),
  notes: "",
};

test("an attack: miss, hit, critical hit, and every value", () => {
  expect(oddsChart(attack)).toBe(
    [
      "Club Attack against 15, with advantage",
      "",
      "        miss  7/20    35.00 %  ██████████████████▋",
      "         hit  3/5     60.00 %  ████████████████████████████████",
      "critical hit  1/20     5.00 %  ██▋",
      "",
      "damage: mean 1, standard deviation 1.000",
      "0  7/20    35.00 %  ████████████████████████████████",
      "1  3/10    30.00 %  ███████████████████████████▍",
      "2  3/10    30.00 %  ███████████████████████████▍",
      "3  1/20     5.00 %  ████▌",
    ].join("\n"),
  );
});

test("a check has no critical hit, and notes stand below the title", () => {
  const text = oddsChart({
    ...attack,
    measured: "total",
    success: of("0"),
    crit: of("0"),
    distribution: spread({ 0: "1" }),
    notes: "fails without a roll",
  });
  expect(text.split("\n").slice(1, 5)).toEqual([
    "fails without a roll",
    "",
    "failure  1   100.00 %  ████████████████████████████████",
    "success  0     0.00 %",
  ]);
});

test("what is hardly possible has a bar and is not called impossible", () => {
  const text = oddsChart({ ...attack, distribution: spread({ 1: "1/60466176", 2: "60466175/60466176" }) });
  expect(text).toContain("1  1/60466176          < 0.01 %  ▏");
  expect(text).toContain("2  60466175/60466176  > 99.99 %");
});

test("many values share rows, and none is lost", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: -5, max: 50 }), (count, from) => {
      const distribution = Array.from({ length: count }, (_, n) => ({
        value: from + n,
        probability: of(`1/${count}`),
      }));
      const lines = oddsChart({ ...attack, distribution }).split("\n");
      const rows = lines.slice(lines.findIndex((line) => line.startsWith("damage:")) + 1);
      expect(rows.length).toBeLessThanOrEqual(31);
      const shares = rows.map((row) => {
        const [over = "0", under = "1"] = row.trim().split(/ {2,}/)[1]?.split("/") ?? [];
        return Number(over) / Number(under);
      });
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    }),
  );
});

/** What the procedure is called with for the content of a file. */
const question = (input: unknown): unknown =>
  stepInput(rules.verbs?.odds?.steps[0] ?? { call: "odds" }, { variables: { input }, value: {} });

describe("the question about odds", () => {
  test.each([
    ["attack", { weapon: "Club", target: "Goblin" }],
    ["check", { skill: "Stealth", dc: 10 }],
    ["save", { ability: "wisdom", dc: 10 }],
  ])("is made of the input of the tool for an %s, without its dice", (kind, intent) => {
    expect(question({ game: {}, intent, dice: { seed: 1 } })).toEqual({ game: {}, question: { kind, intent } });
  });

  test("stays as it is", () => {
    const input = { game: {}, question: { kind: "attack" } };
    expect(question(input)).toBe(input);
    expect(question({})).toEqual({});
  });
});
