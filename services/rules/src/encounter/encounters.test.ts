/** A fight that is kept: turns, actions, changes, versions, callers, undo, and a log that gives the same bytes again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AttackActionInput, type EncounterView, game, type StartEncounterInput } from "@fairlead/contracts/rules";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import { isRefusal } from "../result/refusal.ts";
import type { EncounterAction } from "./act.ts";
import { createEncounters, type Encounters } from "./encounters.ts";
import { noScene } from "./scene.ts";
import { openEncounterStore } from "./store.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const { player: aria, rulings } = game.parse({
  player: {
    name: "Aria",
    characterClass: "Rogue",
    level: 5,
    currentHP: 20,
    maxHP: 20,
    armorClass: 15,
    stats: { dexterity: 18 },
    weaponProficiencies: ["Rapier"],
    features: [{ name: "Sneak Attack" }],
    inventory: ["Rapier", "Dagger"],
  },
});
const orc = game.parse({
  player: aria,
  npcs: [{ name: "Orc", ac: 13, currentHp: 30, maxHp: 30, attackBonus: 5, damageDice: "1d12", damageBonus: 3 }],
}).npcs[0];
if (orc === undefined) throw new Error("no orc");

const fight: StartEncounterInput = { edition: "5.1", party: [aria], foes: [orc, orc], rulings };
/** Aria 20 + 4, the orcs 5. */
const order = { values: [20, 5] };

