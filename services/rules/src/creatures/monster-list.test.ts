/** Monsters as people look for them, and each of them by value is what a game takes. */
import { decoder } from "@fairlead/contracts";
import rules from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { monsterRows } from "./monster.ts";
import { monsterByValue, searchMonsters } from "./monster-list.ts";

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
      const { npc, player } = structuredClone(monsterByValue(name, edition));
      const question = { kind: "attack", intent: { weapon: "Unarmed Strike", target: npc.name } };
      return !decode({ game: { edition, player, npcs: [npc] }, question }).ok;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

test("says what a game by value leaves out", () => {
  expect(monsterByValue("Werewolf", "5.1").leftOut).toEqual([
    "its immunity to bludgeoning, piercing and slashing damage of attacks that are not magical or silvered",
  ]);
  expect(monsterByValue("Goblin", "5.1").leftOut).toEqual([]);
  expect(monsterByValue("Adult Red Dragon", "5.1").leftOut.join("; ")).toMatch(/Fire Breath.*legendary/);
});

test("refuses a name that nothing has", () => {
  try {
    monsterByValue("Gobblin", "5.1");
    expect.fail("nothing was refused");
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    expect(thrown).toMatchObject({ reason: "unknown_monster", data: { known: ["Goblin"] } });
  }
});
