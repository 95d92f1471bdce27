/** Rests after a fight, by the SRD's sections on resting (5.1, 5.2), and the next fight of the same party. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncounterView, game, type StartEncounterInput } from "@fairlead/contracts/rules";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import { isRefusal } from "../result/refusal.ts";
import { createEncounters, type Encounters } from "./encounters.ts";
import type { Rest } from "./rest.ts";
import { openEncounterStore } from "./store.ts";

const sheetOf = (player: Record<string, unknown>) =>
  game.parse({ player: { name: "Bo", characterClass: "Fighter", level: 5, ...player } });

const { player: bo, rulings } = sheetOf({ currentHP: 10, maxHP: 44, stats: { constitution: 14 } });

let folder: string;
let encounters: Encounters;
const open = (): Encounters => createEncounters(openEncounterStore(folder), findMonster);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-rest-"));
  encounters = open();
});
afterEach(() => {
  encounters.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (handle: string, version?: number) => ({ handle, principal: "ann", version });

const start = (party: StartEncounterInput["party"], more: Partial<StartEncounterInput> = {}): EncounterView =>
  encounters.start("ann", { edition: "5.1", party, foes: [], rulings, ...more }, { seed: "start" });

/** A fight that is over. */
const ended = (party: StartEncounterInput["party"], more: Partial<StartEncounterInput> = {}): string => {
  const { encounter } = start(party, more);
  encounters.change(at(encounter), { type: "end" });
  return encounter;
};

const rest = (handle: string, { values, ...given }: Partial<Rest> & { readonly values?: readonly number[] } = {}) =>
  encounters.change(at(handle), {
    type: "rest",
    length: "short",
    hitDice: {},
    ...given,
    ...(values !== undefined && { dice: { values: [...values] } }),
  });

const refusal = (run: () => unknown) => {
  try {
    run();
  } catch (thrown) {
    if (isRefusal(thrown)) return { reason: thrown.reason, data: thrown.data };
    throw thrown;
  }
  return expect.fail("nothing was refused");
};

const only = ({ creatures: [creature] }: EncounterView) => creature ?? expect.fail("no creature");

test("a short rest rolls hit dice with Constitution, and counts them", () => {
  const handle = ended([bo]);
  const view = rest(handle, { hitDice: { bo: 2 }, values: [3, 10] });
  expect(only(view)).toMatchObject({ hp: 10 + (3 + 2) + (10 + 2), hitDice: { d10: 3 } });
  expect(view.events).toEqual(["Bo spends 2d10 (3, 10, Constitution +2 each): 10 to 27 hit points"]);
});

test.each([
  ["5.1", 0],
  ["5.2", 1],
] as const)("in %s a die gives at least %s", (edition, least) => {
  const { player } = sheetOf({ currentHP: 10, maxHP: 44, stats: { constitution: 1 } });
  const view = rest(ended([player], { edition }), { hitDice: { bo: 1 }, values: [2] });
  expect(only(view).hp).toBe(10 + least);
});

test("hit points end at their maximum, and dice of two classes are rolled the largest first", () => {
  const { player } = sheetOf({ classLevels: { Rogue: 2, Barbarian: 3 }, currentHP: 40, maxHP: 44 });
  const view = rest(ended([player]), { hitDice: { bo: 4 }, values: [12, 12, 12, 8] });
  expect(only(view)).toMatchObject({ hp: 44, hitDice: { d12: 0, d8: 1 } });
  expect(view.events[0]).toContain("3d12 and 1d8 (12, 12, 12, 8");
});

test.each([
  ["more than are left", { hitDice: { bo: 6 } }, { creature: "bo", left: 5 }],
  ["one id in two spellings", { hitDice: { bo: 3, Bo: 3 } }, { creature: "Bo", left: 5 }],
  ["no creature of that id", { hitDice: { aria: 1 } }, { creature: "aria", left: 0 }],
  ["a long rest", { length: "long", hitDice: { bo: 1 } }, { creature: "bo", left: 5 }],
] as const)("hit dice are refused: %s", (_, given, data) => {
  const handle = ended([bo]);
  expect(refusal(() => rest(handle, given))).toEqual({ reason: "no_hit_dice", data });
  expect(encounters.view(at(handle)).version).toBe(2);
});

test("a class that the SRD does not have takes the sheet's hit die, and without one has none", () => {
  const artificer = { characterClass: "Artificer", currentHP: 1, maxHP: 20 };
  expect(only(start([sheetOf({ ...artificer, hitDie: "1d8" }).player])).hitDice).toEqual({ d8: 5 });
  expect(only(start([sheetOf(artificer).player])).hitDice).toBeUndefined();
});

