/**
 * A spell that forces a creature to save, as a plan. Here the d20 is the creature's. One call is about one creature; the damage of a
 * first call can be given to the others. Not here: the rolling (`resolve/spell-save.ts`).
 */
import type { Ability, AttackIntent, Change, Claim, Game, Npc } from "@fairlead/contracts/rules";
import { cantripTier } from "../data/classes.ts";
import type { ConditionSpell, LastingConditions } from "../data/condition-spells.ts";
import type { SaveSpell } from "../data/save-spells.ts";
import type { Cause } from "../result/trace.ts";
import { automaticFailure, creatureSave, hasTrait } from "../rules/creature-save.ts";
import type { D20Test } from "../rules/d20.ts";
import { type DamageSpec, flatSpec } from "../rules/damage.ts";
import { creatureDefender, type Defender } from "../rules/defender.ts";
import { canEvade } from "../rules/incoming-damage.ts";
import { addCondition, type Rider } from "../rules/rider.ts";
import { parseClaims } from "../rules/sources/claims.ts";
import { spellRiders } from "../rules/spell-riders.ts";
import { keepCasting, markCast, planCasting } from "../sheet/casting.ts";
import { abilityModifier, isOfType, proficiencyBonus } from "../sheet/character.ts";
import { findTarget } from "../sheet/target.ts";

export interface SpellSavePlan {
  readonly checkType: string;
  readonly name: string;
  readonly target: Npc;
  /** The same creature, as the damage finds it. */
  readonly defender: Defender;
  readonly ability: Ability;
  readonly dc: number;
  readonly test: D20Test;
  /** Why the creature fails without a roll. */
  readonly fails: Cause | undefined;
  readonly specs: readonly DamageSpec[];
  readonly onSuccess: "half" | "none";
  readonly evasion: Cause | undefined;
  readonly claims: readonly Claim[];
  readonly changes: readonly Change[];
  /** Hit points that the damage leaves. */
  readonly least: number;
  /** Creatures that one casting can be on. */
  readonly most: number;
  /** What a failed save does in addition to the damage; `dealt` is the damage after defences. */
  readonly riders: (dealt: number) => readonly Rider[];
}

export type SpellSavePlanResult =
  | { readonly ok: true; readonly plan: SpellSavePlan }
  | { readonly ok: false; readonly why: string };

export const planSpellSave = (
  game: Game,
  spell: SaveSpell | ConditionSpell,
  intent: AttackIntent,
): SpellSavePlanResult => {
  const { player } = game;
  const target = findTarget(game, intent.target);
  const casting = planCasting(game, spell, target);
  if (!casting.ok) return casting;
  const { ability } = spell;
  const weak = spell.weak.find(({ type }) => isOfType(target, type));
  if (weak?.save === "unaffected")
    return { ok: false, why: `${spell.name} does nothing to ${target.name}, ${weak.type}` };
  const lasting = "lasting" in spell ? spell.lasting : undefined;
  const immune = lasting === undefined ? undefined : typeObstacle(spell.name, lasting, target);
  if (immune !== undefined) return { ok: false, why: immune };
  const kind: Cause = { rule: "spell-effect", why: `${spell.name} against ${target.name}, ${weak?.type}` };
  return {
    ok: true,
    plan: {
      checkType: `${spell.name} (${ability[0]?.toUpperCase()}${ability.slice(1)} Save)`,
      name: spell.name,
      target,
      defender: creatureDefender(game, target),
      ability,
      dc: 8 + proficiencyBonus(player) + abilityModifier(player.stats[casting.ability]),
      test: creatureSave(target, ability, {
        edition: game.edition,
        magical: true,
        throughCover: spell.throughCover,
        disadvantage: weak?.save === "disadvantage" ? kind : undefined,
      }),
      fails: automaticFailure(target, ability) ?? (weak?.save === "fails" ? kind : undefined),
      least: spell.spares ? 1 : 0,
      most: mostTargets(spell, casting.slotLevel),
      riders: (dealt) => [
        ...spellRiders(spell.name, { game, target, dealt }),
        ...(lasting === undefined ? [] : lastingRiders(spell.name, lasting, target)),
      ],
      specs: damageSpecs(game, spell, casting.slotLevel).map((spec) => (weak?.most ? maximizeDice(spec) : spec)),
      onSuccess: spell.onSuccess,
      evasion: findEvasion(game, spell, target),
      claims: parseClaims(intent.extra_damage_sources ?? []).map(({ written }) => ({
        source: written,
        granted: false,
        why: `${spell.name} has no attack roll`,
      })),
      changes: [
        ...casting.spends,
        ...(spell.level > 0 && !casting.later ? [markCast(game, spell)] : []),
        ...(casting.later ? [] : keepCasting(game, spell, casting.slotLevel)),
      ],
    },
  };
};

const mostTargets = ({ most, level }: SaveSpell, slotLevel: number): number =>
  most === undefined ? Number.POSITIVE_INFINITY : most.count + most.perSlot * Math.max(0, slotLevel - level);

/** Why a creature of this type is not affected; a type that the game does not state is believed to be the right one. */
const typeObstacle = (spell: string, { only, never }: LastingConditions, target: Npc): string | undefined => {
  if (target.creatureType === "") return undefined;
  const wrong = only.length > 0 && !only.some((type) => isOfType(target, type));
  if (wrong) return `${spell} works on ${only.join(" and ")}s, and ${target.name} is ${target.creatureType}`;
  const immune = never.find((type) => isOfType(target, type));
  return immune === undefined ? undefined : `${spell} does nothing to ${target.name}, ${immune}`;
};

const lastingRiders = (spell: string, { names, upTo, repeats }: LastingConditions, target: Npc): readonly Rider[] => {
  const again = repeats ? ", with a save at the end of each of its turns" : "";
  const left = names.filter((_, index) => target.currentHp <= (upTo[index] ?? target.currentHp));
  return left.map((name) => ({
    label: spell,
    rule: "spell-effect" as const,
    effect: `${target.name} has ${name}${again}`,
    changes: [addCondition(target, name, spell)],
  }));
};

const findEvasion = ({ edition }: Game, { ability, onSuccess }: SaveSpell, target: Npc): Cause | undefined =>
  hasTrait(target, "Evasion") && canEvade(target, { ability, onSuccess, edition })
    ? { rule: "creature-trait", why: `Evasion of ${target.name}: nothing on a success, half on a failure` }
    : undefined;

/** Dice that all show their highest face. */
const maximizeDice = ({ count, sides, flats, ...spec }: DamageSpec): DamageSpec =>
  flatSpec({ ...spec, flats: [...flats, { ...spec.cause, label: spec.label, amount: count * sides }] });

const damageSpecs = ({ player }: Game, spell: SaveSpell, slotLevel: number): readonly DamageSpec[] =>
  spell.damage.map(({ dice, flat, damageType, perSlot, grown }) => {
    const tier = spell.level === 0 && grown !== true ? cantripTier(player.level) : 1;
    const more = spell.level === 0 ? 0 : perSlot * (slotLevel - spell.level);
    const cause: Cause =
      tier > 1
        ? { rule: "cantrip-scaling", why: `character level ${player.level}` }
        : { rule: "spell-damage", why: more > 0 ? `cast with a slot of level ${slotLevel}` : spell.name };
    return {
      label: spell.name,
      count: dice.count * tier + more,
      sides: dice.sides,
      flats: flat === 0 ? [] : [{ label: spell.name, amount: flat, ...cause }],
      damageType,
      cause,
    };
  });
