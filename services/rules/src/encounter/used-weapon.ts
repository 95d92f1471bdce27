/** The weapon that an attack in a fight is made with, for creatures that only magic or a metal hurts. */
import type { AttackIntent } from "@fairlead/contracts/rules";
import type { Creature, UsedWeapon } from "../creatures/creature.ts";
import { isMagical } from "../rules/defender.ts";
import { matchName } from "../sheet/names.ts";
import { intendedSpell } from "../sheet/spell-name.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import type { EncounterState } from "./state.ts";

/** `undefined` for a spell and what rolls no attack. */
export const usedWeapon = (state: EncounterState, actor: Creature, intent: AttackIntent): UsedWeapon | undefined => {
  const { edition } = state;
  const { sheet } = actor;
  const found = matchName(intent.weapon, weaponsAtHand({ player: sheet, edition }));
  if (found.kind !== "one" || intendedSpell({ player: sheet, edition }, intent, [found.found]) !== undefined)
    return undefined;
  const weapon = found.found.value;
  return { name: weapon.name, magical: isMagical(sheet, weapon, actor.body.traits) };
};
