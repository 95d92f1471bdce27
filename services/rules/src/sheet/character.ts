/**
 * What is read off a character or a creature: modifiers, proficiency bonus, features, conditions, effects.
 * Names are compared case-folded and whole: "Average Rage Counselling" is not Rage.
 */
import type { Ability, Change, EffectName, Game, Npc, Player } from "@fairlead/contracts/rules";
import { boonMarks } from "../data/boon-spells.ts";
import { conditionMarks } from "../data/condition-spells.ts";
import { conditionsThat } from "../data/conditions.ts";
import { spellMarks } from "../data/spell-effects.ts";
import { fold, sameName } from "./names.ts";

type Feature = Player["features"][number];
export type Effect = NonNullable<Player["effects"]>[number];

/** floor((score - 10) / 2): 1 is -5, 10 is 0, 30 is +10. */
export const abilityModifier = (score: number): number => Math.floor((score - 10) / 2);

/** "DEX". */
export const abilityLabel = (ability: Ability): string => ability.slice(0, 3).toUpperCase();

/** +2 at levels 1 to 4, then one more every four levels, up to +6; a monster's sheet has its own. */
export const proficiencyBonus = ({
  level,
  proficiencyBonus: own,
}: Pick<Player, "level" | "proficiencyBonus">): number => own ?? Math.ceil(level / 4) + 1;

export const feature = (player: Player, name: string): Feature | undefined =>
  player.features.find((candidate) => sameName(candidate.name, name));

/** Options chosen for a feature, folded: "Skills: Stealth, Perception and Thieves' Tools" is three. */
export const chosenOptions = (player: Player, name: string): readonly string[] =>
  player.features
    .filter((candidate) => sameName(candidate.name, name))
    .flatMap(({ chosenOption = "" }) => splitOptions(chosenOption));

/** The options of one text, folded and without a label. */
export const splitOptions = (written: string): readonly string[] =>
  fold(written)
    .split(/ ?(?:[,;/&]|\band\b) ?/)
    .map((option) => option.slice(option.lastIndexOf(":") + 1).trim())
    .filter((option) => option !== "");

/** A fighting style, in each spelling that sheets use: chosen option, "Fighting Style: Archery", or "Archery". */
export const hasFightingStyle = (player: Player, style: string): boolean =>
  chosenOptions(player, "Fighting Style").includes(fold(style)) ||
  feature(player, `Fighting Style: ${style}`) !== undefined ||
  feature(player, style) !== undefined;

/** The first effect of that name; of several, the first that fits. */
export const effect = (
  player: Player,
  name: EffectName,
  fits: (candidate: Effect) => boolean = () => true,
): Effect | undefined => player.effects?.find((candidate) => sameName(candidate.name, name) && fits(candidate));

/** Whether an effect is on this creature, or names no target. */
export const isAimedAt =
  (npc: Npc) =>
  ({ target }: Effect): boolean =>
    target === undefined || sameName(target, npc.name) || (npc.id !== "" && target === npc.id);

/** What a rule about the character alone needs: the sheet and the edition. */
export type Sheet = Pick<Game, "player" | "edition">;

interface ConditionBearer {
  readonly conditions: readonly string[];
}

/** Marks with such a word in their own name: "Shield of Faith" is no Shield. */
const wholeMarks: ReadonlySet<string> = new Set(
  [...boonMarks, ...conditionMarks, ...spellMarks].map(fold).filter((mark) => / (?:by|of) /.test(mark)),
);

/** "Charmed by Goblin", "Frightened of the dragon", "Grappled (ogre-1)": the condition and its source. */
const conditionParts = (written: string): { readonly name: string; readonly by: string | undefined } => {
  const text = fold(written);
  if (wholeMarks.has(text)) return { name: text, by: undefined };
  const link = / (?:by|of) (?:the )?/.exec(text);
  const open = /.\)$/.test(text) ? text.slice(0, -2).indexOf("(") : -1;
  if (link !== null && (open === -1 || link.index < open)) {
    return { name: text.slice(0, link.index), by: text.slice(link.index + link[0].length) };
  }
  return open === -1
    ? { name: text, by: undefined }
    : { name: text.slice(0, open).trimEnd(), by: text.slice(open + 1, -1) };
};

/** The condition of "Charmed by Goblin", folded: "charmed". */
export const conditionName = (written: string): string => conditionParts(written).name;

