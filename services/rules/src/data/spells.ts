/**
 * Spells of the SRD whose damage follows a spell attack roll, with their numbers in both editions. Facts under CC-BY-4.0, see
 * NOTICE; no descriptions. Not here: spells that force a save.
 */
import type { DamageType } from "@fairlead/contracts/rules";
import { type Edition, type WeaponDice, weaponDice } from "./weapons.ts";

type Growth =
  /** Cantrip whose dice multiply with the character's level. */
  | { readonly kind: "dice" }
  /** Cantrip that becomes several beams with the character's level, each with its own roll. */
  | { readonly kind: "beams" }
  /** Dice added for every `levels` slot levels above the spell's own. */
  | { readonly kind: "slot"; readonly count: number; readonly levels: 1 | 2 }
  /** Rays, each with its own roll: `rays`, and one more for every slot level above. */
  | { readonly kind: "rays"; readonly rays: number }
  | { readonly kind: "none" };

export interface AttackSpell {
  readonly name: string;
  /** 0 for a cantrip. */
  readonly level: number;
  readonly kind: "melee" | "ranged";
  readonly dice: WeaponDice;
  /** The caster's modifier is added to damage. */
  readonly modifier: boolean;
  /** `undefined` where the caster chooses. */
  readonly damageType: DamageType | undefined;
  /** In feet, 5 for touch; `undefined` for a force that strikes in its own place. */
  readonly range: number | undefined;
  readonly growth: Growth;
  /** A miss deals half the damage. */
  readonly splashes: boolean;
  /** Added to attack and damage, where a sheet says so. */
  readonly bonus?: number;
}

/** name | level | m/r | dice, `+` for the modifier | type | range | growth. `a / b`: 5.1 / 5.2; `-`: not in that edition. */
const table = `
Acid Arrow       | 2 | r | 4d4            | acid      | 90       | slot 1
Arcane Hand      | 5 | m | 4d8 / 5d8      | force     | 0        | slot 2
Arcane Sword     | 7 | m | 3d10 / 4d12+   | force     | 0        | none
Chill Touch      | 0 | r / m | 1d8 / 1d10 | necrotic  | 120 / 5  | dice
Chromatic Orb    | 1 | r | - / 3d8        | chosen    | 90       | slot 1
Conjure Fey      | 6 | m | - / 3d12+        | psychic  | 0        | slot 1
Eldritch Blast   | 0 | r | 1d10           | force     | 120      | beams
Faithful Hound   | 4 | m | 4d8 / -          | piercing | 0        | none
Fire Bolt        | 0 | r | 1d10           | fire      | 120      | dice
Flame Blade      | 2 | m | 3d6 / 3d6+     | fire      | 5        | half 1 / slot 1
Guiding Bolt     | 1 | r | 4d6            | radiant   | 120      | slot 1
Ice Knife        | 1 | r | - / 1d10       | piercing  | 60       | none
Inflict Wounds   | 1 | m | 3d10 / -       | necrotic  | 5        | slot 1
Poison Spray     | 0 | r | - / 1d12       | poison    | 30       | dice
Produce Flame    | 0 | r | 1d8            | fire      | 30 / 60  | dice
Ray of Frost     | 0 | r | 1d8            | cold      | 60       | dice
Ray of Sickness  | 1 | r | - / 2d8        | poison    | 60       | slot 1
Scorching Ray    | 2 | r | 2d6            | fire      | 120      | rays 3
Shocking Grasp   | 0 | m | 1d8            | lightning | 5        | dice
Sorcerous Burst  | 0 | r | - / 1d8          | chosen   | 120      | dice
Spiritual Weapon | 2 | m | 1d8+           | force     | 0        | half 1 / slot 1
Starry Wisp      | 0 | r | - / 1d8        | radiant   | 60       | dice
Vampiric Touch   | 3 | m | 3d6            | necrotic  | 5        | slot 1
`;

const parseGrowth = (cell: string): Growth => {
  const [kind = "", number = ""] = cell.split(" ");
  switch (kind) {
    case "dice":
      return { kind: "dice" };
    case "beams":
      return { kind: "beams" };
    case "rays":
      return { kind: "rays", rays: Number(number) };
    case "slot":
      return { kind: "slot", count: Number(number), levels: 1 };
    case "half":
      return { kind: "slot", count: Number(number), levels: 2 };
    default:
      return { kind: "none" };
  }
};

const parseRow = (line: string, edition: Edition): AttackSpell | undefined => {
  const cells = line.split("|").map((cell) => {
    const [first = "", second = first] = cell.split(" / ").map((part) => part.trim());
    return edition === "5.1" ? first : second;
  });
  const [name = "", level = "", kind = "", dice = "", type = "", range = "", growth = ""] = cells;
  if (dice === "-") return undefined;
  return {
    name,
    level: Number(level),
    kind: kind === "m" ? "melee" : "ranged",
    dice: weaponDice(dice.replace("+", "")),
    modifier: dice.endsWith("+"),
    damageType: type === "chosen" ? undefined : (type as DamageType),
    range: range === "0" ? undefined : Number(range),
    growth: parseGrowth(growth),
    splashes: name === "Acid Arrow",
  };
};

const parseRows = (edition: Edition): readonly AttackSpell[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => parseRow(line, edition) ?? []);

export const attackSpells: Readonly<Record<Edition, readonly AttackSpell[]>> = {
  "5.1": parseRows("5.1"),
  "5.2": parseRows("5.2"),
};
