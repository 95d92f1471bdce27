/** The Shield spell on a creature: a mark among its conditions, from its casting until the start of its next turn. */
import type { Npc } from "@fairlead/contracts/rules";
import type { Cause } from "../result/trace.ts";
import { hasCondition } from "../sheet/character.ts";

export const shieldMark = "Shield";

/** What it adds to the Armor Class. */
export const shieldBonus = 5;

export const shieldSpell = (creature: Pick<Npc, "name" | "conditions">): Cause | undefined =>
  hasCondition(creature, shieldMark) ? { rule: "shield-spell", why: `${creature.name} is shielded` } : undefined;
