/** Actions that wait for a reaction: who is asked, what an answer changes, and what may not be done before it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncounterView, game, type StartEncounterInput } from "@fairlead/contracts/rules";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import type { EncounterAction } from "../encounter/act.ts";
import { createEncounters, type Encounters } from "../encounter/encounters.ts";
import { noScene } from "../encounter/scene.ts";
import { openEncounterStore } from "../encounter/store.ts";
import { isRefusal } from "../result/refusal.ts";
import { describeRule, runCases } from "../testing/case.ts";

type Edition = StartEncounterInput["edition"];

const { player: mage, rulings } = game.parse({
  player: {
    name: "Mia",
    characterClass: "Wizard",
    level: 5,
    currentHP: 30,
    maxHP: 30,
    armorClass: 12,
    stats: { dexterity: 14, constitution: 10, intelligence: 16 },
    knownSpells: ["Shield", "Counterspell", "Magic Missile", "Fireball"],
    cantrips: ["Fire Bolt"],
  },
});
const { player: rogue } = game.parse({
  player: {
    ...mage,
    name: "Rob",
    characterClass: "Rogue",
    knownSpells: [],
    cantrips: [],
    features: [{ name: "Uncanny Dodge" }],
  },
});
const { player: warlock } = game.parse({
  player: {
    ...mage,
    name: "Vex",
    characterClass: "Sorcerer",
    level: 9,
    stats: { charisma: 18, constitution: 10 },
    knownSpells: ["Magic Missile", "Fireball", "Cone of Cold"],
  },
});
const orc = game.parse({
  player: mage,
  npcs: [{ name: "Orc", ac: 13, currentHp: 30, maxHp: 30, attackBonus: 5, damageDice: "1d12", damageBonus: 3 }],
}).npcs[0];
if (orc === undefined) throw new Error("no orc");

let folder: string;
let encounters: Encounters;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-reaction-"));
  encounters = createEncounters(openEncounterStore(folder), findMonster);
});
afterEach(() => {
  encounters.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = ({ encounter }: EncounterView) => ({ handle: encounter, principal: "ann" });

const strike = (
  weapon: string,
  target: string,
  more: { readonly actor?: string; readonly slotLevel?: number; readonly attackerUnseen?: boolean } = {},
): EncounterAction => {
  const { actor, ...scene } = more;
  return {
    procedure: "attack",
    intent: { weapon, target },
    scene: { ...noScene, ...scene },
    ...(actor !== undefined && { actor }),
  };
};
const none: EncounterAction = { procedure: "noCheck", reason: "no reaction" };

const refusal = (run: () => unknown) => {
  try {
    run();
  } catch (thrown) {
    if (isRefusal(thrown)) return { reason: thrown.reason, data: thrown.data };
    throw thrown;
  }
  return expect.fail("nothing was refused");
};
const creature = (view: EncounterView, id: string) =>
  encounters.view(at(view)).creatures.find((one) => one.id === id) ?? expect.fail(`no ${id}`);

/** The orc or the sorcerer is first. */
const begin = (party: StartEncounterInput["party"], foes: StartEncounterInput["foes"], edition: Edition = "5.1") =>
  encounters.start(
    "ann",
    { edition, party, foes, rulings },
    { values: [...party.map(() => 1), ...foes.map(() => 20)] },
  );

const shieldOfMia = { actor: "mia", weapon: "Shield", to: "Orc hits Mia with 16 against AC 12" };

