/**
 * What the language of effects says, as data: which entry of a sheet brings a rule, on which rolls it counts, and what it changes.
 *
 * Not here: how it is written (`parse.ts`), and what it does to a roll (`apply.ts`).
 */
import type { Ability, DamageType, Skill } from "@fairlead/contracts/rules";
import type { RuleId } from "../data/catalogue.ts";
import type { Edition } from "../data/weapons.ts";

/** Where a sheet names it. An item counts when it is worn, attuned or at work; `always` is on every sheet. */
export const sourceKinds = ["effect", "feature", "style", "condition", "item", "always"] as const;
/** What is rolled; `hit` is the damage of an attack that hits. Not a roll of its bearer: `attacked`, an attack against it, `armor`, its Armor Class, and `damage`, what it takes. */
export const rollKinds = ["attack", "check", "save", "initiative", "hit", "attacked", "armor", "damage"] as const;
/** What an attack is made with; `weapon` is none of bare hands, and `shooting` is with a ranged weapon, not a thrown one. */
export const attackWords = ["melee", "ranged", "weapon", "spell", "unarmed", "shooting"] as const;
/** What a save is against. */
export const dangers = ["poison", "charm", "fear", "disease", "magic"] as const;
/** What is true of the character. */
export const stateWords = ["raging", "incapacitated", "unconscious", "inspired", "unarmored", "armored"] as const;
/** Numbers of the sheet; `bonus` is that of the effect's own entry. */
export const variables = ["proficiency", "level", "exhaustion", "bonus"] as const;

export type SheetState =
  | { readonly kind: "is"; readonly word: (typeof stateWords)[number] }
  | { readonly kind: "condition"; readonly name: string }
  | { readonly kind: "exhaustion"; readonly level: number };

/** Rolls that a rule counts on; what is left out fits every roll. */
export interface RollTrigger {
  readonly roll: (typeof rollKinds)[number];
  readonly edition: Edition | undefined;
  readonly abilities: readonly Ability[];
  readonly skills: readonly Skill[];
  readonly attack: readonly (typeof attackWords)[number][];
  /** Damage of these types; all where it is empty. */
  readonly damageTypes: readonly DamageType[];
  /** Damage of the type that was chosen with the entry. */
  readonly chosen: boolean;
  /** Damage of a weapon that is not magical. */
  readonly nonmagical: boolean;
  readonly against: (typeof dangers)[number] | undefined;
  /** A check with a skill: any, or the one that the effect's entry names, where it names one. */
  readonly skilled: boolean;
  /** With proficiency, or without; `undefined` for both. */
  readonly proficient: boolean | undefined;
  /** Only for the target that the effect's entry names, where it names one. */
  readonly targeted: boolean;
  readonly all: readonly SheetState[];
  readonly none: readonly SheetState[];
}

/** `times` of a number of the sheet, or that number alone. */
export interface EffectAmount {
  readonly times: number;
  readonly of: Ability | (typeof variables)[number] | undefined;
  readonly halved: boolean;
  readonly least: number | undefined;
}

export type EffectChange =
  | { readonly kind: "advantage" | "disadvantage" | "failure" }
  /** Of damage that is taken. */
  | { readonly kind: "resistance" | "vulnerability" | "immunity" }
  | { readonly kind: "modifier"; readonly amount: EffectAmount; readonly damageType: DamageType | undefined }
  | {
      readonly kind: "dice";
      readonly sign: 1 | -1;
      readonly count: number;
      /** `own`: of the effect's entry, a d6 where it has none. */
      readonly sides: number | "own";
      readonly when: "always" | "on-failure";
      readonly damageType: DamageType | undefined;
    }
  | { readonly kind: "floor" }
  /** The Armor Class is no lower. */
  | { readonly kind: "least"; readonly number: number }
  | { readonly kind: "crit"; readonly from: 18 | 19 };

export interface EffectRule {
  readonly source: { readonly kind: (typeof sourceKinds)[number]; readonly name: string };
  /** Of several changes with one label the best counts. */
  readonly label: string;
  readonly triggers: readonly RollTrigger[];
  readonly change: EffectChange;
  /** It ends with the roll. */
  readonly once: boolean;
  readonly rule: RuleId;
  /** `{name}` and `{exhaustion}` are filled in. */
  readonly why: string;
}
