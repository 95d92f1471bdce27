/**
 * A saving throw of a creature: what it rolls, and when it fails without rolling. Its one number is the creature's own bonus.
 * Not here: what it is against (`spell-save.ts`, `rider.ts`), and saves of the character (`save.ts`).
 */
import type { Ability, Change, Npc } from "@fairlead/contracts/rules";
import type { Cause } from "../result/trace.ts";
import { dodges, has, helplessness, whose } from "../sheet/character.ts";
import { fold, same } from "../sheet/names.ts";
import type { D20Test, Modifier } from "./d20.ts";

const when = (holds: boolean, cause: Cause): readonly Cause[] => (holds ? [cause] : []);

/** The mark of a Staggering Blow (5.2). */
export const staggered = "Staggered";

/** What it saves against. */
interface Against {
  /** A spell, or another magical effect. */
  readonly magical?: boolean;
  /** Why its kind saves badly against this. */
  readonly badly?: Cause | undefined;
  /** Cover does not help. */
  readonly throughCover?: boolean;
}

export const hasTrait = ({ traits }: Npc, trait: string): boolean => traits.some((name) => same(name, trait));

export const creatureSave = (
  target: Npc,
  ability: Ability,
  { magical = false, throughCover = false, badly }: Against = {},
): D20Test => {
  const { id, name, savingThrowBonus, cover } = target;
  const dexterity = ability === "dexterity";
  const shelter = !dexterity || throughCover ? 0 : cover === "half" ? 2 : cover === "three_quarters" ? 5 : 0;
  const behind: Modifier = { label: "Cover", amount: shelter, rule: "cover", why: `${cover.replace("_", "-")} cover` };
  return {
    purpose: `saving throw of ${name}`,
    /** Of several goblins each saves for itself, while the damage of one seed is the same for all. */
    stream: `saving throw of ${id === "" ? name : id}`,
    advantages: [
      ...when(dexterity && dodges(target, target.dodging), { rule: "dodge", why: `${name} dodges` }),
      ...when(magical && hasTrait(target, "Magic Resistance"), {
        rule: "creature-trait",
        why: `Magic Resistance of ${name}`,
      }),
    ],
    disadvantages: [
      ...when(dexterity && has(target, "Restrained"), { rule: "condition", why: `${name} is restrained` }),
      ...(badly === undefined ? [] : [badly]),
      ...when(has(target, staggered), { rule: "brutal-strike", why: `${name} is staggered` }),
    ],
    modifiers: [
      { label: "Save", amount: savingThrowBonus, rule: "d20-test", why: `saving throw bonus of ${name}` },
      ...(shelter === 0 ? [] : [behind]),
    ],
    bonusDice: [],
  };
};

/** What the creature's roll ends. */
export const endedBySave = (target: Npc): readonly Change[] =>
  has(target, staggered)
    ? [{ ...whose(target), field: "conditions", op: "remove", value: staggered, why: "it was for one saving throw" }]
    : [];

/** Why the creature fails without a roll. */
export const failsOutright = (target: Npc, ability: Ability): Cause | undefined => {
  if (ability !== "strength" && ability !== "dexterity") return undefined;
  const condition = helplessness(target);
  return condition === undefined ? undefined : { rule: "condition", why: `${target.name} is ${fold(condition)}` };
};