describe(describeRule("Shield", "shield-spell"), () => {
  test("a hit waits, its damage unseen, and Shield turns it into a miss", () => {
    const view = begin([mage], [orc]);
    const waiting = encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9] });
    expect(waiting).toMatchObject({ success: true, total: 16, changes: [], encounter: { reactions: [shieldOfMia] } });
    expect(waiting.damage).toBeUndefined();
    expect(waiting.raw).toContain("DAMAGE: N/A");
    expect(waiting.dice?.draws.map(({ value }) => value)).toEqual([11]);
    expect(creature(view, "mia").hp).toBe(30);
    expect(encounters.view(at(view)).reactions).toEqual([shieldOfMia]);
    const turned = encounters.act(at(view), strike("Shield", "Mia", { actor: "mia" }), undefined);
    expect(turned).toMatchObject({ success: false, total: 16, dcOrAc: "17" });
    expect(turned.encounter.events).toEqual(["Mia casts Shield: Armor Class 17 until the start of its next turn"]);
    expect(turned.encounter.reactions).toBeUndefined();
    expect(creature(view, "mia")).toMatchObject({ hp: 30, reaction: false, slots: { "1": 3 }, conditions: ["Shield"] });
    expect(encounters.view(at(view)).actions.attacks).toBe(0);
    expect(encounters.log(at(view)).proved).toBe(true);
  });

  test("without it the hit happens, with the damage that was rolled", () => {
    const view = begin([mage], [orc]);
    encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9] });
    expect(encounters.act(at(view), none, undefined)).toMatchObject({ success: true, damage: { totalDamage: 12 } });
    expect(creature(view, "mia")).toMatchObject({ hp: 18, reaction: true, slots: { "1": 4 } });
  });

  test("the mark counts until the start of its bearer's next turn, and who has used the reaction is not asked", () => {
    const view = begin([mage], [orc, orc]);
    encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9] });
    encounters.act(at(view), strike("Shield", "Mia", { actor: "mia" }), undefined);
    encounters.change(at(view), { type: "end_turn" });
    const second = encounters.act(at(view), strike("Attack", "Mia"), { values: [12, 9] });
    expect(second).toMatchObject({ success: true, total: 17, dcOrAc: "17", damage: { totalDamage: 12 } });
    const own = encounters.change(at(view), { type: "end_turn" });
    expect([own.turn, own.events]).toEqual(["mia", ["Shield of Mia is over"]]);
    expect(creature(view, "mia")).toMatchObject({ conditions: [], reaction: true });
  });

  test("it stops the darts of Magic Missile", () => {
    const view = begin([mage], [warlock]);
    encounters.act(at(view), strike("Magic Missile", "Mia"), { values: [4] });
    encounters.act(at(view), none, undefined);
    expect(encounters.view(at(view)).reactions).toMatchObject([{ weapon: "Shield", to: "a dart of Vex" }]);
    const stopped = encounters.act(at(view), strike("Shield", "Mia", { actor: "mia" }), undefined);
    expect(stopped).toMatchObject({ damage: { totalDamage: 0 } });
    expect(encounters.act(at(view), strike("Magic Missile", "Mia"), { values: [4] }).damage?.totalDamage).toBe(0);
    expect(creature(view, "mia").hp).toBe(30);
  });

  test("who has no slot, cannot act or does not know it is not asked", () => {
    const full = { "1": 4, "2": 3, "3": 2 };
    for (const unable of [{ spellSlotsUsed: full }, { conditions: ["Stunned"] }, { knownSpells: [] }]) {
      const view = begin([{ ...mage, ...unable }], [orc]);
      const hit = encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9, 9] });
      expect(hit.encounter.reactions).toBeUndefined();
      expect(hit.damage).toBeDefined();
    }
  });

  test("a slot that is not there is impossible, and the question stays", () => {
    const view = begin([mage], [orc]);
    encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9] });
    const none = encounters.act(at(view), strike("Shield", "Mia", { actor: "mia", slotLevel: 9 }), undefined);
    expect(none).toMatchObject({ impossible: true, encounter: { reactions: [shieldOfMia] } });
    expect(creature(view, "mia")).toMatchObject({ reaction: true, slots: { "1": 4 } });
  });
});

describe(describeRule("Uncanny Dodge", "uncanny-dodge"), () => {
  test("halves the damage of an attack, before resistances", () => {
    const tough = { ...rogue, resistances: ["slashing" as const] };
    const view = begin([tough], [{ ...orc, damageDice: "1d12" }]);
    encounters.act(at(view), strike("Attack", "Rob"), { values: [11, 12] });
    const dodged = encounters.act(at(view), strike("Uncanny Dodge", "Rob", { actor: "rob" }), undefined);
    expect(dodged).toMatchObject({ success: true, damage: { totalDamage: 7 } });
    expect(dodged.notes).toContain("Uncanny Dodge leaves 7");
    expect(dodged.rules).toContainEqual(
      expect.objectContaining({ rule: "uncanny-dodge", source: "SRD 5.1, Rogue: Uncanny Dodge" }),
    );
    expect(creature(view, "rob")).toMatchObject({ hp: 23, reaction: false });
  });

  test("is for an attacker that can be seen", () => {
    const view = begin([rogue], [orc]);
    const hit = encounters.act(at(view), strike("Attack", "Rob", { attackerUnseen: true }), { values: [11, 11, 12] });
    expect(hit.damage?.totalDamage).toBe(15);
  });
});

