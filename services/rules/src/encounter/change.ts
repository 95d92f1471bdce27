/**
 * Applies the changes of a result to the creatures of an encounter. A change that no field takes is a fault of this code: it throws instead of
 * being passed over.
 */
import type { Change, Player } from "@fairlead/contracts/rules";
import type { Creature } from "../creatures/creature.ts";
import { sameName } from "../sheet/names.ts";

/** What was changed, and what was used this turn. */
interface ChangedCreatures {
  readonly creatures: readonly Creature[];
  readonly usedThisTurn: readonly string[];
}

/** A change without an id is about the actor. */
export const applyChanges = (state: ChangedCreatures, actor: string, changes: readonly Change[]): ChangedCreatures =>
  changes.reduce(({ creatures, usedThisTurn }, change) => {
    if (change.field === "scene.usedThisTurn")
      return { creatures, usedThisTurn: [...usedThisTurn, String(change.value)] };
    const id = change.id ?? actor;
    return { usedThisTurn, creatures: creatures.map((one) => (one.id === id ? changeCreature(one, change) : one)) };
  }, state);

const changeCreature = (creature: Creature, change: Change): Creature => {
  const { sheet, deathSaves } = creature;
  const { field, value } = change;
  if (field === "deathSaveFailures")
    return { ...creature, deathSaves: { ...deathSaves, failures: Math.min(3, deathSaves.failures + Number(value)) } };
  const wakes = numbers[field] === "currentHP" && sheet.currentHP === 0 && Number(value) > 0;
  return {
    ...creature,
    ...(wakes && { deathSaves: { successes: 0, failures: 0 } }),
    sheet: changeSheet(sheet, change),
  };
};

/** Creatures' hit points are spelled otherwise than characters'. */
const numbers: Readonly<Record<string, "currentHP" | "maxHP" | "temporaryHP">> = {
  currentHP: "currentHP",
  currentHp: "currentHP",
  maxHp: "maxHP",
  temporaryHP: "temporaryHP",
  temporaryHp: "temporaryHP",
};

const changeSheet = (sheet: Player, { field, op, value }: Change): Player => {
  const number = numbers[field];
  if (number !== undefined) return { ...sheet, [number]: Number(value) };
  const [list, level] = field.split(".");
  if (list === "spellSlotsUsed" && level !== undefined)
    return { ...sheet, spellSlotsUsed: { ...sheet.spellSlotsUsed, [level]: Number(value) } };
  const name = String(value);
  switch (field) {
    case "conditions":
      return { ...sheet, conditions: changeNames(sheet.conditions, op, name) };
    case "usedSinceRest":
      return { ...sheet, usedSinceRest: changeNames(sheet.usedSinceRest, op, name) };
    case "effects":
      return changeEffects(sheet, op, name);
    default:
      throw new TypeError(`no creature has the field ${field}`);
  }
};

const changeNames = (names: readonly string[], op: Change["op"], value: string): string[] => {
  const others = names.filter((name) => !sameName(name, value));
  return op === "remove" ? others : [...others, value];
};

/** "Vex: goblin-1" is an effect and its target; "Sap" of an attacker is the condition "Sapped" that a hit left on it. */
const changeEffects = (sheet: Player, op: Change["op"], value: string): Player => {
  const [name = "", target] = value.split(": ");
  const others = (sheet.effects ?? []).filter(
    (effect) => !(sameName(effect.name, name) && (target === undefined || effect.target === target)),
  );
  const effects = op === "remove" ? others : [...others, { name, ...(target !== undefined && { target }) }];
  const conditions =
    op === "remove" && name === "Sap" ? changeNames(sheet.conditions, "remove", "Sapped") : sheet.conditions;
  return { ...sheet, conditions, ...(sheet.effects === undefined && effects.length === 0 ? {} : { effects }) };
};