export const hasCondition = ({ conditions }: ConditionBearer, condition: string): boolean =>
  conditions.some((written) => conditionParts(written).name === fold(condition));

/** The sources of a condition ("goblin" of "Charmed by Goblin"), case-folded; a condition without a source is left out. */
export const conditionSources = ({ conditions }: ConditionBearer, condition: string): readonly string[] =>
  conditions.map(conditionParts).flatMap(({ name, by }) => (name === fold(condition) && by !== undefined ? [by] : []));

/** True for the creature's id, or its name as people write it. */
export const isNamed = ({ id, name }: Npc, written: string): boolean =>
  sameName(name, written) || (id !== "" && sameName(id, written));

/** "Undead", "undead shapechanger", "fiend (devil)". */
export const isOfType = ({ creatureType }: Npc, type: string): boolean =>
  fold(creatureType).split(/\W+/).includes(type);

/** The name of a creature for a change, and its id when it has one: several creatures can have one name. */
export const identify = ({ id, name }: Npc): Pick<Change, "who" | "id"> => ({ who: name, ...(id !== "" && { id }) });

/** Why a charmed character cannot attack this creature, or harm it with a spell. */
export const charmedBy = (player: Player, target: Npc): string | undefined =>
  conditionSources(player, "Charmed").some((charmer) => isNamed(target, charmer))
    ? `${player.name} is charmed by ${target.name} and cannot attack it`
    : undefined;

const helpless = conditionsThat("failsSaves");
const incapacitating = conditionsThat("incapacitates");

/** The first condition that leaves a creature unable to act and to dodge blows, if it has one. */
export const helplessCondition = (creature: ConditionBearer): string | undefined =>
  helpless.find((condition) => hasCondition(creature, condition));

export const incapacitatingCondition = (creature: ConditionBearer): string | undefined =>
  incapacitating.find((condition) => hasCondition(creature, condition));

/** A dodge has no effect for a creature that cannot act or cannot move. */
export const benefitsFromDodge = (creature: ConditionBearer, dodging: boolean): boolean =>
  dodging &&
  incapacitatingCondition(creature) === undefined &&
  !hasCondition(creature, "Grappled") &&
  !hasCondition(creature, "Restrained");

/** Hit points are 0, or the condition says so. */
export const isUnconscious = (player: Player): boolean => player.currentHP === 0 || hasCondition(player, "Unconscious");

const exhaustionText = /^exhaust(?:ion|ed)(?:\W+(?:level\W+)?([1-6])\W*)?$/;

export const isExhaustion = (written: string): boolean => exhaustionText.test(fold(written));

/** The field of the sheet, or a condition that says it, like "Exhaustion 2"; one without a number is level 1. The higher counts. */
export const exhaustionLevel = ({ exhaustion, conditions }: Player): number =>
  Math.max(
    exhaustion,
    ...conditions.map((written) => {
      const match = exhaustionText.exec(fold(written));
      return match === null ? 0 : Number(match[1] ?? 1);
    }),
  );

/** 5.1: the fourth level of exhaustion halves it. */
export const hitPointMaximum = (player: Player, edition: Game["edition"]): number =>
  edition === "5.1" && exhaustionLevel(player) >= 4 ? Math.floor(player.maxHP / 2) : player.maxHP;

/** An unconscious creature lies prone. */
export const isProne = (creature: ConditionBearer): boolean =>
  hasCondition(creature, "Prone") || hasCondition(creature, "Unconscious");

/** Why the character cannot act at all, in a few words; `undefined` when it can. */
export const cannotAct = (player: Player): string | undefined => {
  if (exhaustionLevel(player) >= 6) return "is dead of exhaustion";
  if (hasCondition(player, "Dead")) return "is dead";
  if (player.currentHP === 0) return "is at 0 hit points";
  const condition = incapacitatingCondition(player);
  return condition === undefined ? undefined : `is ${fold(condition)}`;
};

/** A halfling's luck: by species, or by its own feature. The Lucky feat is another rule, and not in the SRD 5.1. */
export const hasHalflingLuck = (player: Player): boolean =>
  /\bhalfling\b/.test(fold(player.race)) ||
  player.features.some(({ name, source = "" }) =>
    ["luck", "lucky", "halfling luck", "halfling lucky"].includes(fold(name))
      ? /halfling|race|species/i.test(source)
      : false,
  );
