/**
 * Every monster of both SRDs: what the rules compute from its abilities, proficiency and dice is what its stat block prints. Where the printed
 * numbers follow from neither Strength nor Dexterity, it is in the list of exceptions and has the printed ones.
 */
import { abilities, type Game, game as gameSchema } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import type { MonsterDamage, MonsterRow } from "../data/monster-row.ts";
import { weaponDice } from "../data/weapons.ts";
import { planWeaponAttack } from "../plan/attack-plan.ts";
import { planSavingThrow } from "../resolve/save.ts";
import { isRefusal } from "../result/refusal.ts";
import type { DamageSpec } from "../rules/damage.ts";
import { abilityModifier } from "../sheet/character.ts";
import { monsterExceptions } from "../testing/monster-exceptions.ts";
import { attackAbility, findMonster, monsterProficiency, monsterRows, monsterStats } from "./monster.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const gameOf = (row: MonsterRow, edition: Game["edition"]): Game => {
  const target = { name: "Post", ac: 10, currentHp: 100, maxHp: 100 };
  const { sheet } = monsterStats(row);
  return { ...gameSchema.parse({ edition, player: sheet, npcs: [target] }), player: sheet };
};

const sum = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((total, { amount }) => total + amount, 0);

const average = ({ count, sides, flats }: DamageSpec): number => Math.floor((count * (sides + 1)) / 2 + sum(flats));

/** A stat block prints at least 1. */
const printed = ({ average: most }: MonsterDamage): number => most;

describe.each(inLongTier ? (["5.1", "5.2"] as const) : (["5.2"] as const))("the monsters of the SRD %s", (edition) => {
  const rows = monsterRows[edition];
  const attacks = rows.flatMap((row) => (row.attacks ?? []).map((attack) => ({ row, attack })));
  const exceptions = monsterExceptions[edition];

  test("are all there, each under a name of its own", () => {
    expect(rows).toHaveLength(edition === "5.1" ? 325 : 331);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const { name } of rows) expect(findMonster(name, edition).sheet.name).toBe(name);
  });

  test("attack with the printed bonus and average damage", () => {
    const wrong = attacks.flatMap(({ row, attack }) => {
      const planned = planWeaponAttack(gameOf(row, edition), { weapon: attack.name, target: "Post" });
      if (!planned.ok) return [`${row.name}, ${attack.name}: ${planned.why}`];
      const { test: roll, specs } = planned.plan;
      const computed = { hit: sum(roll.modifiers), damage: specs.map(average) };
      const block = { hit: attack.hit, damage: attack.damage.length === 0 ? [0] : attack.damage.map(printed) };
      return JSON.stringify(computed) === JSON.stringify(block)
        ? []
        : [`${row.name}, ${attack.name}: ${JSON.stringify(computed)} is not ${JSON.stringify(block)}`];
    });
    expect(wrong).toEqual([]);
  });

  test("have attacks that follow from their abilities, but for those of the list", () => {
    const fixed = attacks.filter(({ row, attack }) => attackAbility(row, attack) === undefined);
    expect(fixed.map(({ row, attack }) => `${row.name}: ${attack.name}`)).toEqual(exceptions.attacks);
  });

  test("have Difficulty Classes that follow from an ability, but for those of the list", () => {
    const other = rows.flatMap(({ name, cr, stats, effects = [] }) =>
      effects
        .filter(({ dc }) => !stats.some((score) => 8 + monsterProficiency(cr) + abilityModifier(score) === dc))
        .map((effect) => `${name}: ${effect.name}`),
    );
    expect(other).toEqual(exceptions.classes);
  });

  test("have effects whose average damage is the printed one", () => {
    const wrong = rows.flatMap(({ name, effects = [] }) =>
      effects.flatMap((effect) => {
        if (effect.damage === undefined) return [];
        const { count, sides, flat } = weaponDice(effect.damage.dice);
        const computed = Math.floor((count * (sides + 1)) / 2 + flat);
        return computed === effect.damage.average ? [] : [`${name}: ${effect.name}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("save with the printed bonus, but for those of the list", () => {
    const other = rows.flatMap((row) =>
      abilities.flatMap((ability) => {
        const { test: roll } = planSavingThrow(gameOf(row, edition), { ability, dc: 10 });
        const block = monsterStats(row).body.savingThrows?.[ability];
        return sum(roll.modifiers) === block ? [] : [`${row.name}: ${ability}`];
      }),
    );
    expect(other).toEqual(exceptions.saves);
  });
});

test("a name that is none, or the beginning of several, is refused with names that are near", () => {
  const refused = (name: string) => {
    try {
      findMonster(name, "5.1");
    } catch (thrown) {
      if (isRefusal(thrown)) return thrown.data;
      throw thrown;
    }
    return undefined;
  };
  expect(refused("Gobln")).toMatchObject({ name: "Gobln", known: ["Goblin"] });
  expect(refused("Adult")).toMatchObject({ known: expect.arrayContaining(["Adult Red Dragon"]) });
  expect(findMonster("half-red dragon", "5.1").sheet.name).toBe("Half-Red Dragon Veteran");
});
