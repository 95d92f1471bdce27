/**
 * Spells of the SRD that need neither an attack roll nor a save and leave a mark or an effect, end conditions, or depend on hit points: Bless, Hunter's Mark, Lesser
 * Restoration, Power Word Stun, the Sleep of 5.1. Facts under CC-BY-4.0, see NOTICE; no descriptions.
 *
 * Not here: what a mark does to rolls (`effects/table.ts`) and to damage (`mark-defences.ts`).
 */
import type { Ability, DamageType } from "@fairlead/contracts/rules";
import { type SureSpell, sureSpells } from "./sure-spells.ts";
import { type Edition, weaponDice } from "./weapons.ts";

/**
 * name | level | range | creatures of one casting, `+`: one more a slot level; empty: all | what it leaves, several with `&`; of several with `or` the caller chooses |
 * c concentration, e an effect of the caster's (aimed at the target, unless the range is 0), l not the undead | amount | conditions that it ends, `1` before them: one of these.
 * The amount: `<=150` works on that many hit points or fewer, `pool 5d8^2` on so many hit points of creatures in all, and dice with a type are damage. `a / b`: 5.1 / 5.2; `-`: not in that edition.
 */
const table = `
Barkskin                      | 2 | 5   | 1    | Barkskin                      | c /  |                     |
Beacon of Hope                | 3 | 30  |      | Beacon of Hope                | c    |                     |
Bless                         | 1 | 30  | 3+   | Bless                         | c    |                     |
Blur                          | 2 | 0   | 1    | Blur                          | c    |                     |
Color Spray                   | 1 | 15  |      | Blinded / -                   |      | pool 6d10^2         |
Dispel Evil and Good          | 5 | 0   | 1    | Dispel Evil and Good          | c    |                     |
Divine Favor                  | 1 | 0   | 1    | Divine Favor                  | ce / e |                   |
Enhance Ability               | 2 | 5   | 1+   | Bear's Endurance or Bull's Strength or Cat's Grace or Eagle's Splendor or Fox's Cunning or Owl's Wisdom / Bull's Strength or Cat's Grace or Eagle's Splendor or Fox's Cunning or Owl's Wisdom | c | |
Enlarge/Reduce                | 2 | 30  | 1    | Enlarge or Reduce             | c    |                     |
Fire Shield                   | 4 | 0   | 1    | Fire Shield (warm) or Fire Shield (chill) |  |             |
Foresight                     | 9 | 5   | 1    | Foresight                     |      |                     |
Freedom of Movement           | 4 | 5   | 1 / 1+ | Freedom of Movement         |      |                     |
Gaseous Form                  | 3 | 5   | 1 / 1+ | Gaseous Form                | c    |                     |
Greater Invisibility          | 4 | 5   | 1    | Invisible                     | c    |                     |
Greater Restoration           | 5 | 5   | 1    |                               |      |                     | 1 Charmed, Petrified
Guidance                      | 0 | 5   | 1    | Guidance                      | c    |                     |
Haste                         | 3 | 30  | 1    | Haste                         | c    |                     |
Heat Metal                    | 2 | 60  | 1    |                               | c    | 2d8^1 fire          |
Heroes' Feast                 | 6 | 30  | 13   | Heroes' Feast                 |      |                     | Poisoned
Heroism                       | 1 | 5   | 1+   | Heroism                       | c    |                     | Frightened
Hex                           | 1 | 90  | 1    | - / Hex                       | ce   |                     |
Holy Aura                     | 8 | 30  |      | Holy Aura                     | c    |                     |
Hunter's Mark                 | 1 | 90  | 1    | Hunter's Mark                 | ce   |                     |
Invisibility                  | 2 | 5   | 1+   | Invisible                     | c    |                     |
Irresistible Dance            | 6 | 30  | 1    | Irresistible Dance / -        | c    |                     |
Lesser Restoration            | 2 | 5   | 1    |                               |      |                     | 1 Blinded, Deafened, Paralyzed, Poisoned
Levitate                      | 2 | 60  | 1    | Levitate                      | c    |                     |
Mage Armor                    | 1 | 5   | 1    | Mage Armor                    |      |                     |
Magic Weapon                  | 2 | 5   | 1    | Magic Weapon                  | c /  |                     |
Mass Heal                     | 9 | 60  |      |                               |      |                     | Blinded, Deafened / Blinded, Deafened, Poisoned
Mirror Image                  | 2 | 0   | 1    | Mirror Image                  |      |                     |
Mislead                       | 5 | 0   | 1    | Invisible                     | c    |                     |
Pass without Trace            | 2 | 30  |      | Pass without Trace            | c    |                     |
Power Word Heal               | 9 | 60  | 1    | -                             |      | - / all             | Charmed, Frightened, Paralyzed, Poisoned, Stunned
Power Word Kill               | 9 | 60  | 1    | Dead                          |      | <=100 / <=100 12d12 psychic |
Power Word Stun               | 8 | 60  | 1    | Stunned                       |      | <=150 con           |
Protection from Energy        | 3 | 5   | 1    | Protection from Energy (acid) or Protection from Energy (cold) or Protection from Energy (fire) or Protection from Energy (lightning) or Protection from Energy (thunder) | c | |
Protection from Evil and Good | 1 | 5   | 1    | Protection from Evil and Good | c    |                     |
Protection from Poison        | 2 | 5   | 1    | Protection from Poison        |      |                     | Poisoned
Resistance                    | 0 | 5   | 1    | Resistance                    | c    |                     |
Sanctuary                     | 1 | 30  | 1    | Sanctuary                     |      |                     |
See Invisibility              | 2 | 0   | 1    | See Invisibility              |      |                     |
Shield of Faith               | 1 | 60  | 1    | Shield of Faith               | c    |                     |
Sleep                         | 1 | 110 |      | Unconscious / -               | l    | pool 5d8^2          |
Spike Growth                  | 2 | 150 |      |                               | c    | 2d4 piercing        |
True Strike                   | 0 | 30  | 1    | True Strike / -               | ce   |                     |
Warding Bond                  | 2 | 5   | 1    | Warding Bond                  |      |                     |
`;

