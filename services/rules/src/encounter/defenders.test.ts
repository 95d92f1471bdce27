/** In a kept fight the whole sheet of whoever is hit counts: rage, worn items, a table's own reductions. */
import { describe, expect, test } from "vitest";
import { fight } from "../testing/fight.ts";

const bo = {
  name: "Bo",
  characterClass: "Barbarian",
  features: [{ name: "Rage" }],
  effects: [{ name: "Rage" }],
  inventory: ["Ring of Warmth (worn)"],
};
const hit = { values: [18, 6] } as const;

/** The goblin's scimitar: 1d6+2. */
const hurt = (fields: Record<string, unknown>, values: readonly number[] = hit.values): unknown => {
  const table = fight("5.1", [{ ...bo, ...fields }], ["Goblin"]);
  table.endTurn();
  const { damage } = table.strike("Scimitar", "Bo", { values: [...values] }) as {
    damage?: { totalDamage: number };
  };
  return damage?.totalDamage;
};

describe("who is hit in a kept fight", () => {
  test("a rage halves blows", () => {
    expect(hurt({})).toBe(4);
  });
  test("without a rage they are whole", () => {
    expect(hurt({ effects: [] })).toBe(8);
  });
  test("stone resists, and resistance counts once", () => {
    expect(hurt({ conditions: ["Petrified"] }, [2, 18, 6])).toBe(4);
  });
});
