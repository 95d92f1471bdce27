/**
 * Spells of the SRD that need neither an attack roll nor a save: Magic Missile, healing, temporary hit points. Facts under CC-BY-4.0, see NOTICE; no descriptions.
 *
 * Not here: those that leave marks or end conditions (`boon-spells.ts`).
 */
import type { Ability, DamageType } from "@fairlead/contracts/rules";
import { type Edition, type WeaponDice, weaponDice } from "./weapons.ts";

/** What a spell leaves or ends without a roll. */
export interface Boon {
  /** Marks among the conditions, or effects of the caster. */
  readonly leaves: readonly string[];
  /** One of these, as the caller chooses. */
  readonly choices: readonly string[];
  /** An effect of the caster's, aimed at the target. */
  readonly aimed: boolean;
  /** Conditions that end. */
  readonly cures: readonly string[];
  /** One of them. */
  readonly curesOne: boolean;
  /** It works on a creature with so many hit points or fewer. */
  readonly upTo: number | undefined;
  /** The dice are hit points of creatures that it works on, those with the fewest first. */
  readonly pool: boolean;
  /** All hit points that are missing. */
  readonly all: boolean;
  /** The save at the end of each of its turns that ends it. */
  readonly again: Ability | undefined;
  /** Creature types that it does nothing to. */
  readonly never: readonly string[];
}

export interface SureSpell {
  readonly name: string;
  readonly level: number;
  readonly gives: "damage" | "healing" | "temporary" | "boon";
  readonly dice: WeaponDice;
  readonly flat: number;
  /** The caster's modifier is added. */
  readonly modifier: boolean;
  /** Added for every slot level above the spell's own. */
  readonly perSlot: { readonly dice: number; readonly flat: number };
  readonly damageType: DamageType | undefined;
  /** Darts, each a call of its own; one more for every slot level above. 0 for what is not a dart. */
  readonly darts: number;
  /** In feet, 5 for touch, 0 for the caster alone. */
  readonly range: number;
  /** Creatures that one slot is for, and more for every slot level above. */
  readonly most: number;
  readonly mostPerSlot: 0 | 1;
  /** Does nothing to undead and constructs. */
  readonly living: boolean;
  readonly concentration: boolean;
  readonly boon: Boon | undefined;
}

/** name | level | h healing, t temporary, d a dart of damage | dice, `+N`, `+mod` | a slot level more | range | l for the living alone. `a / b`: 5.1 / 5.2. */
const table = `
Cure Wounds       | 1 | h | 1d8+mod / 2d8+mod   | 1d8 / 2d8 | 5   | l / -
False Life        | 1 | t | 1d4+4 / 2d4+4       | 5         | 0   | -
Heal              | 6 | h | 70                  | 10        | 60  | l / -
Healing Word      | 1 | h | 1d4+mod / 2d4+mod   | 1d4 / 2d4 | 60  | l / -
Magic Missile     | 1 | d | 1d4+1               | 0         | 120 | -
Mass Cure Wounds  | 5 | h | 3d8+mod / 5d8+mod   | 1d8       | 90  | l / -
Mass Healing Word | 3 | h | 1d4+mod / 2d4+mod   | 1d4       | 60  | l / -
Prayer of Healing | 2 | h | 2d8+mod / 2d8       | 1d8       | 30  | l / -
Regenerate        | 7 | h | 4d8+15              | 0         | 5   | -
`;

const kinds = { h: "healing", t: "temporary", d: "damage" } as const;

const several = /^Mass |^Prayer of Healing$/;

const parseRow = (line: string, edition: Edition): SureSpell => {
  const cells = line.split("|").map((cell) => {
    const [first = "", second = first] = cell.split(" / ").map((part) => part.trim());
    return edition === "5.1" ? first : second;
  });
  const [name = "", level = "", kind = "", amount = "", more = "", range = "", living = ""] = cells;
  const parts = amount.split("+");
  const dice = parts.find((part) => part.includes("d")) ?? "0";
  const gives = kinds[kind as keyof typeof kinds];
  return {
    name,
    level: Number(level),
    gives,
    dice: weaponDice(dice === "mod" ? "0" : dice),
    flat: Number(parts.find((part) => /^\d+$/.test(part)) ?? 0),
    modifier: parts.includes("mod"),
    perSlot: more.includes("d") ? { dice: Number(more.split("d")[0]), flat: 0 } : { dice: 0, flat: Number(more) },
    damageType: gives === "damage" ? "force" : undefined,
    darts: gives === "damage" ? 3 : 0,
    range: Number(range),
    most: name === "Prayer of Healing" && edition === "5.2" ? 5 : several.test(name) ? 6 : 1,
    mostPerSlot: 0,
    living: living === "l",
    concentration: false,
    boon: undefined,
  };
};

const parseRows = (edition: Edition): readonly SureSpell[] =>
  table
    .trim()
    .split("\n")
    .map((line) => parseRow(line, edition));

export const sureSpells: Readonly<Record<Edition, readonly SureSpell[]>> = {
  "5.1": parseRows("5.1"),
  "5.2": parseRows("5.2"),
};
