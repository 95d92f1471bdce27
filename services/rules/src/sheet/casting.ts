/** Whether a spell can be cast at a target, with which ability, and what slot it costs. */
import type { Ability, Change, Game, Npc } from "@fairlead/contracts/rules";
import { classCastingAbility } from "../data/classes.ts";
import { untrainedArmor } from "./armor.ts";
import { cannotAct, charmedBy, hasCondition } from "./character.ts";
import { classLevels } from "./class-levels.ts";
import { fold } from "./names.ts";
import { areaObstacle, castingLevel, findOngoing, markArea, ongoingCasting, writeCasting } from "./ongoing.ts";
import { isRaging } from "./rage.ts";
import { chooseSlot } from "./spell-slots.ts";
import { markUsed } from "./spending.ts";

/** The sheet's, or that of the casting class with the most levels. */
export const castingAbility = (player: Game["player"]): Ability | undefined =>
  player.spellcastingAbility ??
  [...classLevels(player)]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => classCastingAbility(name))
    .find((ability) => ability !== undefined);

type Casting =
  | {
      readonly ok: true;
      readonly ability: Ability;
      /** Level the spell is cast at; 0 for a cantrip. */
      readonly slotLevel: number;
      /** The slot spent; none for a cantrip and for the later rays of a spell already cast. */
      readonly spends: readonly Change[];
      /** True when this is about a spell already cast, in this turn or in one before. */
      readonly later: boolean;
    }
  | { readonly ok: false; readonly why: string };

interface Spell {
  readonly name: string;
  readonly level: number;
  readonly range: number | undefined;
}

/** Why a character who can act cannot cast any spell; `undefined` when nothing prevents it. */
export const castingObstacle = (game: Game): string | undefined => {
  const { name } = game.player;
  if (isRaging(game)) return `${name} is raging and cannot cast a spell`;
  const worn = untrainedArmor(game);
  return worn === undefined ? undefined : `${name} is not trained with ${worn} and cannot cast a spell in it`;
};

export const planCasting = (game: Game, spell: Spell, target: Npc): Casting => {
  const { player, scene } = game;
  const no = (why: string): Casting => ({ ok: false, why });
  const idle = cannotAct(player);
  if (idle !== undefined) return no(`${player.name} ${idle} and cannot cast a spell`);
  const hindered = castingObstacle(game);
  if (hindered !== undefined) return no(hindered);
  const charm = charmedBy(player, target);
  if (charm !== undefined) return no(charm);
  const { cover, distance = 0, name } = target;
  if (cover === "total") return no(`${name} has total cover and cannot be targeted`);
  if (spell.range !== undefined && distance > spell.range) {
    return no(`${name} is ${distance} feet away, beyond the range of ${spell.range} feet`);
  }
  const ability = castingAbility(player);
  if (ability === undefined) return no(`${player.name} has no spellcasting ability`);
  const later = scene.usedThisTurn.some((used) => fold(used) === fold(spell.name));
  const ongoing = later ? undefined : ongoingCasting(game, spell.name);
  if (ongoing?.cost === "none") {
    const done = areaObstacle(game, spell.name, target);
    if (done !== undefined) return no(done);
  }
  if (ongoing !== undefined) {
    const spends = ongoing.cost === "none" ? [markArea(game, spell.name, target)] : [];
    return { ok: true, ability, slotLevel: ongoing.level ?? spell.level, spends, later: true };
  }
  if (spell.level === 0 || later) {
    const slotLevel =
      spell.level === 0 ? 0 : Math.max(spell.level, scene.slotLevel ?? castingLevel(game, spell.name) ?? 0);
    return { ok: true, ability, slotLevel, spends: [], later };
  }
  const slot = paySpellSlot(game, scene.slotLevel, spell.level);
  if (!slot.ok) return no(`${spell.name} needs a spell slot: ${slot.why}`);
  return { ok: true, ability, slotLevel: slot.level, spends: slot.changes, later };
};

type SlotPayment =
  | { readonly ok: true; readonly level: number; readonly changes: readonly Change[] }
  | { readonly ok: false; readonly why: string };

/** Pays for a spell with the requested slot or the lowest free one; 5.2 allows one a turn. */
export const paySpellSlot = (game: Game, requested: number | undefined, least: number): SlotPayment => {
  const once = game.edition === "5.2";
  if (once && game.scene.usedThisTurn.includes("Spell Slot")) {
    return { ok: false, why: "a spell was cast with a slot this turn" };
  }
  const slot = chooseSlot(game, requested, least);
  if (!slot.ok) return slot;
  const mark = once ? [markUsed(game, "Spell Slot", "one spell with a slot a turn")] : [];
  return { ok: true, level: slot.level, changes: [slot.change, ...mark] };
};

/** The change that makes later rays, or later targets of the same casting, cost nothing more. */
export const markCast = (game: Game, { name }: Spell): Change =>
  markUsed(game, name, "what else this casting does costs nothing more");

/** What a casting leaves on its caster: concentration, which ends the one before, or the mark of a spell that goes on by itself. */
export const keepCasting = (
  { player, edition }: Game,
  spell: Spell & { readonly concentration: boolean },
  slotLevel: number,
): readonly Change[] => {
  const about = { who: player.name, field: "conditions" } as const;
  const ongoing = findOngoing({ edition }, spell.name);
  const level = ongoing === undefined ? spell.level : slotLevel;
  if (spell.concentration || ongoing?.concentration === true) {
    const before = player.conditions.filter((written) => hasCondition({ conditions: [written] }, "Concentrating"));
    return [
      ...before.map((value): Change => ({ ...about, op: "remove", value, why: `${spell.name} needs concentration` })),
      { ...about, op: "add", value: writeCasting("Concentrating", spell, level), why: spell.name },
    ];
  }
  if (ongoing === undefined) return [];
  return [{ ...about, op: "add", value: writeCasting("Sustaining", spell, level), why: spell.name }];
};