let folder: string;
let encounters: Encounters;
const open = (): Encounters => createEncounters(openEncounterStore(folder), findMonster);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-fight-"));
  encounters = open();
});
afterEach(() => {
  encounters.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = ({ encounter }: EncounterView, version?: number) => ({ handle: encounter, principal: "ann", version });

const attack = (
  fields: Partial<Pick<AttackActionInput, "weapon" | "target" | "actor">> & { attack?: "bonus" | "reaction" } = {},
): EncounterAction => ({
  procedure: "attack",
  intent: { weapon: fields.weapon ?? "Rapier", target: fields.target ?? "orc-1" },
  scene: { ...noScene, ...(fields.attack !== undefined && { attack: fields.attack }) },
  ...(fields.actor !== undefined && { actor: fields.actor }),
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

const creatureOf = (view: EncounterView, id: string) =>
  view.creatures.find((creature) => creature.id === id) ?? expect.fail(`no ${id}`);

test("initiative orders everybody, and creatures of one kind share a roll", () => {
  const view = encounters.start("ann", fight, order);
  expect(view).toMatchObject({ version: 1, round: 1, turn: "aria", edition: "5.1", over: false });
  expect(view.creatures.map(({ id, initiative, hp, side }) => [id, initiative, hp, side])).toEqual([
    ["aria", 24, 20, "party"],
    ["orc-1", 5, 30, "foes"],
    ["orc-2", 5, 30, "foes"],
  ]);
});

test("a sheet without hit points now fights with all of them", () => {
  const { currentHP: _, ...rested } = aria;
  const view = encounters.start("ann", { ...fight, party: [rested] }, order);
  expect(creatureOf(view, "aria")).toMatchObject({ hp: 20 });
});

test("no two creatures have one id, whatever their names are", () => {
  const foes = ["Goblin 1", "Goblin", "Goblin"].map((name) => ({ ...orc, name }));
  const view = encounters.start("ann", { ...fight, foes }, { values: [20, 5, 4] });
  expect(view.creatures.map(({ id }) => id)).toEqual(["aria", "goblin-1", "goblin-2", "goblin-3"]);
});

test.each([
  ["1d6+2", 2, [4], 8],
  ["1d6 + 2", 0, [4], 6],
  ["d6", 1, [4], 5],
  ["2d6+1d4", 0, [4, 3, 2], 9],
  ["1d6 - 1", 3, [4], 6],
  ["3", 2, [], 5],
  ["", 3, [], 4],
  [2, undefined, [], 2],
] as const)("a foe's damage of %s and %s is read", (damageDice, damageBonus, dice, total) => {
  const foe = { ...orc, damageDice, damageBonus };
  const view = encounters.start("ann", { ...fight, foes: [foe] }, { values: [5, 20] });
  const strike = attack({ actor: "orc", weapon: "Attack", target: "Aria", attack: "reaction" });
  const hit = encounters.act(at(view), strike, { values: [15, ...dice] });
  expect(hit.damage?.totalDamage).toBe(total);
});

test.each([
  ["damageDice", "a lot"],
  ["damageDice", "4d6kh3"],
  ["damageDice", "1d6-1d4"],
  ["damageDice", "100"],
  ["damageBonus", 300],
  ["attackBonus", 400],
])("a foe's %s of %s is refused by its path", (field, value) => {
  const foes = [orc, { ...orc, [field]: value }];
  expect(refusal(() => encounters.start("ann", { ...fight, foes }, order))).toMatchObject({
    reason: "bad_foe",
    data: { field: `foes[1].${field}` },
  });
});

test("an attack applies its changes, makes a version and takes the action", () => {
  const view = encounters.start("ann", fight, order);
  const hit = encounters.act(at(view, 1), attack(), { values: [15, 8] });
  expect(hit).toMatchObject({
    success: true,
    total: 22,
    encounter: { version: 2, round: 1, turn: "aria", events: [] },
  });
  expect(hit.changes).toContainEqual(expect.objectContaining({ id: "orc-1", field: "currentHp", value: 18 }));
  const after = encounters.view(at(view));
  expect(creatureOf(after, "orc-1").hp).toBe(18);
  expect(after.actions).toEqual({ attacks: 0, bonus: true });
  expect(refusal(() => encounters.act(at(view), attack(), undefined))).toEqual({
    reason: "action_spent",
    data: { actor: "aria", what: "action" },
  });
  expect(encounters.act(at(view), attack({ weapon: "Dagger", attack: "bonus" }), { values: [2] }).success).toBe(false);
  expect(
    refusal(() => encounters.act(at(view), attack({ weapon: "Dagger", attack: "bonus" }), undefined)),
  ).toMatchObject({
    data: { what: "bonus action" },
  });
});

test("who has no turn may not act, but may react once", () => {
  const view = encounters.start("ann", fight, order);
  const strike = attack({ actor: "orc-2", weapon: "Attack", target: "Aria" });
  expect(refusal(() => encounters.act(at(view), strike, undefined))).toEqual({
    reason: "out_of_turn",
    data: { actor: "orc-2", turn: "aria" },
  });
  const react = attack({ actor: "orc-2", weapon: "Attack", target: "Aria", attack: "reaction" });
  expect(encounters.act(at(view), react, { values: [10, 12] })).toMatchObject({
    total: 15,
    damage: { totalDamage: 15 },
    encounter: { events: ["Aria has 5 of 20 hit points left"] },
  });
  expect(refusal(() => encounters.act(at(view), react, undefined))).toMatchObject({ data: { what: "reaction" } });
  expect(refusal(() => encounters.act(at(view), attack({ actor: "Bob" }), undefined))).toEqual({
    reason: "unknown_actor",
    data: { name: "Bob", known: ["aria", "orc-1", "orc-2"] },
  });
  expect(refusal(() => encounters.act(at(view), attack({ actor: "Orc" }), undefined))).toMatchObject({
    data: { known: ["orc-1", "orc-2"] },
  });
});

test("a character drops, makes death saves and dies; a monster dies at once", () => {
  const view = encounters.start("ann", fight, order);
  encounters.act(at(view), attack(), { values: [20, 8, 8] });
  encounters.change(at(view), { type: "end_turn" });
  const down = encounters.act(at(view), attack({ weapon: "Attack", target: "Aria" }), { values: [20, 12, 5] });
  expect(down.encounter.events).toEqual(["Aria drops to 0 hit points and is unconscious"]);
  expect(down.changes).toContainEqual(
    expect.objectContaining({ id: "aria", field: "conditions", value: "Unconscious" }),
  );
  encounters.change(at(view), { type: "end_turn" });
  const saved = encounters.change(at(view), { type: "end_turn", dice: { values: [4] } });
  expect(saved.events).toEqual(["Aria's death save, 4: A failure"]);
  expect(saved).toMatchObject({ round: 2, turn: "orc-1" });
  expect(creatureOf(saved, "aria").deathSaves).toEqual({ successes: 0, failures: 1 });
  expect(refusal(() => encounters.act(at(view), attack({ actor: "aria", attack: "reaction" }), undefined))).toEqual({
    reason: "cannot_act",
    data: { actor: "aria", why: "is at 0 hit points" },
  });
  const struck = encounters.act(at(view), attack({ weapon: "Attack", target: "Aria" }), { values: [15, 14, 1, 2] });
  expect(struck.damage?.isCrit).toBe(true);
  expect(creatureOf(encounters.view(at(view)), "aria").conditions).toContain("Dead");
  expect(encounters.change(at(view), { type: "end_turn" }).turn).toBe("orc-2");
  expect(encounters.change(at(view), { type: "end_turn" }).turn).toBe("orc-1");
});

test("a monster that drops to 0 is dead", () => {
  const weak = { ...orc, name: "Rat", currentHp: 1, maxHp: 1 };
  const view = encounters.start("ann", { ...fight, foes: [weak] }, order);
  const hit = encounters.act(at(view), attack({ target: "Rat" }), { values: [15, 3] });
  expect(hit.encounter.events).toEqual(["Rat dies"]);
  expect(creatureOf(encounters.view(at(view)), "rat").conditions).toEqual(["Dead"]);
  expect(encounters.change(at(view), { type: "end_turn" })).toMatchObject({ turn: "aria", round: 2 });
});

test("two callers cannot both act on one version, and a refused call changes nothing", () => {
  const view = encounters.start("ann", fight, order);
  encounters.act(at(view, 1), attack(), undefined);
  expect(refusal(() => encounters.act(at(view, 1), attack(), undefined))).toEqual({
    reason: "stale_version",
    data: { sent: 1, current: 2 },
  });
  const other = open();
  try {
    encounters.change(at(view, 2), { type: "end_turn" });
    expect(refusal(() => other.change(at(view, 2), { type: "end_turn" }))).toMatchObject({ data: { current: 3 } });
    expect(other.view(at(view))).toEqual(encounters.view(at(view)));
  } finally {
    other.close();
  }
  expect(refusal(() => encounters.act(at(view), attack({ weapon: "Axe" }), undefined)).reason).toBe("unknown_weapon");
  expect(encounters.view(at(view)).version).toBe(3);
});

test("an encounter is its caller's alone", () => {
  const view = encounters.start("ann", fight, order);
  const stranger = { handle: view.encounter, principal: "bob" };
  expect(refusal(() => encounters.view(stranger))).toEqual({
    reason: "unknown_encounter",
    data: { encounter: view.encounter },
  });
  expect(refusal(() => encounters.log(stranger)).reason).toBe("unknown_encounter");
  expect(refusal(() => encounters.view({ handle: "fight-none", principal: "ann" })).reason).toBe("unknown_encounter");
});

test("an undo takes back one call after another, down to the start", () => {
  const view = encounters.start("ann", fight, order);
  const react = attack({ actor: "orc-1", weapon: "Attack", target: "Aria", attack: "reaction" });
  encounters.act(at(view), attack(), { values: [15, 8] });
  encounters.act(at(view), react, { values: [15, 8] });
  const once = encounters.change(at(view), { type: "undo" });
  expect(once.version).toBe(4);
  expect([creatureOf(once, "aria").hp, creatureOf(once, "orc-1").reaction, creatureOf(once, "orc-1").hp]).toEqual([
    20,
    true,
    18,
  ]);
  const twice = encounters.change(at(view), { type: "undo" });
  expect({ ...twice, version: 1 }).toEqual(view);
  expect(refusal(() => encounters.change(at(view), { type: "undo" })).reason).toBe("nothing_to_undo");
});

test("an ended encounter can be read, and nothing else", () => {
  const view = encounters.start("ann", fight, order);
  expect(encounters.change(at(view), { type: "end" }).over).toBe(true);
  expect(refusal(() => encounters.act(at(view), attack(), undefined)).reason).toBe("encounter_over");
  expect(refusal(() => encounters.change(at(view), { type: "end_turn" })).reason).toBe("encounter_over");
  expect(encounters.change(at(view), { type: "undo" }).over).toBe(false);
});

test("it survives a restart, and fifty rounds replay byte for byte", () => {
  const rounds = inLongTier ? 50 : 8;
  const hardy = { ...orc, currentHp: 2_000, maxHp: 2_000 };
  const tough = { ...aria, maxHP: 1_000, currentHP: 1_000 };
  const view = encounters.start("ann", { ...fight, party: [tough], foes: [hardy, hardy] }, { seed: "fifty" });
  for (let turn = 0; turn < 3 * rounds; turn += 1) {
    const { turn: actor } = encounters.view(at(view));
    const isAria = actor === "aria";
    encounters.act(at(view), attack(isAria ? {} : { weapon: "Attack", target: "Aria" }), undefined);
    encounters.change(at(view), { type: "end_turn" });
  }
  const before = encounters.view(at(view));
  expect(before.round).toBe(rounds + 1);
  encounters.close();
  encounters = open();
  expect(encounters.view(at(view))).toEqual(before);
  const log = encounters.log(at(view));
  expect(log).toMatchObject({ proved: true });
  expect(log.entries).toHaveLength(6 * rounds + 1);
});

test.each([
  ["is answered otherwise", { type: "end_turn" }],
  ["is refused", { type: "undo" }],
] as const)("a fight of which a stored call %s today is outdated, and its log says so", (_, call) => {
  const view = encounters.start("ann", fight, order);
  const store = openEncounterStore(folder);
  store.append(view.encounter, { version: 2, call, answer: "of other rules" });
  store.close();
  const outdated = { reason: "encounter_outdated", data: { encounter: view.encounter, version: 2 } };
  expect(refusal(() => encounters.view(at(view)))).toEqual(outdated);
  expect(refusal(() => encounters.change(at(view), { type: "end" }))).toEqual(outdated);
  const log = encounters.log(at(view));
  expect([log.proved, ...log.entries.map(({ proved }) => proved)]).toEqual([false, true, false]);
});

test("a fight takes so many calls, and its end", () => {
  encounters.close();
  encounters = createEncounters(openEncounterStore(folder), findMonster, 2);
  const view = encounters.start("ann", fight, order);
  encounters.change(at(view), { type: "end_turn" });
  const full = { reason: "encounter_full", data: { most: 2 } };
  expect(refusal(() => encounters.change(at(view), { type: "end_turn" }))).toEqual(full);
  expect(encounters.change(at(view), { type: "end" })).toMatchObject({ version: 3, over: true });
  expect(refusal(() => encounters.change(at(view), { type: "undo" }))).toEqual(full);
});

test("monsters of the SRD come by name, and act by the same plan", () => {
  const view = encounters.start("ann", { ...fight, foes: ["goblin", "Goblin", "Werewolf"] }, { values: [20, 15, 5] });
  expect(view.creatures.map(({ id, initiative, ac, hp, attacks }) => [id, initiative, ac, hp, attacks])).toEqual([
    ["aria", 24, 15, 20, ["Rapier", "Dagger", "Unarmed Strike"]],
    ["goblin-1", 17, 15, 7, ["Scimitar", "Shortbow", "Unarmed Strike"]],
    ["goblin-2", 17, 15, 7, ["Scimitar", "Shortbow", "Unarmed Strike"]],
    ["werewolf", 6, 11, 58, ["Bite", "Claws", "Spear", "Unarmed Strike"]],
  ]);
  encounters.change(at(view), { type: "end_turn" });
  const hit = encounters.act(at(view), attack({ weapon: "scimitar", target: "Aria" }), { values: [11, 6] });
  expect(hit).toMatchObject({
    components: "DEX +2, Prof +2 = +4",
    total: 15,
    success: true,
    damage: { totalDamage: 8 },
  });
});

test("what resists weapons that are not magical is hurt in full by magic and by silver", () => {
  const armed = {
    ...aria,
    inventory: ["Rapier", "Rapier +1", "Silvered Rapier"],
    weaponDamage: {
      "Silvered Rapier": { dice: "1d8", stat: "finesse" as const, bonus: 0, damageType: "piercing" as const },
    },
  };
  const damageBy = (weapon: string): number | undefined => {
    const view = encounters.start(
      "ann",
      { ...fight, party: [armed], foes: ["Werewolf", "Wight"] },
      { values: [20, 5, 4] },
    );
    const immune = encounters.act(at(view), attack({ weapon, target: "Werewolf" }), { values: [15, 6] });
    return immune.damage?.totalDamage;
  };
  expect([damageBy("Rapier"), damageBy("Rapier +1"), damageBy("Silvered Rapier")]).toEqual([0, 11, 10]);
});

test("a breath is listed with its numbers, for the saving throws of those in it", () => {
  const view = encounters.start("ann", { ...fight, foes: ["Adult Red Dragon"] }, order);
  expect(creatureOf(view, "adult-red-dragon").effects).toContainEqual({
    name: "Fire Breath",
    ability: "dexterity",
    dc: 21,
    dice: "18d6",
    damageType: "fire",
    onSuccess: "half",
    recharge: 5,
    ready: true,
  });
  expect(creatureOf(view, "adult-red-dragon").initiative).toBe(5);
  const burnt = encounters.act(
    at(view),
    {
      procedure: "savingThrow",
      actor: "aria",
      intent: { ability: "dexterity", dc: 21, source: "Fire Breath" },
      scene: { ...noScene, incoming: { dice: "18", damageType: "fire", onSuccess: "half" } },
    },
    { values: [2] },
  );
  expect(burnt).toMatchObject({ success: false, damage: { totalDamage: 18 } });
  expect(creatureOf(encounters.view(at(view)), "aria").hp).toBe(2);
});