test("a long rest gives back hit points, slots, what was used and half of the hit dice (5.1), and takes an exhaustion", () => {
  const { player } = sheetOf({
    characterClass: "Paladin",
    currentHP: 1,
    maxHP: 40,
    temporaryHP: 5,
    exhaustion: 2,
    spellSlotsUsed: { 1: 4, 2: 1 },
    hitDiceUsed: { d10: 5 },
    usedSinceRest: ["Paladin's Smite"],
    conditions: ["Poisoned", "Concentrating", "Prone"],
    effects: [{ name: "Bless" }, { name: "Hex" }, { name: "Aura of Protection" }],
  });
  const handle = ended([player]);
  const view = rest(handle, { length: "long" });
  expect(only(view)).toMatchObject({
    hp: 40,
    temporaryHp: 0,
    slots: { 1: 4, 2: 2 },
    hitDice: { d10: 2 },
    conditions: ["Poisoned"],
  });
  expect(view.events).toEqual([
    "Bo has 40 hit points, all slots and what was used back",
    "Bo's exhaustion is 1",
    "Bo still is: Poisoned",
  ]);
});

test("all hit dice come back in 5.2", () => {
  const { player } = sheetOf({ currentHP: 1, maxHP: 40, hitDiceUsed: { d10: 5 } });
  expect(only(rest(ended([player], { edition: "5.2" }), { length: "long" })).hitDice).toEqual({ d10: 5 });
});

test("who is stable at 0 wakes with 1 hit point in the night, and gets nothing else", () => {
  const { player } = sheetOf({
    currentHP: 0,
    maxHP: 40,
    conditions: ["Unconscious", "Stable"],
    hitDiceUsed: { d10: 2 },
  });
  const view = rest(ended([player]), { length: "long", values: [3] });
  expect(only(view)).toMatchObject({ hp: 1, conditions: [], hitDice: { d10: 3 } });
  expect(view.events).toEqual(["Bo wakes with 1 hit point after 3 h, too late for a long rest"]);
});

test("a warlock's slots come back with a short rest; another's do not", () => {
  const spent = { currentHP: 9, maxHP: 9, spellSlotsUsed: { 3: 2 } };
  expect(only(rest(ended([sheetOf({ ...spent, characterClass: "Warlock" }).player]))).slots).toEqual({ 3: 2 });
  expect(only(rest(ended([sheetOf({ ...spent, characterClass: "Wizard" }).player]))).slots).toMatchObject({ 3: 0 });
});

test("no rest in a fight, nor beside one who is dying", () => {
  const { encounter } = start([bo]);
  expect(refusal(() => rest(encounter))).toMatchObject({ reason: "encounter_not_over" });
  const dying = ended([sheetOf({ currentHP: 0, maxHP: 9, conditions: ["Unconscious"] }).player]);
  expect(refusal(() => rest(dying))).toEqual({ reason: "party_is_dying", data: { creatures: ["bo"] } });
});

test("the next fight goes on with the living party as the rest left it", () => {
  const first = ended([bo, "Goblin"], { foes: ["Ogre"] });
  rest(first, { hitDice: { bo: 1 }, values: [4] });
  const next = start([], { after: first, foes: ["Goblin"] });
  expect(next.creatures.map(({ id, side, hp, maxHp }) => [id, side, hp, maxHp]).sort()).toEqual([
    ["bo", "party", 16, 44],
    ["goblin-1", "party", 7, 7],
    ["goblin-2", "foes", 7, 7],
  ]);
  expect(next.creatures.find(({ id }) => id === "bo")?.hitDice).toEqual({ d10: 4 });
  encounters.close();
  encounters = open();
  expect(encounters.view(at(next.encounter))).toEqual({ ...next, events: [] });
  expect(encounters.log(at(next.encounter)).proved).toBe(true);
  expect(encounters.log(at(first)).proved).toBe(true);
});

test("a fight does not go on from one of another caller, of the other edition, that is not over, or without anyone", () => {
  const running = start([bo]).encounter;
  const over = ended([bo]);
  const go = (more: Partial<StartEncounterInput>) => refusal(() => start([], more)).reason;
  expect(go({ after: running })).toBe("encounter_not_over");
  expect(go({ after: over, edition: "5.2" })).toBe("other_edition");
  expect(go({ after: "fight-none" })).toBe("unknown_encounter");
  expect(go({})).toBe("no_party");
  expect(
    refusal(() => encounters.start("eve", { edition: "5.1", party: [], foes: [], rulings, after: over }, undefined))
      .reason,
  ).toBe("unknown_encounter");
});

test("a rest is taken back like an action", () => {
  const handle = ended([bo]);
  rest(handle, { hitDice: { bo: 5 }, values: [10, 10, 10, 10, 10] });
  expect(only(encounters.change(at(handle), { type: "undo" }))).toMatchObject({ hp: 10, hitDice: { d10: 5 } });
});
