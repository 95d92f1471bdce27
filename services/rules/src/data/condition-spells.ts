/**
 * Spells of the SRD that leave a condition, or a mark of their own name, on a creature that fails its save, and deal no damage. Facts under CC-BY-4.0, see NOTICE; no
 * descriptions. Not here: spells with damage (`save-spells.ts`), whose conditions are in `spell-effects.ts`.
 */
import { parseMost, type SaveSpell, saveSpells } from "./save-spells.ts";
import type { Edition } from "./weapons.ts";

/** name | level | save | conditions, several with `&` | range, `+` radius | creatures of one casting, `+`: one more a slot level; empty: all in an area | c concentration, r a save at the end of each turn | creature types it works on, `!` that it does not. */
const table = `
Animal Friendship  | 1 | wis | Charmed                   | 30       | 1+     |     | beast
Bane               | 1 | cha | Bane                      | 30       | 3+     | c   |
Banishment         | 4 | cha | Incapacitated             | 60 / 30  | 1+     | c   |
Blindness/Deafness | 2 | con | Blinded                   | 30 / 120 | 1+     | r   |
Charm Monster      | 4 | wis | - / Charmed               | 30       | 1+     |     |
Charm Person       | 1 | wis | Charmed                   | 30       | 1+     |     | humanoid
Color Spray        | 1 | con | - / Blinded               | 15       |        |     |
Command            | 1 | wis | Command                   | 60       | 1+     |     | !undead /
Compulsion         | 4 | wis | Compulsion / Charmed      | 30       |        | c   |
Confusion          | 4 | wis | Confusion                 | 90+10    |        | cr  |
Dominate Beast     | 4 | wis | Charmed                   | 60       | 1      | c   | beast
Dominate Monster   | 8 | wis | Charmed                   | 60       | 1      | c   |
Dominate Person    | 5 | wis | Charmed                   | 60       | 1      | c   | humanoid
Entangle           | 1 | str | Restrained                | 90       |        | c   |
Enthrall           | 2 | wis | Enthrall                  | 60       |        | / c |
Eyebite            | 6 | wis | Unconscious               | 60       | 1      | c   |
Faerie Fire        | 1 | dex | Faerie Fire               | 60       |        | c   |
Fear               | 3 | wis | Frightened                | 30       |        | c   |
Flesh to Stone     | 6 | con | Restrained                | 60       | 1      | cr  |
Grease             | 1 | dex | Prone                     | 60       |        |     |
Gust of Wind       | 2 | str | -                         | 60       |        | c   |
Hideous Laughter   | 1 | wis | Prone & Incapacitated     | 30       | 1 / 1+ | cr  |
Hold Monster       | 5 | wis | Paralyzed                 | 90       | 1+     | cr  | !undead /
Hold Person        | 2 | wis | Paralyzed                 | 60       | 1+     | cr  | humanoid
Hypnotic Pattern   | 3 | wis | Charmed & Incapacitated   | 120      |        | c   |
Irresistible Dance | 6 | wis | - / Charmed               | 30       | 1      | cr  |
Mass Suggestion    | 6 | wis | Mass Suggestion / Charmed | 60       | 12     |     |
Modify Memory      | 5 | wis | Charmed & Incapacitated   | 30       | 1      | c   |
Polymorph          | 4 | wis | Polymorph                 | 60       | 1      | c   |
Resilient Sphere   | 4 | dex | Resilient Sphere          | 30       | 1      | c   |
Sleep              | 1 | wis | - / Incapacitated         | 60       |        | cr  |
Sleet Storm        | 3 | dex | Prone                     | 150      |        | c   |
Slow               | 3 | wis | Slow                      | 120      | 6      | cr  |
Stinking Cloud     | 3 | con | Stinking Cloud / Poisoned | 90       |        | c   |
Suggestion         | 2 | wis | Suggestion / Charmed      | 30       | 1      | c   |
Web                | 2 | dex | Restrained                | 60       |        | c   |
Zone of Truth      | 2 | cha | Zone of Truth             | 60       |        |     |
`;

const abilities = {
  str: "strength",
  dex: "dexterity",
  con: "constitution",
  int: "intelligence",
  wis: "wisdom",
  cha: "charisma",
} as const;

/** What such a spell leaves. */
export interface LastingConditions {
  readonly names: readonly string[];
  /** The creature saves again at the end of each of its turns. */
  readonly repeats: boolean;
  /** Creature types: only these, or all but these. */
  readonly only: readonly string[];
  readonly never: readonly string[];
}

/** A spell of the table: a save spell without damage, and what it leaves. */
export type ConditionSpell = SaveSpell & { readonly lasting: LastingConditions };

const parseRow = (line: string, edition: Edition): ConditionSpell | undefined => {
  const cells = line.split("|").map((cell) => {
    const [first = "", second = first] = `${cell} `.split(" / ").map((part) => part.trim());
    return edition === "5.1" ? first : second;
  });
  const [name = "", level = "", save = "", conditions = "", range = "", most = "", flags = "", types = ""] = cells;
  const isAbsent = conditions === "-" && line.includes("- / ");
  if (isAbsent) return undefined;
  const listed = types.split(" ").filter((type) => type !== "");
  return {
    name,
    level: Number(level),
    ability: abilities[save as keyof typeof abilities],
    damage: [],
    onSuccess: "none",
    spares: false,
    weak: [],
    throughCover: false,
    range: range.split("+").reduce((sum, feet) => sum + Number(feet), 0),
    most: parseMost(most),
    concentration: flags.includes("c"),
    lasting: {
      names: conditions === "-" ? [] : conditions.split(" & "),
      repeats: flags.includes("r"),
      only: listed.filter((type) => !type.startsWith("!")),
      never: listed.filter((type) => type.startsWith("!")).map((type) => type.slice(1)),
    },
  };
};

const parseRows = (edition: Edition): readonly ConditionSpell[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => parseRow(line, edition) ?? []);

const conditionSpells: Readonly<Record<Edition, readonly ConditionSpell[]>> = {
  "5.1": parseRows("5.1"),
  "5.2": parseRows("5.2"),
};

/** Marks that these spells leave, and conditions. */
export const conditionMarks: readonly string[] = [...conditionSpells["5.1"], ...conditionSpells["5.2"]].flatMap(
  ({ lasting }) => lasting.names,
);

/** Every spell that a creature saves against. */
export const allSaveSpells: Readonly<Record<Edition, readonly (SaveSpell | ConditionSpell)[]>> = {
  "5.1": [...saveSpells["5.1"], ...conditionSpells["5.1"]],
  "5.2": [...saveSpells["5.2"], ...conditionSpells["5.2"]],
};
