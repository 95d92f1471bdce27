/**
 * The weapon tables of the SRD 5.1 and the SRD 5.2 as one list of rows; a column that differs has both editions.
 * Facts under CC-BY-4.0, see NOTICE. Not here: whether a character owns or masters a weapon.
 */
import type { DamageType } from "@fairlead/contracts/rules";

export type Edition = "5.1" | "5.2";

export type Property =
  | "ammunition"
  | "finesse"
  | "heavy"
  | "light"
  | "loading"
  | "reach"
  | "special"
  | "thrown"
  | "two-handed"
  | "versatile";

export type Mastery = "Cleave" | "Graze" | "Nick" | "Push" | "Sap" | "Slow" | "Topple" | "Vex";

/** Damage dice of a weapon; `count` 0 means the fixed number in `flat`. */
export interface WeaponDice {
  readonly count: number;
  readonly sides: number;
  readonly flat: number;
}

export interface WeaponRow {
  readonly name: string;
  /** Another spelling: the SRD 5.1 inverts the crossbows. */
  readonly alias?: string;
  readonly category: "simple" | "martial";
  readonly ranged: boolean;
  readonly dice: WeaponDice;
  readonly damageType?: DamageType;
  readonly properties: readonly Property[];
  /** Damage with two hands, for versatile weapons. */
  readonly versatile?: WeaponDice;
  /** Normal and long range in feet, for ammunition and thrown. */
  readonly range?: readonly [normal: number, long: number];
  /** Only in 5.2. */
  readonly mastery?: Mastery;
}

/** Reads "2d6" or "1". The tables below and the contract's pattern hold nothing else. */
export const weaponDice = (text: string): WeaponDice => {
  const [dice = "", flat = 0] = text.split(/(?=[+-])/);
  const [count, sides] = dice.split("d").map(Number);
  return sides === undefined
    ? { count: 0, sides: 0, flat: count ?? 0 }
    : { count: count ?? 0, sides, flat: Number(flat) };
};

const types = { b: "bludgeoning", p: "piercing", s: "slashing" } as const;

/**
 * name | category and kind (S/M, m/r) | damage and type | properties, versatile die and range in them | mastery.
 * `a / b`: 5.1 / 5.2. `-`: none, or not in that edition.
 */
const table = `
Club            | Sm | 1d4 b            | light                                   | Slow
Dagger          | Sm | 1d4 p            | finesse, light, thrown 20-60            | Nick
Greatclub       | Sm | 1d8 b            | two-handed                              | Push
Handaxe         | Sm | 1d6 s            | light, thrown 20-60                     | Vex
Javelin         | Sm | 1d6 p            | thrown 30-120                           | Slow
Light Hammer    | Sm | 1d4 b            | light, thrown 20-60                     | Nick
Mace            | Sm | 1d6 b            |                                         | Sap
Quarterstaff    | Sm | 1d6 b            | versatile 1d8                           | Topple
Sickle          | Sm | 1d4 s            | light                                   | Nick
Spear           | Sm | 1d6 p            | thrown 20-60, versatile 1d8             | Sap
Dart            | Sr | 1d4 p            | finesse, thrown 20-60                   | Vex
Light Crossbow  | Sr | 1d8 p            | ammunition 80-320, loading, two-handed  | Slow
Shortbow        | Sr | 1d6 p            | ammunition 80-320, two-handed           | Vex
Sling           | Sr | 1d4 b            | ammunition 30-120                       | Slow
Battleaxe       | Mm | 1d8 s            | versatile 1d10                          | Topple
Flail           | Mm | 1d8 b            |                                         | Sap
Glaive          | Mm | 1d10 s           | heavy, reach, two-handed                | Graze
Greataxe        | Mm | 1d12 s           | heavy, two-handed                       | Cleave
Greatsword      | Mm | 2d6 s            | heavy, two-handed                       | Graze
Halberd         | Mm | 1d10 s           | heavy, reach, two-handed                | Cleave
Lance           | Mm | 1d12 p / 1d10 p  | reach, special / heavy, reach, two-handed | Topple
Longsword       | Mm | 1d8 s            | versatile 1d10                          | Sap
Maul            | Mm | 2d6 b            | heavy, two-handed                       | Topple
Morningstar     | Mm | 1d8 p            |                                         | Sap
Pike            | Mm | 1d10 p           | heavy, reach, two-handed                | Push
Rapier          | Mm | 1d8 p            | finesse                                 | Vex
Scimitar        | Mm | 1d6 s            | finesse, light                          | Nick
Shortsword      | Mm | 1d6 p            | finesse, light                          | Vex
Trident         | Mm | 1d6 p / 1d8 p    | thrown 20-60, versatile 1d8 / thrown 20-60, versatile 1d10 | Topple
War Pick        | Mm | 1d8 p            | - / versatile 1d10                      | Sap
Warhammer       | Mm | 1d8 b            | versatile 1d10                          | Push
Whip            | Mm | 1d4 s            | finesse, reach                          | Slow
Blowgun         | Mr | 1 p              | ammunition 25-100, loading              | Vex
Hand Crossbow   | Mr | 1d6 p            | ammunition 30-120, light, loading       | Vex
Heavy Crossbow  | Mr | 1d10 p           | ammunition 100-400, heavy, loading, two-handed | Push
Longbow         | Mr | 1d8 p            | ammunition 150-600, heavy, two-handed   | Slow
Net             | Mr | 0 / -            | special, thrown 5-15                    | -
Musket          | Mr | - / 1d12 p       | ammunition 40-120, loading, two-handed  | Slow
Pistol          | Mr | - / 1d10 p       | ammunition 30-90, loading               | Vex
`;

const pickEdition = (cell: string, edition: Edition): string => {
  const [first = "", second = first] = cell.split(" / ").map((part) => part.trim());
  return edition === "5.1" ? first : second;
};

const parseRow = (line: string, edition: Edition): WeaponRow | undefined => {
  const [name = "", kind = "", damage = "", propertyCell = "", mastery = ""] = line
    .split("|")
    .map((cell) => pickEdition(cell, edition));
  if (damage === "-") return undefined;
  const [dice = "", type = ""] = damage.split(" ");
  const cells = propertyCell
    .split(",")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "" && cell !== "-");
  const values = new Map(cells.map((cell) => cell.split(" ")).map(([property = "", value = ""]) => [property, value]));
  const range = values.get("thrown") ?? values.get("ammunition");
  const [normal, long] = (range ?? "").split("-").map(Number);
  const versatile = values.get("versatile");
  return {
    name,
    ...(name.endsWith(" Crossbow") && { alias: `Crossbow, ${name.split(" ")[0]}` }),
    category: kind.startsWith("S") ? "simple" : "martial",
    ranged: kind.endsWith("r"),
    dice: weaponDice(dice),
    ...(type !== "" && { damageType: types[type as keyof typeof types] }),
    properties: [...values.keys()] as Property[],
    ...(versatile !== undefined && { versatile: weaponDice(versatile) }),
    ...(range !== undefined && { range: [normal ?? 0, long ?? 0] as const }),
    ...(edition === "5.2" && mastery !== "-" && { mastery: mastery as Mastery }),
  };
};

const parseRows = (edition: Edition): readonly WeaponRow[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => parseRow(line, edition) ?? []);

/** 37 weapons in 5.1, 38 in 5.2. */
export const weapons: Readonly<Record<Edition, readonly WeaponRow[]>> = {
  "5.1": parseRows("5.1"),
  "5.2": parseRows("5.2"),
};
