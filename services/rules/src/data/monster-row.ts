/** A monster of the SRD as data: numbers, names and tags of its stat block, without its text. The rows are in `gen/`, written by `import/`. */
import type { Ability, DamageType, Npc, Skill } from "@fairlead/contracts/rules";

/** Dice with their type; `average` is the number that the stat block prints. */
export interface MonsterDamage {
  /** Like "2d6+3", "2d6" or "1". */
  readonly dice: string;
  readonly average: number;
  readonly type?: DamageType;
}

export interface MonsterAttack {
  readonly name: string;
  readonly kind: "melee" | "ranged" | "both";
  /** Attack bonus as printed. */
  readonly hit: number;
  /** What a hit deals: first its own damage, then what comes in addition. */
  readonly damage: readonly MonsterDamage[];
}

/** A condition that a failed save leaves. */
export interface MonsterMark {
  readonly name: string;
  /** How long; `own`: of the creature that has it, else of the monster. It has no end of its own where this is left out. */
  readonly until?: "minute" | "own start" | "own end" | "start" | "end";
  /** A save at the end of each of its turns ends it. */
  readonly again?: true;
}

/** What makes others save, like a breath. */
export interface MonsterEffect {
  readonly name: string;
  readonly ability: Ability;
  readonly dc: number;
  readonly damage?: MonsterDamage;
  readonly onSuccess: "half" | "none";
  /** The lowest number of a d6 that gives it back at the start of a turn. */
  readonly recharge?: number;
  readonly leaves?: readonly MonsterMark[];
}

/** What it may do at the end of another creature's turn. */
export interface LegendaryAction {
  readonly name: string;
  /** Of its three, 1 where it is left out. */
  readonly cost?: number;
  /** The attack that it makes. */
  readonly attack?: string;
  /** What makes others save. */
  readonly effect?: MonsterEffect;
  /** It comes back at the start of its turn. */
  readonly once?: true;
}

export const senseNames = ["darkvision", "blindsight", "tremorsense", "truesight"] as const;
export type SenseName = (typeof senseNames)[number];

export interface MonsterRow {
  readonly name: string;
  /** Challenge rating; 0.25 for 1/4. */
  readonly cr: number;
  readonly type: string;
  readonly size: Npc["size"];
  readonly ac: number;
  readonly hp: number;
  readonly hitDice: string;
  /** Strength, Dexterity, Constitution, Intelligence, Wisdom, Charisma. */
  readonly stats: readonly [number, number, number, number, number, number];
  /** Printed bonuses, where they are not those of the ability. */
  readonly saves?: Readonly<Partial<Record<Ability, number>>>;
  readonly skills?: Readonly<Partial<Record<Skill, number>>>;
  /** Total of the initiative modifier, where it is not that of Dexterity (5.2). */
  readonly initiative?: number;
  readonly resistances?: readonly DamageType[];
  readonly vulnerabilities?: readonly DamageType[];
  readonly immunities?: readonly DamageType[];
  /** What it has against bludgeoning, piercing and slashing damage of attacks that are not magical (5.1). */
  readonly nonmagical?: "resistance" | "immunity";
  /** Weapons of this metal are an exception to that. */
  readonly unless?: "silvered" | "adamantine";
  /** Attacks of a Multiattack; 1 without one. */
  readonly attacksPerAction?: number;
  /** Special senses, in feet. */
  readonly senses?: Readonly<Partial<Record<SenseName, number>>>;
  readonly traits?: readonly string[];
  readonly attacks?: readonly MonsterAttack[];
  readonly effects?: readonly MonsterEffect[];
  readonly legendary?: readonly LegendaryAction[];
  /** Failed saves a day that it may pass instead, outside of its lair. */
  readonly legendaryResistance?: number;
}