describe(describeRule("Counterspell", "counterspell"), () => {
  test("5.1: a slot as high as the spell's stops it at once, and both are spent", () => {
    const view = begin([mage], [warlock]);
    const cast = encounters.act(at(view), strike("Fireball", "Mia"), undefined);
    expect(cast).toMatchObject({
      total: 0,
      success: false,
      rules: [],
      encounter: { reactions: [{ actor: "mia", weapon: "Counterspell" }] },
    });
    expect(cast.dice?.draws).toEqual([]);
    const stopped = encounters.act(at(view), strike("Counterspell", "Vex", { actor: "mia" }), undefined);
    expect(stopped).toMatchObject({ checkType: "Counterspell", success: true, dieResult: 0 });
    expect(creature(view, "mia")).toMatchObject({ hp: 30, slots: { "3": 1 }, reaction: false });
    expect(creature(view, "vex").slots).toMatchObject({ "3": 2 });
    expect(refusal(() => encounters.act(at(view), strike("Fireball", "Mia"), undefined)).reason).toBe("action_spent");
  });

  test.each([
    [12, true],
    [11, false],
  ])("5.1: against a spell of level 5 with a slot of level 3, a check of %i and +3 against DC 15", (die, countered) => {
    const view = begin([mage], [warlock]);
    encounters.act(at(view), strike("Cone of Cold", "Mia"), { seed: "cold" });
    const answered = encounters.act(at(view), strike("Counterspell", "Vex", { actor: "mia" }), { values: [die] });
    expect(answered.checkType === "Counterspell").toBe(countered);
    expect(creature(view, "mia").hp < 30).toBe(!countered);
    expect(creature(view, "vex").slots).toMatchObject({ "5": 0 });
  });

  test.each([
    [13, false, 2],
    [14, false, 2],
    [15, true, 2],
  ])("5.2: a Constitution save of %i and +0 against DC 14", (die, _, left) => {
    const view = begin([mage], [warlock], "5.2");
    encounters.act(at(view), strike("Fireball", "Mia"), { seed: "fire" });
    const answered = encounters.act(at(view), strike("Counterspell", "Vex", { actor: "mia" }), { values: [die] });
    const countered = die < 14;
    expect(answered.checkType === "Counterspell").toBe(countered);
    expect(creature(view, "vex").slots?.["3"]).toBe(countered ? left + 1 : left);
  });

  test("a friend's spell asks for no reaction", () => {
    const view = begin([mage, { ...warlock, name: "Val" }], [orc]);
    encounters.change(at(view), { type: "end_turn" });
    while (encounters.view(at(view)).turn !== "val") encounters.change(at(view), { type: "end_turn" });
    expect(encounters.act(at(view), strike("Fireball", "Orc"), undefined).encounter.reactions).toBeUndefined();
  });
});

describe("while an action waits", () => {
  test("nothing else may be done, by its name", () => {
    const view = begin([mage], [orc]);
    encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9] });
    const unanswered = { reason: "unanswered_reaction", data: { reactions: [{ actor: "mia", weapon: "Shield" }] } };
    const others: readonly EncounterAction[] = [
      strike("Attack", "Mia"),
      strike("Counterspell", "Orc", { actor: "mia" }),
      { procedure: "savingThrow", intent: { ability: "dexterity", dc: 10 }, scene: noScene },
      { procedure: "impossible", reason: "no" },
    ];
    for (const other of others) expect(refusal(() => encounters.act(at(view), other, undefined))).toEqual(unanswered);
    expect(refusal(() => encounters.change(at(view), { type: "end_turn" }))).toEqual(unanswered);
    expect(encounters.change(at(view), { type: "end" })).toMatchObject({ over: true });
    expect(encounters.view(at(view)).reactions).toBeUndefined();
  });

  test("an undo takes back the answer, then the action; and a restart keeps the question", () => {
    const view = begin([mage], [orc]);
    encounters.act(at(view), strike("Attack", "Mia"), { values: [11, 9] });
    encounters.act(at(view), strike("Shield", "Mia", { actor: "mia" }), undefined);
    const asked = encounters.change(at(view), { type: "undo" });
    expect(asked.reactions).toEqual([shieldOfMia]);
    expect(creature(view, "mia")).toMatchObject({ reaction: true, conditions: [], slots: { "1": 4 } });
    encounters.close();
    encounters = createEncounters(openEncounterStore(folder), findMonster);
    expect(encounters.view(at(view)).reactions).toEqual([shieldOfMia]);
    expect(encounters.act(at(view), none, undefined).damage?.totalDamage).toBe(12);
    encounters.change(at(view), { type: "undo" });
    const before = encounters.change(at(view), { type: "undo" });
    expect(before.reactions).toBeUndefined();
    expect(before.actions.attacks).toBe(1);
  });
});

runCases("the mark of Shield in a game by value", "shield-spell", [
  {
    name: "5 more to reach, which no cover changes",
    player: { inventory: ["Club"] },
    npc: { ac: 12, conditions: ["Shield"], cover: "half" },
    dice: [16],
    want: { ac: "19", success: false, rules: ["shield-spell", "cover"] },
  },
  {
    name: "Magic Missile does nothing to it",
    player: { characterClass: "Wizard", knownSpells: ["Magic Missile"] },
    npc: { conditions: ["Shield"] },
    attack: { weapon: "Magic Missile" },
    dice: [],
    want: { damage: 0, notes: /shielded/, rules: ["shield-spell"] },
  },
]);