const saves: Readonly<Record<string, Ability>> = { con: "constitution", wis: "wisdom" };

interface Amount {
  readonly upTo: number | undefined;
  readonly again: Ability | undefined;
  readonly pool: boolean;
  readonly all: boolean;
  readonly dice: string;
  readonly perSlot: number;
  readonly damageType: DamageType | undefined;
}

/** A named boundary: the tables have names of damage types alone. */
const damageType = (word: string | undefined): DamageType | undefined => word as DamageType | undefined;

const parseAmount = (cell: string): Amount => {
  const words = cell.split(" ").filter((word) => word !== "");
  const limit = words.find((word) => word.startsWith("<="));
  const [dice = "0", more = "0"] = (words.find((word) => /^\d+d\d+/.test(word)) ?? "0").split("^");
  const named = words.find(
    (word) => /^[a-z]+$/.test(word) && !["pool", "all"].includes(word) && saves[word] === undefined,
  );
  return {
    upTo: limit === undefined ? undefined : Number(limit.slice(2)),
    again: saves[words.at(-1) ?? ""],
    pool: words.includes("pool"),
    all: words.includes("all"),
    dice,
    perSlot: Number(more),
    damageType: damageType(named),
  };
};

const splitWords = (cell: string, by: string): readonly string[] =>
  cell
    .split(by)
    .map((word) => word.trim())
    .filter((word) => word !== "");

const parseRow = (line: string, edition: Edition): SureSpell | undefined => {
  const cells = line.split("|").map((cell) => {
    const [first = "", second = first] = `${cell} `.split(" / ").map((part) => part.trim());
    return edition === "5.1" ? first : second;
  });
  const [name = "", level = "", range = "", most = "", leaves = "", flags = "", amount = "", cures = ""] = cells;
  const { dice, all, ...rolled } = parseAmount(amount === "-" ? "" : amount);
  if (leaves === "-" && !all) return undefined;
  const strikes = rolled.damageType !== undefined && rolled.upTo === undefined;
  const choices = splitWords(leaves, " or ");
  return {
    name,
    level: Number(level),
    gives: strikes ? "damage" : all ? "healing" : "boon",
    dice: weaponDice(dice),
    flat: 0,
    modifier: false,
    perSlot: { dice: rolled.perSlot, flat: 0 },
    damageType: rolled.damageType,
    darts: 0,
    range: Number(range),
    most: most === "" ? Number.POSITIVE_INFINITY : Number.parseInt(most, 10),
    mostPerSlot: most.endsWith("+") ? 1 : 0,
    living: false,
    boon: {
      leaves: leaves === "-" || choices.length > 1 ? [] : splitWords(leaves, " & "),
      choices: choices.length > 1 ? choices : [],
      aimed: flags.includes("e"),
      ...{ upTo: rolled.upTo, pool: rolled.pool, again: rolled.again, all },
      cures: splitWords(cures.replace(/^1 /, ""), ","),
      curesOne: cures.startsWith("1 "),
      never: flags.includes("l") ? ["undead"] : [],
    },
    concentration: flags.includes("c"),
  };
};

const parseRows = (edition: Edition): readonly SureSpell[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => parseRow(line, edition) ?? []);

/** Every spell that needs neither an attack roll nor a save. */
export const allSureSpells: Readonly<Record<Edition, readonly SureSpell[]>> = {
  "5.1": [...sureSpells["5.1"], ...parseRows("5.1")],
  "5.2": [...sureSpells["5.2"], ...parseRows("5.2")],
};

/** Marks that these spells leave. */
export const boonMarks: readonly string[] = [...allSureSpells["5.1"], ...allSureSpells["5.2"]].flatMap(({ boon }) =>
  boon === undefined ? [] : [...boon.leaves, ...boon.choices],
);
