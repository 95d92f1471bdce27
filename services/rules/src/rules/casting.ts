/** Whether a spell can be cast at a target, with which ability, and what slot it costs. */
import type { Ability, Change, Game, Npc } from "@fairlead/contracts/rules";
import { classCastingAbility } from "../data/classes.ts";
import { fold } from "../names.ts";
import { cannotAct, charmedBy, effect } from "./character.ts";
import { chooseSlot } from "./slots.ts";

export type Casting =
  | {
      readonly ok: true;
      readonly ability: Ability;
      /** Level the spell is cast at; 0 for a cantrip. */
      readonly slotLevel: number;
      /** The slot spent; none for a cantrip and for the later rays of a spell already cast. */
      readonly spends: readonly Change[];
      /** True when this is about a spell already cast this turn. */
      readonly later: boolean;
    }
  | { readonly ok: false; readonly why: string };

interface Spell {
  readonly name: string;
  readonly level: number;
  readonly range: number | undefined;
}

export const castingOf = (game: Game, spell: Spell, target: Npc): Casting => {
  const { player, scene } = game;
  const no = (why: string): Casting => ({ ok: false, why });
  const idle = cannotAct(player);
  if (idle !== undefined) return no(`${player.name} ${idle} and cannot cast a spell`);
  if (effect(player, "Rage") !== undefined) return no(`${player.name} is raging and cannot cast a spell`);
  const charm = charmedBy(player, target);
  if (charm !== undefined) return no(charm);
  const { cover, distance = 0, name } = target;
  if (cover === "total") return no(`${name} has total cover and cannot be targeted`);
  if (spell.range !== undefined && distance > spell.range) {
    return no(`${name} is ${distance} feet away, beyond the range of ${spell.range} feet`);
  }
  const ability = player.spellcastingAbility ?? classCastingAbility(fold(player.characterClass));
  if (ability === undefined) return no(`${player.name} has no spellcasting ability`);
  const later = scene.usedThisTurn.some((used) => fold(used) === fold(spell.name));
  if (spell.level === 0 || later) {
    const slotLevel = spell.level === 0 ? 0 : Math.max(spell.level, scene.slotLevel ?? 0);
    return { ok: true, ability, slotLevel, spends: [], later };
  }
  const slot = chooseSlot(game, scene.slotLevel, spell.level);
  if (!slot.ok) return no(`${spell.name} needs a spell slot: ${slot.why}`);
  return { ok: true, ability, slotLevel: slot.level, spends: [slot.change], later };
};

/** The change that makes later rays, or later targets of the same casting, cost nothing more. */
export const alreadyCast = ({ player }: Game, spell: Spell): Change => ({
  who: player.name,
  field: "scene.usedThisTurn",
  op: "add",
  value: spell.name,
  why: "what else this casting does costs nothing more",
});
