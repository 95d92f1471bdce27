/**
 * Spells of the SRD whose damage a saving throw avoids or halves, with their numbers in both editions. Facts under CC-BY-4.0, see
 * NOTICE; no descriptions. Left out: spells whose damage the caster splits.
 */
import type { Ability, DamageType } from "@fairlead/contracts/rules";
import { type Edition, type WeaponDice, weaponDice } from "./weapons.ts";

interface SaveDamage {
  readonly dice: WeaponDice;
  /** Flat number added to the dice. */
  readonly flat: number;
  /** `undefined` where the caster chooses. */
  readonly damageType: DamageType | undefined;
  /** Dice added for every slot level above the spell's own; for cantrips 0. */
  readonly perSlot: number;
  /** The dice of a cantrip are those of the character's level already. */
  readonly grown?: true;
}

/** How a spell strikes creatures of a type; a save with disadvantage, one that fails, or no effect at all. */
interface Weakness {
  readonly type: string;
  readonly save: "disadvantage" | "fails" | "unaffected";
  /** The dice show their highest faces. */
  readonly most?: true;
}

export interface SaveSpell {
  readonly name: string;
  /** 0 for a cantrip, whose dice multiply with the character's level. */
  readonly level: number;
  readonly ability: Ability;
  readonly damage: readonly SaveDamage[];
  readonly onSuccess: "half" | "none";
  /** Its damage leaves 1 hit point. */
  readonly spares: boolean;
  /** Creature types that it strikes harder, or not at all. */
  readonly weak: readonly Weakness[];
  /** Cover does not help against it. */
  readonly throughCover: boolean;
  /** How many feet away a creature can be: the range and the radius around it, or the length of an area from the caster. */
  readonly range: number;
  /** How many creatures one casting can be on; `undefined` for all in an area. */
  readonly most: MostTargets | undefined;
  readonly concentration: boolean;
}

/** Creatures at the spell's own level, and for every slot level above it. */
interface MostTargets {
  readonly count: number;
  readonly perSlot: 0 | 1;
}

/** "3+" is three, and one more a slot level; an empty cell is no limit. */
export const parseMost = (cell: string): MostTargets | undefined =>
  cell === "" ? undefined : { count: Number.parseInt(cell, 10), perSlot: cell.endsWith("+") ? 1 : 0 };

/** "60+10" feet; `any` has no limit here. */
export const parseRange = (cell: string): number =>
  cell === "any" ? Number.POSITIVE_INFINITY : cell.split("+").reduce((sum, feet) => sum + Number(feet), 0);

