/**
 * A spell attack as a plan. A spell with several beams or rays is one call for each; the first spends the slot, and
 * `scene.usedThisTurn` with the spell's name says that a call is about a later one.
 */
import type { Ability, AttackIntent, Game } from "@fairlead/contracts/rules";
import { cantripTier } from "../data/classes.ts";
import type { AttackSpell } from "../data/spells.ts";
import { attackEffects } from "../rules/boons.ts";
import { type Modifier, stance } from "../rules/d20.ts";
import type { DamageSpec } from "../rules/damage.ts";
import { creatureDefender } from "../rules/defender.ts";
import { luckAndAccuracy } from "../rules/luck.ts";
import { parseClaims, verifyClaims } from "../rules/sources/claims.ts";
import { spellRiders } from "../rules/spell-riders.ts";
import { keepCasting, markCast, planCasting } from "../sheet/casting.ts";
import { abilityLabel, abilityModifier, chosenOptions, feature, proficiencyBonus } from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import { findTarget } from "../sheet/target.ts";
import { armorClass, critRange, helplessCrit } from "./attack-bonus.ts";
import type { AttackPlanResult } from "./attack-plan.ts";
import { circumstances, endSingleUseEffects } from "./circumstances.ts";
import { effectDamage } from "./weapon-damage.ts";

export const planSpellAttack = (game: Game, spell: AttackSpell, intent: AttackIntent): AttackPlanResult => {
  const target = findTarget(game, intent.target);
  const claimed = parseClaims(intent.extra_damage_sources ?? []);
  const casting = planCasting(game, spell, target);
  if (!casting.ok) return casting;
  const { ability, slotLevel, later } = casting;
  const { kind } = spell;
  const at = attackEffects(game, { target, ability, attack: [kind, "spell"] });
  const around = circumstances({ game, target, kind, ability, at });
  const hampered = around.disadvantages.length > 0;
  const granted = verifyClaims(
    { game, target, kind, ability, stance: stance(around), hasDisadvantage: hampered, armed: undefined },
    claimed,
  );
  const { ac, causes: acCauses } = armorClass(target, game.edition);
  const spec = spellDamage(game, spell, { ability, slotLevel });
  const rolls = rollCount(game, spell, slotLevel);
  return {
    ok: true,
    plan: {
      checkType: `${spell.name} Attack`,
      target,
      defender: creatureDefender(game, target),
      test: {
        purpose: "attack roll",
        ...around,
        modifiers: [...spellModifiers(game, ability), ...sheetBonus(spell), ...at.modifiers],
        bonusDice: at.bonusDice,
        ...luckAndAccuracy(game, ability),
      },
      rays: rolls,
      ac,
      acCauses,
      crit: critRange(at.crit),
      wideCritNeedsHit: true,
      helpless: helplessCrit(target, kind),
      specs: [spec, ...granted.specs, ...effectDamage(at, spec.damageType)],
      onMiss: spell.splashes ? { spec, halved: true } : undefined,
      claims: granted.verdicts,
      always: [
        ...endSingleUseEffects(game, target),
        ...granted.onRoll,
        ...casting.spends,
        ...(rolls > 1 && !later ? [markCast(game, spell)] : []),
        ...(later ? [] : keepCasting(game, { ...spell, concentration: false }, slotLevel)),
      ],
      onHit: granted.onHit,
      ends: at.ends,
      notes: rolls > 1 ? [`${spell.name} makes ${rolls} such attacks; resolve each one`] : [],
      riders: (dealt) => [...spellRiders(spell.name, { game, target, dealt }), ...granted.riders],
    },
  };
};

const spellModifiers = ({ player }: Game, ability: Ability): readonly Modifier[] => [
  {
    label: abilityLabel(ability),
    amount: abilityModifier(player.stats[ability]),
    rule: "spell-attack",
    why: `spellcasting ability, ${ability}`,
  },
  {
    label: "Prof",
    amount: proficiencyBonus(player),
    rule: "proficiency-bonus",
    why: "spell attacks are always proficient",
  },
];

/** A bonus that the sheet has for the spell, like that of a wand. */
const sheetBonus = ({ name, bonus = 0 }: AttackSpell): readonly Modifier[] =>
  bonus === 0 ? [] : [{ label: "Magic", amount: bonus, rule: "magic-weapon", why: `the sheet's bonus of ${name}` }];

const rollCount = ({ player }: Game, { growth, level }: AttackSpell, slotLevel: number): number => {
  if (growth.kind === "beams") return cantripTier(player.level);
  return growth.kind === "rays" ? growth.rays + slotLevel - level : 1;
};

const spellDamage = (game: Game, spell: AttackSpell, cast: { ability: Ability; slotLevel: number }): DamageSpec => {
  const { player } = game;
  const { growth } = spell;
  const scaled = growth.kind === "dice" ? cantripTier(player.level) : 1;
  const more = growth.kind === "slot" ? growth.count * Math.floor((cast.slotLevel - spell.level) / growth.levels) : 0;
  const amount = abilityModifier(player.stats[cast.ability]);
  const flats: Modifier[] = [...sheetBonus(spell)];
  if (spell.dice.flat > 0)
    flats.push({ label: spell.name, amount: spell.dice.flat, rule: "spell-damage", why: spell.name });
  if (spell.modifier)
    flats.push({ label: cast.ability, amount, rule: "spell-damage", why: `${spell.name} adds ${cast.ability}` });
  if (hasAgonizingBlast(game, spell)) {
    const charisma = abilityModifier(player.stats.charisma);
    flats.push({ label: "charisma", amount: charisma, rule: "agonizing-blast", why: "Agonizing Blast adds charisma" });
  }
  return {
    label: spell.name,
    count: spell.dice.count * scaled + more,
    sides: spell.dice.sides,
    flats,
    damageType: spell.damageType,
    cause:
      scaled > 1
        ? { rule: "cantrip-scaling", why: `character level ${player.level}` }
        : { rule: "spell-damage", why: more > 0 ? `cast with a slot of level ${cast.slotLevel}` : spell.name },
  };
};

const hasAgonizingBlast = ({ player, edition }: Game, spell: AttackSpell): boolean => {
  if (feature(player, "Agonizing Blast") === undefined) return false;
  const options = chosenOptions(player, "Agonizing Blast");
  const eldritch = spell.name === "Eldritch Blast";
  return edition === "5.1" || options.length === 0 ? eldritch : options.includes(fold(spell.name));
};
