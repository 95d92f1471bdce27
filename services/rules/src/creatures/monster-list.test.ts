/** Monsters as people look for them, and each of them by value is what a game takes. */
import { decoder } from "@fairlead/contracts";
import rules, { type CreatureSources } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { monsterRows } from "./monster.ts";
import { creatureByValue, searchMonsters } from "./monster-list.ts";

const names = (text: string, limit = 50) =>
  searchMonsters({ edition: "5.1", text, limit }).found.map(({ name }) => name);

test("finds by all words of name and type, beginnings first", () => {
  expect(names("goblin")).toEqual(["Goblin", "Hobgoblin"]);
  expect(names("GOBLIN")).toEqual(["Goblin", "Hobgoblin"]);
  expect(names("dragon ancient red")).toEqual(["Ancient Red Dragon"]);
  expect(names("no such beast")).toEqual([]);
  expect(searchMonsters({ edition: "5.1", text: "", limit: 3 })).toMatchObject({ total: 325, found: { length: 3 } });
});

const decode = decoder(rules.procedures.odds.input);

describe.each(["5.1", "5.2"] as const)("edition %s", (edition) => {
  test("each monster is a target and an actor of a game that decodes", () => {
    const wrong = monsterRows[edition].filter(({ name }) => {
      const { npc, player } = structuredClone(creatureByValue(name, edition));
      const question = { kind: "attack", intent: { weapon: "Unarmed Strike", target: npc.name } };
      return !decode({ game: { edition, player, npcs: [npc] }, question }).ok;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

test("says what a game by value leaves out", () => {
  expect(creatureByValue("Werewolf", "5.1").leftOut).toEqual([
    "its immunity to bludgeoning, piercing and slashing damage of attacks that are not magical or silvered",
  ]);
  expect(creatureByValue("Goblin", "5.1").leftOut).toEqual([]);
  expect(creatureByValue("Adult Red Dragon", "5.1").leftOut.join("; ")).toMatch(/Fire Breath.*legendary/);
});

test("a sheet is a target with its Armor Class and saves", () => {
  const input = decoder<CreatureSources>(rules.procedures.creatures.input)({
    of: [
      {
        name: "Aria",
        characterClass: "Rogue",
        level: 5,
        maxHP: 33,
        stats: { dexterity: 18 },
        worn: { armor: "light", armorBase: 12 },
        savingThrowProficiencies: ["dexterity"],
        inventory: ["Rapier", "rope"],
      },
    ],
  });
  if (!input.ok) throw new Error(JSON.stringify(input.issues));
  const [sheet = "none"] = input.value.of;
  const aria = creatureByValue(sheet, input.value.edition);
  expect(aria).toMatchObject({ name: "Aria", ac: 16, maxHp: 33, leftOut: [], npc: { currentHp: 33 } });
  expect(aria.npc.savingThrows).toMatchObject({ dexterity: 7, wisdom: 0 });
  expect(aria.attacks).toContain("Rapier");
});

test("refuses a name that nothing has", () => {
  try {
    creatureByValue("Gobblin", "5.1");
    expect.fail("nothing was refused");
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    expect(thrown).toMatchObject({ reason: "unknown_monster", data: { known: ["Goblin"] } });
  }
});
