/**
 * A spell that forces a creature to save: the plan, and the rolling of it. Here the d20 is the creature's, and `success` is the
 * caster's: true when the save fails. One call is about one creature; the damage of a first call can be given to the others.
 */
import type { AttackIntent, Change, Claim, Damage, Game, Npc, RollResult } from "@fairlead/contracts/rules";
import { cantripTier } from "../data/classes.ts";
import type { SaveSpell } from "../data/save-spells.ts";
import type { Dice } from "../dice/source.ts";
import { impossible } from "../result/mark.ts";
import { buildRawSummary } from "../result/raw.ts";
import { type Cause, signed, type Trace, traceOf } from "../result/trace.ts";
import { creatureSave, endedBySave, failsOutright, hasTrait } from "../rules/creature-save.ts";
import { type D20Test, rollD20 } from "../rules/d20.ts";
import { type DamageSpec, flatSpec, rollDamage } from "../rules/damage.ts";
import { dealtByType } from "../rules/defences.ts";
import { canEvade, portion, shareOf, unharmed } from "../rules/incoming.ts";
import { type Rider, ride } from "../rules/rider.ts";
import { readClaims } from "../rules/sources/claims.ts";
import { spellRiders } from "../rules/spell-riders.ts";
import { alreadyCast, castingOf } from "../sheet/casting.ts";
import { abilityModifier, isOfType, proficiencyBonus } from "../sheet/character.ts";
import { damageCreature } from "../sheet/hit-points.ts";
import { findTarget } from "../sheet/target.ts";

export interface SpellSave {
  readonly checkType: string;
  readonly name: string;
  readonly target: Npc;
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
  /** What a failed save brings beside the damage, given what went through. */
  readonly riders: (dealt: number) => readonly Rider[];
}

export type PlannedSave =
  | { readonly ok: true; readonly plan: SpellSave }
  | { readonly ok: false; readonly why: string };

export const planSpellSave = (game: Game, spell: SaveSpell, intent: AttackIntent): PlannedSave => {
  const { player } = game;
  const target = findTarget(game, intent.target);
  const casting = castingOf(game, spell, target);
  if (!casting.ok) return casting;
  const { ability } = spell;
  const weak = spell.weak.find(({ type }) => isOfType(target, type));
  if (weak?.save === "unaffected")
    return { ok: false, why: `${spell.name} does nothing to ${target.name}, ${weak.type}` };
  const kind: Cause = { rule: "spell-effect", why: `${spell.name} against ${target.name}, ${weak?.type}` };
  return {
    ok: true,
    plan: {
      checkType: `${spell.name} (${ability[0]?.toUpperCase()}${ability.slice(1)} Save)`,
      name: spell.name,
      target,
      dc: 8 + proficiencyBonus(player.level) + abilityModifier(player.stats[casting.ability]),
      test: creatureSave(target, ability, {
        magical: true,
        throughCover: spell.throughCover,
        badly: weak?.save === "disadvantage" ? kind : undefined,
      }),
      fails: failsOutright(target, ability) ?? (weak?.save === "fails" ? kind : undefined),
      least: spell.spares ? 1 : 0,
      riders: (dealt) => spellRiders(spell.name, { game, target, dealt }),
      specs: damageSpecs(game, spell, casting.slotLevel).map((spec) => (weak?.most ? highest(spec) : spec)),
      onSuccess: spell.onSuccess,
      evasion: evasionOf(game, spell, target),
      claims: readClaims(intent.extra_damage_sources ?? []).map(({ written }) => ({
        source: written,
        granted: false,
        why: `${spell.name} has no attack roll`,
      })),
      changes: [...casting.spends, ...(spell.level > 0 && !casting.later ? [alreadyCast(game, spell)] : [])],
    },
  };
};

const evasionOf = ({ edition }: Game, { ability, onSuccess }: SaveSpell, target: Npc): Cause | undefined =>
  hasTrait(target, "Evasion") && canEvade(target, { ability, onSuccess, edition })
    ? { rule: "creature-trait", why: `Evasion of ${target.name}: nothing on a success, half on a failure` }
    : undefined;

/** Dice that all show their highest face. */
const highest = ({ count, sides, flats, ...spec }: DamageSpec): DamageSpec =>
  flatSpec({ ...spec, flats: [...flats, { ...spec.cause, label: spec.label, amount: count * sides }] });

const damageSpecs = ({ player }: Game, spell: SaveSpell, slotLevel: number): readonly DamageSpec[] =>
  spell.damage.map(({ dice, flat, damageType, perSlot }) => {
    const tier = spell.level === 0 ? cantripTier(player.level) : 1;
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

export const resolveSpellSave = (game: Game, planned: PlannedSave, dice: Dice): RollResult => {
  if (!planned.ok) return impossible(planned.why, game.edition);
  const { plan } = planned;
  const trace = traceOf(game.edition);
  const save = plan.fails === undefined ? rollSave(plan, { dice, trace }) : undefined;
  if (plan.fails !== undefined) trace.add("success", "failed save without a roll", plan.fails);
  const saved = save !== undefined && save.total >= plan.dc;
  const damage = takeDamage(plan, saved, { dice, trace });
  const ridden = ride(plan.target, saved ? [] : plan.riders(damage.totalDamage), { dice, trace });
  const changes = [
    ...plan.changes,
    ...(save === undefined ? [] : endedBySave(plan.target)),
    ...damageCreature(plan.target, damage.totalDamage, { trace, least: plan.least }),
    ...ridden.changes,
  ];
  const fate = save === undefined ? (plan.fails?.why ?? "") : `${save.total} against DC ${plan.dc}`;
  const parsed = {
    checkType: plan.checkType,
    components: save?.components ?? "",
    dieResult: save?.die ?? 0,
    totalModifier: signed(save?.modifier ?? 0),
    total: save?.total ?? 0,
    dcOrAc: String(plan.dc),
    success: !saved,
    notes: [
      `${plan.target.name} ${saved ? "saves" : "fails the save"} against ${plan.name}: ${fate}`,
      `${damage.totalDamage} damage`,
      ...ridden.notes,
    ].join(". "),
    damage,
  };
  return {
    ...parsed,
    edition: game.edition,
    raw: buildRawSummary(parsed),
    dice: dice.record(),
    rules: trace.list(),
    claims: [...plan.claims],
    changes,
  };
};

const rollSave = (plan: SpellSave, tools: { readonly dice: Dice; readonly trace: Trace }) => {
  const roll = rollD20(plan.test, tools, (_, total) => total < plan.dc);
  tools.trace.add("dcOrAc", String(plan.dc), { rule: "spell-save-dc", why: "8, proficiency and spellcasting ability" });
  return roll;
};

const takeDamage = (plan: SpellSave, saved: boolean, { dice, trace }: { dice: Dice; trace: Trace }): Damage => {
  const share = shareOf(plan, saved);
  const cause = plan.evasion ?? ({ rule: "save-for-half", why: "what the save leaves" } as const);
  if (share === "none") {
    trace.add("damage.totalDamage", "0, nothing rolled", cause);
    return unharmed;
  }
  const breakdown = plan.specs.map((spec, index) => rollDamage(spec, index, { dice, trace, crit: false }));
  if (share === "half") trace.add("damage.totalDamage", "half", cause);
  const left = breakdown.map((line) => ({ ...line, subtotal: portion(line.subtotal, share) }));
  const byType = dealtByType(plan.target, left, trace);
  return { breakdown, byType, totalDamage: byType.reduce((sum, { dealt }) => sum + dealt, 0), isCrit: false };
};
