/** What attacks take of a turn: rays of a spell, strikes of a flurry, and Nick. */
import { game } from "@fairlead/contracts/rules";
import { expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import { scriptedDice, seededDice } from "../dice/source.ts";
import { isRefusal } from "../result/refusal.ts";
import { thrownBy } from "../testing/action-dice.ts";
import { act } from "./act.ts";
import { noScene } from "./scene.ts";
import { startEncounter } from "./start.ts";

const scores = { strength: 18, dexterity: 18, wisdom: 18, charisma: 18 };
const ogre = { name: "Ogre", ac: 13, currentHp: 1_000, maxHp: 1_000 };

/** The attacks of a level 5 character on one turn, as they are answered one after the other. */
const outcomes = (fields: object, attacks: readonly { weapon: string; attack?: "bonus" }[]): readonly string[] => {
  const player = {
    name: "Aria",
    characterClass: "Rogue",
    level: 5,
    currentHP: 20,
    maxHP: 20,
    stats: scores,
    inventory: ["Dagger"],
    ...fields,
  };
  const parsed = game.parse({ edition: "5.2", player, npcs: [ogre] });
  let state = startEncounter(
    { edition: "5.2", party: [parsed.player], foes: parsed.npcs, rulings: parsed.rulings },
    scriptedDice([20, 1]),
    { findMonster, scene: noScene },
  );
  return attacks.map(({ weapon, attack }, index) => {
    try {
      const scene = { ...noScene, ...(attack !== undefined && { attack }) };
      const intent = { weapon, target: "Ogre" };
      const { state: next, result } = act(
        state,
        { procedure: "attack", intent, scene },
        thrownBy(() => seededDice("budget", "server", String(index))),
      );
      state = next;
      return result.impossible === true ? "impossible" : "rolled";
    } catch (thrown) {
      if (isRefusal(thrown) && thrown.reason === "action_spent") return `${thrown.data.what} spent`;
      throw thrown;
    }
  });
};

const times = (count: number, weapon: string, bonus: { attack?: "bonus" } = {}) =>
  Array.from({ length: count }, () => ({ weapon, ...bonus }));
const bonus = { attack: "bonus" } as const;

test("a spell makes as many rays as one casting has", () => {
  const warlock = { characterClass: "Warlock", cantrips: ["Eldritch Blast"] };
  expect(outcomes(warlock, times(3, "Eldritch Blast"))).toEqual(["rolled", "rolled", "action spent"]);
  const sorcerer = { characterClass: "Sorcerer", knownSpells: ["Scorching Ray"] };
  expect(outcomes(sorcerer, times(4, "Scorching Ray"))).toEqual(["rolled", "rolled", "rolled", "action spent"]);
});

test("Flurry of Blows is two strikes of one bonus action, and Nick takes none", () => {
  const monk = { characterClass: "Monk", features: [{ name: "Martial Arts" }, { name: "Flurry of Blows" }] };
  expect(outcomes(monk, times(3, "Unarmed Strike", bonus))).toEqual(["rolled", "rolled", "bonus action spent"]);
  const strikes = [...times(1, "Dagger", bonus), ...times(1, "Unarmed Strike", bonus)];
  expect(outcomes(monk, strikes)).toEqual(["rolled", "bonus action spent"]);
  const twin = { inventory: ["Dagger", "Shortsword"], weaponMasteries: ["Dagger"] };
  const nick = [...times(2, "Dagger", bonus), ...times(2, "Shortsword", bonus)];
  expect(outcomes(twin, nick)).toEqual(["rolled", "impossible", "rolled", "bonus action spent"]);
});
