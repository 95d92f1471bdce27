/** An ability check with a skill: the plan, and the rolling of it. A natural 1 or 20 means nothing special here. */
import type { Ability, Game, Skill, SkillCheckIntent } from "@fairlead/contracts/rules";
import { conditionsThat } from "../data/conditions.ts";
import { skillAbility } from "../data/skills.ts";
import type { Dice } from "../dice/source.ts";
import { effectsOn, type RollEffects } from "../effects/apply.ts";
import type { Cause } from "../result/trace.ts";
import type { D20Test, Modifier } from "../rules/d20.ts";
import { luckAndAccuracy } from "../rules/luck.ts";
import { armorDisadvantage } from "../sheet/armor.ts";
import {
  abilityLabel,
  abilityModifier,
  chosenOptions,
  feature,
  hasCondition,
  proficiencyBonus,
} from "../sheet/character.ts";
import { fold, sameName } from "../sheet/names.ts";
import { type ResultWithoutClaims, rollTestPlan, type TestPlan } from "./d20-test.ts";

/** What is checked: an ability, with a skill or without. */
interface CheckSubject {
  readonly ability: Ability;
  readonly skill: Skill | undefined;
  /** Initiative is a check of its own kind. */
  readonly roll?: "check" | "initiative";
}

/** The d20 test of a check, and the effects that end with it. */
export const checkTest = (
  game: Game,
  checked: CheckSubject,
): { readonly test: D20Test; readonly ends: TestPlan["ends"]; readonly failure: Cause | undefined } => {
  const { player } = game;
  const { ability, skill, roll = "check" } = checked;
  const amount = abilityModifier(player.stats[ability]);
  const training = findTraining(game, checked);
  const { luck } = luckAndAccuracy(game, undefined);
  const at = effectsOn(game, { roll, ability, skill, proficient: training?.proficient === true });
  const why = skill === undefined ? `a ${ability} check` : `${skill} uses ${ability}`;
  return {
    test: {
      purpose: "ability check",
      ...stanceCauses(game, checked, at),
      modifiers: [
        { label: abilityLabel(ability), amount, rule: "ability-modifier", why },
        ...(training === undefined ? [] : [training.modifier]),
        ...at.modifiers,
      ],
      bonusDice: at.bonusDice,
      ...(luck !== undefined && { luck }),
      ...(at.floor !== undefined && { floor: at.floor }),
    },
    ends: at.ends,
    failure: at.failure,
  };
};

const planCheck = (game: Game, checked: CheckSubject, dc: number): TestPlan => {
  const { test, ends, failure } = checkTest(game, checked);
  return {
    checkType: `${checked.skill ?? `${checked.ability[0]?.toUpperCase()}${checked.ability.slice(1)}`} Check`,
    subject: "check",
    dc,
    test,
    ends,
    fails: automaticFailure(game) ?? failure,
    incoming: undefined,
    because: undefined,
  };
};

export const planSkillCheck = (game: Game, { skill, dc }: SkillCheckIntent): TestPlan =>
  planCheck(game, { ability: skillAbility[skill], skill }, dc);

export const resolveSkillCheck = (game: Game, intent: SkillCheckIntent, dice: Dice): ResultWithoutClaims =>
  rollTestPlan(game, planSkillCheck(game, intent), dice);

/** A check without a skill. */
export const resolveAbilityCheck = (
  game: Game,
  { ability, dc }: { readonly ability: Ability; readonly dc: number },
  dice: Dice,
): ResultWithoutClaims => rollTestPlan(game, planCheck(game, { ability, skill: undefined }, dc), dice);

interface Training {
  readonly proficient: boolean;
  readonly modifier: Modifier;
}

/** The one proficiency that counts: full or double, or else the better half. */
const findTraining = (game: Game, { ability, skill }: CheckSubject): Training | undefined => {
  const { player, edition } = game;
  const what = skill ?? ability;
  const bonus = proficiencyBonus(player);
  const add = (label: string, amount: number, cause: Cause, proficient = false): Training => ({
    proficient,
    modifier: { label, amount, ...cause },
  });
  if (skill !== undefined && player.skillProficiencies.some((name) => sameName(name, skill))) {
    return chosenOptions(player, "Expertise").includes(fold(skill))
      ? add("Expertise", 2 * bonus, { rule: "expertise", why: `expertise in ${skill}` }, true)
      : add("Prof", bonus, { rule: "proficiency-bonus", why: `proficient in ${skill}` }, true);
  }
  const athlete = feature(player, "Remarkable Athlete") !== undefined && edition === "5.1";
  if (athlete && ["strength", "dexterity", "constitution"].includes(ability)) {
    return add("Remarkable Athlete", Math.ceil(bonus / 2), {
      rule: "remarkable-athlete",
      why: `half proficiency, rounded up, with ${ability}`,
    });
  }
  const jack = feature(player, "Jack of All Trades") !== undefined && (edition === "5.1" || skill !== undefined);
  if (!jack) return undefined;
  return add("Jack of All Trades", Math.floor(bonus / 2), {
    rule: "jack-of-all-trades",
    why: `half proficiency, rounded down, without proficiency in ${what}`,
  });
};

const stanceCauses = (
  game: Game,
  { ability, skill }: CheckSubject,
  at: RollEffects,
): { readonly advantages: readonly Cause[]; readonly disadvantages: readonly Cause[] } => {
  const { player, scene } = game;
  const disadvantages: Cause[] = scene.disadvantage.map((why) => ({ rule: "table-ruling", why }));
  disadvantages.push(...armorDisadvantage(game, ability));
  if (skill === "Stealth" && player.worn.noisy) disadvantages.push({ rule: "armor", why: "noisy armor" });
  for (const condition of conditionsThat("checksWithDisadvantage")) {
    if (hasCondition(player, condition))
      disadvantages.push({ rule: "condition", why: `${player.name} is ${fold(condition)}` });
  }
  if (hasCondition(player, "Frightened") && scene.fearSourceInSight) {
    disadvantages.push({ rule: "condition", why: `${player.name} is frightened` });
  }
  return {
    advantages: [...scene.advantage.map((why) => ({ rule: "table-ruling", why }) as const), ...at.advantages],
    disadvantages: [...disadvantages, ...at.disadvantages],
  };
};

const automaticFailure = ({ player, scene }: Game): Cause | undefined => {
  if (scene.needsSight && hasCondition(player, "Blinded"))
    return { rule: "condition", why: `${player.name} is blinded` };
  if (scene.needsHearing && hasCondition(player, "Deafened"))
    return { rule: "condition", why: `${player.name} is deafened` };
  return undefined;
};
