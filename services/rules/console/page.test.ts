/** What the table reads and writes, without a browser: sheets, addresses, entrants, charts, and a version that is not the newest one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { axisValues, chart, chartedOutcomes, distributionBars, percent, roundUp } from "./chart.ts";
import { countNames, parseEntrants } from "./entrants.ts";
import { firstSetup, readDice, readSetup, setupSearch, toQuestion } from "./setup.ts";
import { featuresText, listText, parseSheet, sheets, withFeatures, withList } from "./sheet.ts";
import { staleText } from "./stale.ts";

describe("a sheet", () => {
  test.each(sheets.map((sheet) => [sheet.name, sheet] as const))(
    "%s is the same after its lists are typed",
    (_, sheet) => {
      expect(withFeatures(sheet, featuresText(sheet)).features).toEqual(sheet.features ?? []);
      const list = withList(sheet, "inventory", listText(sheet, "inventory"));
      expect(list.inventory).toEqual(sheet.inventory);
    },
  );

  test.each([
    ["{", "not JSON"],
    ["[]", "is an object"],
    ["{}", "has a `name`"],
  ])("is not %s", (text, why) => {
    const parsed = parseSheet(text);
    expect(!parsed.ok && parsed.problem).toContain(why);
  });
});

describe("an address", () => {
  const [aria = { name: "Aria" }] = sheets;
  const side = fc.oneof(
    fc.constant({ kind: "sheet", sheet: aria } as const),
    fc.stringMatching(/^[A-Za-z ]{1,20}$/).map((name) => ({ kind: "monster", name }) as const),
  );
  const setups = fc.record({
    edition: fc.constantFrom("5.1", "5.2"),
    actor: side,
    target: side,
    deed: fc.constant("attack"),
    weapon: fc.string(),
    claims: fc.string(),
    skill: fc.constant(firstSetup.skill),
    ability: fc.constant(firstSetup.ability),
    dc: fc.constant(firstSetup.dc),
    stance: fc.constantFrom("as it is", "advantage", "disadvantage"),
    engaged: fc.boolean(),
  } as const);

  test("says all of an attack", () => {
    fc.assert(
      fc.property(setups, (setup) => {
        expect(readSetup(setupSearch(setup))).toEqual(setup);
      }),
    );
  });

  test("that says nothing, or nonsense, is as at first", () => {
    expect(readSetup({})).toEqual(firstSetup);
    expect(readSetup({ dc: "x", do: "fly", edition: "4", stance: "?", target: "{" })).toEqual(firstSetup);
  });

  test("has a seed, or faces of dice", () => {
    expect(readDice({ seed: "a" })).toEqual({ seed: "a" });
    expect(readDice({ dice: "15, 6" })).toEqual({ values: [15, 6] });
    expect(readDice({ dice: "15, six" })).toBe(undefined);
    expect(readDice({})).toBe(undefined);
  });

  test("claims are a list", () => {
    expect(toQuestion({ ...firstSetup, claims: " Sneak Attack, , Bless " }, "Goblin")).toMatchObject({
      intent: { extra_damage_sources: ["Sneak Attack", "Bless"] },
    });
    expect(toQuestion({ ...firstSetup, claims: "" }, "Goblin").intent).not.toHaveProperty("extra_damage_sources");
  });
});

test("entrants are sheets by their names, and monsters otherwise, as often as is said", () => {
  const [aria] = sheets;
  expect(parseEntrants("aria, 2 Goblin,, 3 x Giant Rat", sheets)).toEqual([
    aria,
    "Goblin",
    "Goblin",
    "Giant Rat",
    "Giant Rat",
    "Giant Rat",
  ]);
  expect(parseEntrants("99 Rat", sheets)).toHaveLength(50);
  expect(countNames(["Goblin", "Ogre", "Goblin"])).toBe("2 Goblin, Ogre");
});

describe("a chart", () => {
  const outcome = (value: number, decimal: string) => ({ value, probability: { fraction: "", decimal } });

  test("has a bar for each value inside of its area, the most likely the tallest", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 60 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const bars = distributionBars(sorted.map((value, at) => outcome(value, String((at + 1) / 100))));
        expect(bars).toHaveLength(sorted.length);
        for (const { x, y, width, height } of bars) {
          expect(x).toBeGreaterThanOrEqual(chart.left);
          expect(x + width).toBeLessThanOrEqual(chart.width - chart.right + 2);
          expect(y).toBeGreaterThanOrEqual(chart.top - 0.001);
          expect(y + height).toBeLessThanOrEqual(chart.height);
        }
        expect(bars.at(-1)?.height).toBe(Math.max(...bars.map(({ height }) => height)));
      }),
    );
  });

  test("leaves a miss out, and says how likely it is", () => {
    const distribution = [outcome(0, "0.35"), outcome(5, "0.4"), outcome(6, "0.25")];
    expect(chartedOutcomes({ distribution, measured: "damage" })).toEqual({
      charted: distribution.slice(1),
      missed: 0.35,
    });
    expect(chartedOutcomes({ distribution, measured: "total" })).toEqual({ charted: distribution, missed: 0 });
    expect(chartedOutcomes({ distribution: distribution.slice(0, 1), measured: "damage" }).missed).toBe(0);
  });

  test("has round numbers on its axes", () => {
    expect([0.07, 0.2, 3, 17, 0].map(roundUp)).toEqual([0.1, 0.2, 5, 20, 1]);
    expect(axisValues(8, 55)).toHaveLength(12);
    expect(axisValues(3, 3)).toEqual([3]);
    expect([0, 0.00001, 0.5, 0.99999, 1].map(percent)).toEqual(["0 %", "< 0.1 %", "50.0 %", "> 99.9 %", "100 %"]);
  });
});

test("a version that is not the newest one is said in words, and nothing else is", () => {
  expect(staleText({ reason: "stale_version", data: { sent: 3, current: 5 } })).toContain("version 3, and it is 5 now");
  expect(staleText({ reason: "out_of_turn" })).toBe(undefined);
});
