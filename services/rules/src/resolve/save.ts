/** A saving throw: the plan, and the rolling of it. A natural 1 or 20 means nothing special here. */
import type { Ability, Game, SavingThrowIntent } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import type { Cause } from "../result/trace.ts";
import { collectBoons } from "../rules/boons.ts";
import type { D20Test, Modifier } from "../rules/d20.ts";
import { planIncomingDamage } from "../rules/incoming-damage.ts";
import { luckAndAccuracy } from "../rules/luck.ts";
import { armorDisadvantage } from "../sheet/armor.ts";
import {
  abilityLabel,
  abilityModifier,
  benefitsFromDodge,
  effect,
  exhaustionLevel,
  feature,
  hasCondition,
  helplessCondition,
  incapacitatingCondition,
  isUnconscious,
  proficiencyBonus,
} from "../sheet/character.ts";
import { fold, sameName } from "../sheet/names.ts";
import { rageHelps } from "../sheet/rage.ts";
import { type ResultWithoutClaims, rollTestPlan, type TestPlan } from "./d20-test.ts";

/** What counts on every save of the character, whatever it is against: death saves have no more than this. */
export const commonSaveTest = (game: Game): D20Test & Pick<TestPlan, "ends"> => {
  const { player, scene, edition } = game;
  const boons = collectBoons(game, { kind: "save" });
  const { luck } = luckAndAccuracy(game, undefined);
  const tiredness = exhaustionLevel(player);
  return {
    purpose: "saving throw",
    advantages: scene.advantage.map((why) => ({ rule: "table-ruling", why })),
    disadvantages: [
      ...scene.disadvantage.map((why) => ({ rule: "table-ruling", why }) as const),
      ...(edition === "5.1" && tiredness >= 3
        ? [{ rule: "exhaustion", why: `exhaustion level ${tiredness}` } as const]
        : []),
    ],
    modifiers: [...aura(game), ...boons.modifiers],
    bonusDice: boons.bonusDice,
    ...(luck !== undefined && { luck }),
    ends: boons.ends,
  };
};

export const planSavingThrow = (game: Game, intent: SavingThrowIntent): TestPlan => {
  const { player } = game;
  const { ability, dc, source } = intent;
  const { ends, ...bare } = commonSaveTest(game);
  const own = stanceCauses(game, intent);
  const amount = abilityModifier(player.stats[ability]);
  return {
    checkType: `${ability[0]?.toUpperCase()}${ability.slice(1)} Saving Throw`,
    subject: "save",
    dc,
    test: {
      ...bare,
      advantages: [...bare.advantages, ...own.advantages],
      disadvantages: [...bare.disadvantages, ...own.disadvantages],
      modifiers: [
        { label: abilityLabel(ability), amount, rule: "ability-modifier", why: `${ability} save` },
        ...proficiency(game, ability),
        ...cover(game, ability),
        ...bare.modifiers,
      ],
    },
    fails: automaticFailure(game, ability),
    ends,
    incoming: planIncomingDamage(game, ability, source ?? "Damage"),
    because: source,
  };
};

export const resolveSavingThrow = (game: Game, intent: SavingThrowIntent, dice: Dice): ResultWithoutClaims =>
  rollTestPlan(game, planSavingThrow(game, intent), dice);

/** The sheet may say "dexterity", "Dexterity" or "DEX". */
const proficiency = ({ player }: Game, ability: Ability): readonly Modifier[] => {
  const written = new Set(player.savingThrowProficiencies.map(fold));
  return written.has(ability) || written.has(fold(abilityLabel(ability)))
    ? [
        {
          label: "Prof",
          amount: proficiencyBonus(player),
          rule: "proficiency-bonus",
          why: `proficient in ${ability} saves`,
        },
      ]
    : [];
};

const cover = ({ scene }: Game, ability: Ability): readonly Modifier[] => {
  const amount = scene.cover === "half" ? 2 : scene.cover === "three_quarters" ? 5 : 0;
  return ability === "dexterity" && amount > 0
    ? [{ label: "Cover", amount, rule: "cover", why: `${scene.cover.replace("_", "-")} cover` }]
    : [];
};

/**
 * The character's own aura, or an ally's in the effects; only the best one counts. A bonus is at least 1. Its bearer has to be conscious,
 * and in 5.2 able to act.
 */
const aura = ({ player, edition }: Game): readonly Modifier[] => {
  const awake = !isUnconscious(player) && (edition === "5.1" || incapacitatingCondition(player) === undefined);
  const allies = (player.effects ?? []).filter(({ name }) => sameName(name, "Aura of Protection"));
  const ally = Math.max(0, ...allies.map(({ bonus = 1 }) => Math.max(1, bonus)));
  const bears = feature(player, "Aura of Protection") !== undefined && awake;
  const own = bears ? Math.max(1, abilityModifier(player.stats.charisma)) : 0;
  const why = own >= ally ? "the character's own aura" : "a paladin's aura";
  const amount = Math.max(own, ally);
  return amount === 0 ? [] : [{ label: "Aura", amount, rule: "aura-of-protection", why }];
};

/** What leans on the save of one ability. */
const stanceCauses = (
  game: Game,
  { ability }: SavingThrowIntent,
): { readonly advantages: readonly Cause[]; readonly disadvantages: readonly Cause[] } => {
  const { player, scene, edition } = game;
  const advantages: Cause[] = [];
  if (ability === "strength" && rageHelps(game)) {
    advantages.push({ rule: "rage", why: "raging: advantage on strength saves" });
  }
  const able = incapacitatingCondition(player) === undefined;
  if (ability === "dexterity" && able) {
    const moves = edition === "5.2" || exhaustionLevel(player) < 5;
    if (moves && benefitsFromDodge(player, effect(player, "Dodge") !== undefined))
      advantages.push({ rule: "dodge", why: "dodging" });
    if (hasDangerSense(game)) advantages.push({ rule: "danger-sense", why: "Danger Sense" });
  }
  const mental = ["intelligence", "wisdom", "charisma"].includes(ability);
  if (scene.magical && edition === "5.1" && mental && feature(player, "Gnome Cunning") !== undefined) {
    advantages.push({ rule: "magic-resistance", why: "Gnome Cunning against magic" });
  }
  if (edition === "5.2" && mental && feature(player, "Gnomish Cunning") !== undefined) {
    advantages.push({ rule: "magic-resistance", why: "Gnomish Cunning" });
  }
  const disadvantages: Cause[] = [...armorDisadvantage(game, ability)];
  if (ability === "dexterity" && hasCondition(player, "Restrained")) {
    disadvantages.push({ rule: "condition", why: `${player.name} is restrained` });
  }
  return { advantages, disadvantages };
};

/** In 5.1 the character must see and hear as well. */
const hasDangerSense = ({ player, edition }: Game): boolean =>
  feature(player, "Danger Sense") !== undefined &&
  (edition === "5.2" || (!hasCondition(player, "Blinded") && !hasCondition(player, "Deafened")));

const automaticFailure = ({ player }: Game, ability: Ability): Cause | undefined => {
  if (ability !== "strength" && ability !== "dexterity") return undefined;
  if (player.currentHP === 0) return { rule: "condition", why: `${player.name} is unconscious at 0 hit points` };
  const condition = helplessCondition(player);
  return condition === undefined ? undefined : { rule: "condition", why: `${player.name} is ${fold(condition)}` };
};
