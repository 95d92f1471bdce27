/**
 * A saving throw of a creature: what it rolls, and when it fails without rolling. Its one number is the creature's own bonus.
 * Not here: what it is against (`spell-save.ts`, `rider.ts`), and saves of the character (`save.ts`).
 */
import type { Ability, Change, Npc } from "@fairlead/contracts/rules";
import type { Edition } from "../data/weapons.ts";
import type { Cause } from "../result/trace.ts";
import { benefitsFromDodge, hasCondition, helplessCondition, identify } from "../sheet/character.ts";
import { fold, sameName } from "../sheet/names.ts";
import type { D20Test, Modifier } from "./d20.ts";
import { markEffects, marksEndedBySave } from "./marks.ts";

const when = (holds: boolean, cause: Cause): readonly Cause[] => (holds ? [cause] : []);

/** The mark of a Staggering Blow (5.2). */
export const staggeredCondition = "Staggered";

/** What it saves against. */
interface SaveOptions {
  readonly edition: Edition;
  /** A spell, or another magical effect. */
  readonly magical?: boolean;
  /** Why its kind saves badly against this. */
  readonly disadvantage?: Cause | undefined;
  /** Cover does not help. */
  readonly throughCover?: boolean;
}

export const hasTrait = ({ traits }: Npc, trait: string): boolean => traits.some((name) => sameName(name, trait));

export const creatureSave = (
  target: Npc,
  ability: Ability,
  { edition, magical = false, throughCover = false, disadvantage }: SaveOptions,
): D20Test => {
  const marks = markEffects(target, edition, { roll: "save", ability });
  const { id, name, savingThrowBonus, savingThrows, cover } = target;
  const dexterity = ability === "dexterity";
  const shelter = !dexterity || throughCover ? 0 : cover === "half" ? 2 : cover === "three_quarters" ? 5 : 0;
  const behind: Modifier = { label: "Cover", amount: shelter, rule: "cover", why: `${cover.replace("_", "-")} cover` };
  return {
    purpose: `saving throw of ${name}`,
    /** Of several goblins each saves for itself, while the damage of one seed is the same for all. */
    stream: `saving throw of ${id === "" ? name : id}`,
    advantages: [
      ...when(dexterity && benefitsFromDodge(target, target.dodging), { rule: "dodge", why: `${name} dodges` }),
      ...when(magical && hasTrait(target, "Magic Resistance"), {
        rule: "creature-trait",
        why: `Magic Resistance of ${name}`,
      }),
      ...marks.advantages,
    ],
    disadvantages: [
      ...when(dexterity && hasCondition(target, "Restrained"), { rule: "condition", why: `${name} is restrained` }),
      ...(disadvantage === undefined ? [] : [disadvantage]),
      ...when(hasCondition(target, staggeredCondition), { rule: "brutal-strike", why: `${name} is staggered` }),
      ...marks.disadvantages,
    ],
    modifiers: [
      {
        label: "Save",
        amount: savingThrows?.[ability] ?? savingThrowBonus,
        rule: "d20-test",
        why: `saving throw bonus of ${name}`,
      },
      ...(shelter === 0 ? [] : [behind]),
      ...marks.modifiers,
    ],
    bonusDice: marks.bonusDice,
  };
};

/** Why the creature passes, whatever it rolls: the mark of a Legendary Resistance that is used. */
export const passesAnyway = (target: Npc): Cause | undefined =>
  hasCondition(target, "Legendary Resistance")
    ? { rule: "creature-trait", why: `Legendary Resistance of ${target.name}` }
    : undefined;

/** What the creature's roll ends. */
export const conditionsEndedBySave = (target: Npc, edition: Edition, ability: Ability): readonly Change[] => [
  ...marksEndedBySave(target, edition, ability),
  ...(hasCondition(target, staggeredCondition)
    ? [
        {
          ...identify(target),
          field: "conditions",
          op: "remove",
          value: staggeredCondition,
          why: "it was for one saving throw",
        } as const,
      ]
    : []),
];

/** Why the creature fails without a roll. */
export const automaticFailure = (target: Npc, ability: Ability): Cause | undefined => {
  if (ability !== "strength" && ability !== "dexterity") return undefined;
  const condition = helplessCondition(target);
  return condition === undefined ? undefined : { rule: "condition", why: `${target.name} is ${fold(condition)}` };
};