/** name | level | save | damage, several with `&`; `^n`: n more dice a slot level, `chosen`: the caster chooses the type | what a success leaves | range, `+` radius | creatures of one casting, `+`: one more a slot level; empty: all in an area | c concentration. `a / b`: 5.1 / 5.2. */
const table = `
Acid Splash            | 0 | dex       | 1d6 acid                                                     | none | 60      | 2 / |
Befuddlement           | 8 | int       | - / 10d12 psychic                                            | half | 150     | 1   |
Black Tentacles        | 4 | dex / str | 3d6 bludgeoning                                              | none | 90      |     | c
Blade Barrier          | 6 | dex       | 6d10 slashing / 6d10 force                                   | half | 90      |     | c
Blight                 | 4 | con       | 8d8^1 necrotic                                               | half | 30      | 1   |
Burning Hands          | 1 | dex       | 3d6^1 fire                                                   | half | 15      |     |
Call Lightning         | 3 | dex       | 3d10^1 lightning                                             | half | 120+5   |     | c
Chain Lightning        | 6 | dex       | 10d8 lightning                                               | half | 150     | 4+  |
Circle of Death        | 6 | con       | 8d6^2 necrotic / 8d8^2 necrotic                              | half | 150+60  |     |
Cloudkill              | 5 | con       | 5d8^1 poison                                                 | half | 120+20  |     | c
Cone of Cold           | 5 | con       | 8d8^1 cold                                                   | half | 60      |     |
Conjure Animals        | 3 | dex       | - / 3d10^1 slashing                                          | none | 60+10   |     | c
Conjure Elemental      | 5 | dex       | - / 8d8^1 chosen                                             | none | 60+5    |     | c
Conjure Woodland Beings | 4 | wis      | - / 5d8^1 force                                              | half | 10      |     | c
Contagion              | 5 | con       | - / 11d8 necrotic                                            | none | 5       | 1   |
Control Water          | 4 | str       | 2d8 bludgeoning                                              | half | 300     |     | c
Delayed Blast Fireball | 7 | dex       | 12d6^1 fire                                                  | half | 150+20  |     | c
Disintegrate           | 6 | dex       | 10d6^3+40 force                                              | none | 60      | 1   |
Dissonant Whispers     | 1 | wis       | - / 3d6^1 psychic                                            | half | 60      | 1   |
Dragon's Breath        | 2 | dex       | - / 3d6^1 chosen                                             | half | 15      |     | c
Dream                  | 5 | wis       | 3d6 psychic                                                  | none | any     | 1   |
Faithful Hound         | 4 | dex       | - / 4d8 force                                                | none | 30      | 1   |
Finger of Death        | 7 | con       | 7d8+30 necrotic                                              | half | 60      | 1   |
Fire Storm             | 7 | dex       | 7d10 fire                                                    | half | 150     |     |
Fireball               | 3 | dex       | 8d6^1 fire                                                   | half | 150+20  |     |
Flame Strike           | 5 | dex       | 4d6^1 fire & 4d6 radiant / 5d6^1 fire & 5d6^1 radiant        | half | 60+10   |     |
Flaming Sphere         | 2 | dex       | 2d6^1 fire                                                   | half | 60+5    |     | c
Freezing Sphere        | 6 | con       | 10d6^1 cold                                                  | half | 300+60  |     |
Glyph of Warding       | 3 | dex       | 5d8^1 chosen                                                 | half | 20      |     |
Guardian of Faith      | 4 | dex       | 20 radiant                                                   | half | 30+10   |     |
Harm                   | 6 | con       | 14d6 necrotic                                                | half | 60      | 1   |
Hellish Rebuke         | 1 | dex       | 2d10^1 fire                                                  | half | 60      | 1   |
Ice Storm              | 4 | dex       | 2d8^1 bludgeoning & 4d6 cold / 2d10^1 bludgeoning & 4d6 cold | half | 300+20  |     |
Incendiary Cloud       | 8 | dex       | 10d8 fire                                                    | half | 150+20  |     | c
Inflict Wounds         | 1 | con       | - / 2d10^1 necrotic                                          | half | 5       | 1   |
Insect Plague          | 5 | con       | 4d10^1 piercing                                              | half | 300+20  |     | c
Lightning Bolt         | 3 | dex       | 8d6^1 lightning                                              | half | 100     |     |
Meteor Swarm           | 9 | dex       | 20d6 fire & 20d6 bludgeoning                                 | half | 5280+40 |     |
Mind Spike             | 2 | wis       | - / 3d8^1 psychic                                            | half | 120     | 1   | c
Moonbeam               | 2 | con       | 2d10^1 radiant                                               | half | 120+5   |     | c
Phantasmal Killer      | 4 | wis       | - / 4d10^1 psychic                                           | half | 120     | 1   | c
Poison Spray           | 0 | con       | 1d12 poison / -                                              | none | 10      | 1   |
Prismatic Spray        | 7 | dex       | 10d6 chosen / 12d6 chosen                                    | half | 60      |     |
Prismatic Wall         | 9 | dex       | 10d6 chosen / 12d6 chosen                                    | half | 60      |     |
Sacred Flame           | 0 | dex       | 1d8 radiant                                                  | none | 60      | 1   |
Shatter                | 2 | con       | 3d8^1 thunder                                                | half | 60+10   |     |
Spirit Guardians       | 3 | wis       | 3d8^1 chosen                                                 | half | 15      |     | c
Storm of Vengeance     | 9 | con       | 2d6 thunder                                                  | none | any     |     | c
Sunbeam                | 6 | con       | 6d8 radiant                                                  | half | 60      |     | c
Sunburst               | 8 | con       | 12d6 radiant                                                 | half | 150+60  |     |
Symbol                 | 7 | con       | 10d10 necrotic                                               | half | 60      |     |
Thunderwave            | 1 | con       | 2d8^1 thunder                                                | half | 15      |     |
Tsunami                | 8 | str       | - / 6d10 bludgeoning                                         | half | any     |     | c
Vicious Mockery        | 0 | wis       | 1d4 psychic / 1d6 psychic                                    | none | 60      | 1   |
Vitriolic Sphere       | 4 | dex       | - / 10d4^2 acid                                              | half | 150+20  |     |
Wall of Fire           | 4 | dex       | 5d8^1 fire                                                   | half | 120     |     | c
Wall of Ice            | 6 | dex       | 10d6^2 cold                                                  | half | 120     |     | c
Wall of Thorns         | 6 | dex       | 7d8^1 piercing                                               | half | 120     |     | c
Weird                  | 9 | wis       | - / 10d10 psychic                                            | half | 120+30  |     | c
Wind Wall              | 3 | str       | 3d8 bludgeoning / 4d8 bludgeoning                            | half | 120     |     | c
`;

