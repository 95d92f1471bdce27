/** A saving throw: the plan, and the rolling of it. A natural 1 or 20 means nothing special here. */
import type { Ability, Game, SavingThrowIntent } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { effectsOn, type RollEffects } from "../effects/apply.ts";
import type { Cause } from "../result/trace.ts";
import type { D20Test, Modifier } from "../rules/d20.ts";
import { planIncomingDamage } from "../rules/incoming-damage.ts";
import { luckAndAccuracy } from "../rules/luck.ts";
import { armorDisadvantage } from "../sheet/armor.ts";
import {
  abilityLabel,
  abilityModifier,
  hasCondition,
  helplessCondition,
  proficiencyBonus,
} from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import { type ResultWithoutClaims, rollTestPlan, type TestPlan } from "./d20-test.ts";

/** A save as the rules ask for it; death saves have no ability. */
interface SaveFacts {
  readonly ability?: Ability;
  readonly source?: string | undefined;
}

/** What counts on a save of the character before its ability does: death saves have no more than this. */
export const commonSaveTest = (
  game: Game,
  { ability, source }: SaveFacts = {},
): D20Test & Pick<TestPlan, "ends"> & Pick<RollEffects, "failure"> => {
  const { scene } = game;
  const proficient = ability !== undefined && proficiency(game, ability).length > 0;
  const at = effectsOn(game, { roll: "save", ability, source, proficient });
  const { luck } = luckAndAccuracy(game, undefined);
  return {
    purpose: "saving throw",
    advantages: [...scene.advantage.map((why) => ({ rule: "table-ruling", why }) as const), ...at.advantages],
    disadvantages: [...scene.disadvantage.map((why) => ({ rule: "table-ruling", why }) as const), ...at.disadvantages],
    modifiers: at.modifiers,
    bonusDice: at.bonusDice,
    ...(luck !== undefined && { luck }),
    ends: at.ends,
    failure: at.failure,
  };
};

export const planSavingThrow = (game: Game, intent: SavingThrowIntent): TestPlan => {
  const { player } = game;
  const { ability, dc, source } = intent;
  const { ends, failure, ...bare } = commonSaveTest(game, { ability, source });
  const amount = abilityModifier(player.stats[ability]);
  return {
    checkType: `${ability[0]?.toUpperCase()}${ability.slice(1)} Saving Throw`,
    subject: "save",
    dc,
    test: {
      ...bare,
      disadvantages: [...bare.disadvantages, ...drawbacks(game, ability)],
      modifiers: [
        { label: abilityLabel(ability), amount, rule: "ability-modifier", why: `${ability} save` },
        ...proficiency(game, ability),
        ...cover(game, ability),
        ...bare.modifiers,
      ],
    },
    fails: automaticFailure(game, ability) ?? failure,
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

/** What hampers the save of one ability. */
const drawbacks = (game: Game, ability: Ability): readonly Cause[] => [
  ...armorDisadvantage(game, ability),
  ...(ability === "dexterity" && hasCondition(game.player, "Restrained")
    ? [{ rule: "condition", why: `${game.player.name} is restrained` } as const]
    : []),
];

const automaticFailure = ({ player }: Game, ability: Ability): Cause | undefined => {
  if (ability !== "strength" && ability !== "dexterity") return undefined;
  if (player.currentHP === 0) return { rule: "condition", why: `${player.name} is unconscious at 0 hit points` };
  const condition = helplessCondition(player);
  return condition === undefined ? undefined : { rule: "condition", why: `${player.name} is ${fold(condition)}` };
};
