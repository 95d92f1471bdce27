/**
 * Four characters against monsters of the SRD, played over MCP by a script. A judge that knows nothing of the service computes every number again, from the dice that the
 * answers show and from the numbers that the SRD 5.1 prints, and the log is proved at the end.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ActionResult, EncounterLog, EncounterView } from "@fairlead/contracts/rules";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProject, startProject } from "./kernel.ts";
import { openMcpStateless } from "./mcp.ts";
import { openMemory } from "./memory.ts";
import type { Wire } from "./wire.ts";

let project: RunningProject;
let model: Wire;
beforeAll(async () => {
  const folder = fileURLToPath(new URL("./rules-only", import.meta.url));
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-party-"));
  project = await startProject({ manifest: undefined, only: ["rules"] }, folder, stateDir);
  model = await openMcpStateless(project);
});
afterAll(async () => {
  await model.close();
  await project.kernel.close();
});

const call = async <T>(procedure: string, input: object): Promise<T> => {
  const outcome = await model.call(`rules.${procedure}`, input);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value as T;
};

const hero = (name: string, characterClass: string, more: object) => ({
  ...{ name, characterClass, level: 5, effects: [], weaponProficiencies: ["Simple Weapons", "Martial Weapons"] },
  ...more,
});
const party = [
  hero("Aria", "Rogue", { currentHP: 33, maxHP: 33, armorClass: 15, stats: { dexterity: 18 }, inventory: ["Rapier"] }),
  hero("Bo", "Fighter", {
    currentHP: 44,
    maxHP: 44,
    armorClass: 18,
    stats: { strength: 18 },
    inventory: ["Longsword"],
  }),
  hero("Cy", "Cleric", { currentHP: 38, maxHP: 38, armorClass: 16, stats: { strength: 14 }, inventory: ["Mace"] }),
  hero("Di", "Wizard", {
    ...{ currentHP: 27, maxHP: 27, armorClass: 12, stats: { intelligence: 18 } },
    ...{ cantrips: ["Fire Bolt"], spellcastingAbility: "intelligence" },
  }),
];

/** By kind: what it attacks with, how often, its bonus and damage as the books print them, and its Armor Class. */
interface PrintedAttack {
  readonly weapon: string;
  readonly times: number;
  readonly bonus: number;
  readonly dice: number;
  readonly sides: number;
  readonly flat: number;
  readonly ac: number;
}
const attack = (
  weapon: string,
  times: number,
  bonus: number,
  damage: readonly [number, number, number],
  ac: number,
): PrintedAttack => {
  const [dice, sides, flat] = damage;
  return { weapon, times, bonus, dice, sides, flat, ac };
};
const printed: Readonly<Record<string, PrintedAttack>> = {
  Aria: attack("Rapier", 1, 7, [1, 8, 4], 15),
  Bo: attack("Longsword", 2, 7, [1, 8, 4], 18),
  Cy: attack("Mace", 1, 5, [1, 6, 2], 16),
  Di: attack("Fire Bolt", 1, 7, [2, 10, 0], 12),
  Goblin: attack("Scimitar", 1, 4, [1, 6, 2], 15),
  Ogre: attack("Greatclub", 1, 6, [2, 8, 4], 11),
  Owlbear: attack("Claws", 2, 7, [2, 8, 5], 13),
};
const findNumbers = (name: string): PrintedAttack => printed[name] ?? expect.fail(`nothing is printed of ${name}`);

/** What the judge believes of each creature. */
interface Judged {
  hp: number;
  readonly maxHp: number;
  readonly name: string;
  readonly side: string;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Every number of one attack, from its dice. */
const judge = (result: ActionResult, by: PrintedAttack, target: Judged): void => {
  const [d20, ...rest] = result.dice?.draws ?? [];
  const natural = d20?.value ?? 0;
  const total = natural + by.bonus;
  const isCrit = natural === 20;
  const hits = isCrit || (natural !== 1 && total >= findNumbers(target.name).ac);
  const count = hits ? by.dice * (isCrit ? 2 : 1) : 0;
  expect(rest.map(({ sides }) => sides)).toEqual(Array.from({ length: count }, () => by.sides));
  const damage = hits ? sum(rest.map(({ value }) => value)) + by.flat : 0;
  expect([result.dieResult, result.total, result.success]).toEqual([natural, total, hits]);
  expect([result.damage?.totalDamage ?? 0, result.damage?.isCrit ?? false]).toEqual([damage, isCrit]);
  target.hp = Math.max(0, target.hp - damage);
};

it("gives the numbers that a judge gets from its dice, in each of its turns", async () => {
  const foes = ["Goblin", "Goblin", "Goblin", "Goblin", "Ogre", "Owlbear"];
  let steps = 0;
  const seed = () => {
    steps += 1;
    return { seed: "four against six", label: `step ${steps}` };
  };
  let view = await call<EncounterView>("startEncounter", { edition: "5.1", party, foes, dice: seed() });
  const { encounter } = view;
  const table = new Map<string, Judged>(
    view.creatures.map(({ id, name, side, hp, maxHp }) => [id, { hp, maxHp, name, side }]),
  );
  expect(
    [...table.values()]
      .filter(({ side }) => side === "foes")
      .map(({ hp }) => hp)
      .sort((a, b) => a - b),
  ).toEqual([7, 7, 7, 7, 59, 59]);
  const initiatives = view.creatures.map(({ initiative }) => initiative);
  expect(initiatives).toEqual(initiatives.toSorted((a, b) => b - a));
  const standing = (side: string) => [...table].filter(([, one]) => one.side === side && one.hp > 0);

  let attacks = 0;
  while (standing("party").length > 0 && standing("foes").length > 0 && view.round < 30) {
    const actor = table.get(view.turn) ?? expect.fail(`no ${view.turn}`);
    const by = findNumbers(actor.name);
    for (let strike = 0; strike < by.times && actor.hp > 0; strike += 1) {
      const [target] = standing(actor.side === "party" ? "foes" : "party");
      if (target === undefined) break;
      const [id, judged] = target;
      const result = await call<ActionResult>("attack", { encounter, weapon: by.weapon, target: id, dice: seed() });
      judge(result, by, judged);
      attacks += 1;
    }
    view = await call<EncounterView>("endTurn", { encounter, dice: seed() });
    for (const event of view.events) {
      const [, name, face] = /^(\w+)'s death save, (\d+):/.exec(event) ?? [];
      const risen = [...table.values()].find((one) => one.name === name);
      if (face === "20" && risen !== undefined) risen.hp = 1;
    }
    expect(view.creatures.map(({ id, hp }) => [id, hp])).toEqual(
      view.creatures.map(({ id }) => [id, table.get(id)?.hp]),
    );
  }
  expect(attacks).toBeGreaterThan(15);
  expect(Math.min(standing("party").length, standing("foes").length)).toBe(0);
  const log = await openMemory(project.kernel).call("rules.encounterLog", { encounter });
  expect(log.ok && (log.value as EncounterLog).proved).toBe(true);
});