const badly = (type: string) => ({ type, save: "disadvantage" }) as const;
const never = (type: string) => ({ type, save: "unaffected" }) as const;

/** Spells that depend on the creature's type. */
const weaknesses: Readonly<Record<Edition, Readonly<Record<string, readonly Weakness[]>>>> = {
  "5.1": {
    Blight: [{ ...badly("plant"), most: true }, never("undead"), never("construct")],
    Sunbeam: [badly("undead"), badly("ooze")],
    Sunburst: [badly("undead"), badly("ooze")],
  },
  "5.2": { Blight: [{ type: "plant", save: "fails" }], Shatter: [badly("construct")] },
};

const saves = { str: "strength", dex: "dexterity", con: "constitution", int: "intelligence", wis: "wisdom" } as const;

const parseDamage = (cell: string): readonly SaveDamage[] =>
  cell.split(" & ").map((part) => {
    const [, dice = "0", more = "0", plus = "0", alone = "0", type = ""] =
      /^(?:(\d+d\d+)(?:\^(\d+))?(?:\+(\d+))?|(\d+)) (\w+)$/.exec(part) ?? [];
    const damageType = type === "chosen" ? undefined : (type as DamageType);
    return { dice: weaponDice(dice), flat: Number(plus) + Number(alone), damageType, perSlot: Number(more) };
  });

const parseRow = (line: string, edition: Edition): SaveSpell | undefined => {
  const cells = line.split("|").map((cell) => {
    const [first = "", second = first] = `${cell} `.split(" / ").map((part) => part.trim());
    return edition === "5.1" ? first : second;
  });
  const [name = "", level = "", save = "", damage = "", onSuccess = "", range = "", most = "", flags = ""] = cells;
  if (damage === "-") return undefined;
  return {
    name,
    level: Number(level),
    ability: saves[save as keyof typeof saves],
    damage: parseDamage(damage),
    onSuccess: onSuccess === "half" ? "half" : "none",
    spares: name === "Harm" && edition === "5.1",
    weak: weaknesses[edition][name] ?? [],
    throughCover: name === "Sacred Flame",
    range: parseRange(range),
    most: parseMost(most),
    concentration: flags.includes("c"),
  };
};

const parseRows = (edition: Edition): readonly SaveSpell[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => parseRow(line, edition) ?? []);

export const saveSpells: Readonly<Record<Edition, readonly SaveSpell[]>> = {
  "5.1": parseRows("5.1"),
  "5.2": parseRows("5.2"),
};
