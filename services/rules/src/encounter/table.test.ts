/** What a table in a browser asks of fights: which there are, the odds in one, and what happened. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncounterView, game, type StartEncounterInput } from "@fairlead/contracts/rules";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import { isRefusal } from "../result/refusal.ts";
import type { EncounterAction } from "./act.ts";
import { createEncounters, type Encounters } from "./encounters.ts";
import { noScene } from "./scene.ts";
import { openEncounterStore } from "./store.ts";

const {
  player: aria,
  rulings,
  npcs,
} = game.parse({
  player: {
    name: "Aria",
    characterClass: "Rogue",
    level: 5,
    currentHP: 20,
    maxHP: 20,
    armorClass: 15,
    stats: { dexterity: 18 },
    weaponProficiencies: ["Rapier"],
    inventory: ["Rapier"],
  },
  npcs: [{ name: "Orc", ac: 13, currentHp: 30, maxHp: 30, attackBonus: 5, damageDice: "1d12", damageBonus: 3 }],
});
const [orc = expect.fail("no orc")] = npcs;
const fight: StartEncounterInput = { edition: "5.1", party: [aria], foes: [orc, orc], rulings };
/** Aria 20 + 4, the orcs 5. */
const order = { values: [20, 5] };
const attack: EncounterAction = {
  procedure: "attack",
  intent: { weapon: "Rapier", target: "orc-1" },
  scene: noScene,
};

let folder: string;
let encounters: Encounters;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-table-"));
  encounters = createEncounters(openEncounterStore(folder), findMonster);
});
afterEach(() => {
  encounters.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = ({ encounter }: EncounterView) => ({ handle: encounter, principal: "ann" });

test("lists a caller's fights, the newest first, and no other caller's", () => {
  const first = encounters.start("ann", fight, order);
  encounters.change(at(first), { type: "end_turn" });
  const second = encounters.start("ann", { ...fight, party: ["Acolyte"], foes: ["Ogre"] }, { values: [20, 5] });
  expect(encounters.list("ann", 20)).toEqual([
    { encounter: second.encounter, edition: "5.1", version: 1, latest: "start", party: ["Acolyte"], foes: ["Ogre"] },
    {
      encounter: first.encounter,
      edition: "5.1",
      version: 2,
      latest: "end_turn",
      party: ["Aria"],
      foes: ["Orc", "Orc"],
    },
  ]);
  expect(encounters.list("ann", 1)).toHaveLength(1);
  expect(encounters.list("bob", 20)).toEqual([]);
});

test("solves the odds of what somebody might do as the fight is now", () => {
  const view = encounters.start("ann", { ...fight, foes: ["Werewolf"] }, order);
  const ask = (weapon: string, actor?: string) =>
    encounters.odds(at(view), {
      question: { kind: "attack", intent: { weapon, target: actor === undefined ? "werewolf" : "Aria" } },
      actor,
    });
  // Immune to what is not magical: a hit deals nothing.
  expect(ask("Rapier").mean.fraction).toBe("0");
  expect(ask("Bite", "werewolf")).toMatchObject({ against: "15" });
  expect(() => ask("Rapier", "zed")).toThrowError(
    expect.toSatisfy((thrown: unknown) => isRefusal(thrown) && thrown.reason === "unknown_actor"),
  );
  expect(encounters.view(at(view))).toMatchObject({ version: 1 });
});

test("says in the log how each call ended, and who made it", () => {
  const view = encounters.start("ann", fight, order);
  encounters.act(at(view), attack, { values: [15, 6] });
  encounters.change(at(view), { type: "end_turn" });
  encounters.change(at(view), { type: "undo" });
  encounters.change(at(view), { type: "end" });
  expect(encounters.log(at(view)).entries.map(({ happened }) => happened.join(" | "))).toEqual([
    "The fight begins: Aria 24, Orc 5, Orc 5",
    "Aria: Rapier Attack, 22 hits Orc, AC 13. 10 damage",
    "Round 1: the turn of Orc",
    "Taken back; it is the turn of Aria",
    "The fight is over",
  ]);
});
