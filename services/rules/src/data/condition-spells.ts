/**
 * Spells of the SRD that leave a condition, or a mark of their own name, on a creature that fails its save, and deal no damage. Facts under CC-BY-4.0, see NOTICE; no
 * descriptions. Not here: spells with damage (`save-spells.ts`), whose conditions are in `spell-effects.ts`.
 */
import { parseMost, parseRange, type SaveSpell, saveSpells } from "./save-spells.ts";
import type { Edition } from "./weapons.ts";

/** name | level | save | conditions, several with `&`, `@50`: on creatures with 50 hit points or fewer | range, `+` radius | creatures of one casting, `+`: one more a slot level; empty: all in an area | c concentration, r a save at the end of each turn | creature types it works on, `!` that it does not. */
const table = `
Animal Friendship  | 1 | wis | Charmed                   | 30       | 1+     |     | beast
Animal Messenger   | 2 | cha | - / Animal Messenger      | 30       | 1      |     | beast
Antipathy/Sympathy | 8 | wis | Antipathy/Sympathy        | 60       |        |     |
Bane               | 1 | cha | Bane                      | 30       | 3+     | c   |
Banishment         | 4 | cha | Incapacitated             | 60 / 30  | 1+     | c   |
Bestow Curse       | 3 | wis | Bestow Curse              | 5        | 1      | c   |
Blindness/Deafness | 2 | con | Blinded                   | 30 / 120 | 1+     | r   |
Calm Emotions      | 2 | cha | Calm Emotions             | 60+20    |        | c   | humanoid
Charm Monster      | 4 | wis | - / Charmed               | 30       | 1+     |     |
Charm Person       | 1 | wis | Charmed                   | 30       | 1+     |     | humanoid
Color Spray        | 1 | con | - / Blinded               | 15       |        |     |
Command            | 1 | wis | Command                   | 60       | 1+     |     | !undead /
Compulsion         | 4 | wis | Compulsion / Charmed      | 30       |        | c   |
Confusion          | 4 | wis | Confusion                 | 90+10    |        | cr  |
Detect Thoughts    | 2 | wis | Detect Thoughts           | 30       | 1      | c   |
Divine Word        | 7 | cha | Deafened@50 & Blinded@40 & Stunned@30 & Dead@20 | 30 | | |
Dominate Beast     | 4 | wis | Charmed                   | 60       | 1      | c   | beast
Dominate Monster   | 8 | wis | Charmed                   | 60       | 1      | c   |
Dominate Person    | 5 | wis | Charmed                   | 60       | 1      | c   | humanoid
Earthquake         | 8 | dex | Prone                     | 500+100  |        | c   |
Enlarge/Reduce     | 2 | con | Reduce                    | 30       | 1      | c   |
Ensnaring Strike   | 1 | str | - / Restrained            | any      | 1      | c   |
Entangle           | 1 | str | Restrained                | 90       |        | c   |
Enthrall           | 2 | wis | Enthrall                  | 60       |        | / c |
Eyebite            | 6 | wis | Unconscious               | 60       | 1      | c   |
Faerie Fire        | 1 | dex | Faerie Fire               | 60       |        | c   |
Fear               | 3 | wis | Frightened                | 30       |        | c   |
Flesh to Stone     | 6 | con | Restrained                | 60       | 1      | cr  |
Geas               | 5 | wis | Charmed                   | 60       | 1      |     |
Grease             | 1 | dex | Prone                     | 60       |        |     |
Gust of Wind       | 2 | str | -                         | 60       |        | c   |
Hideous Laughter   | 1 | wis | Prone & Incapacitated     | 30       | 1 / 1+ | cr  |
Hold Monster       | 5 | wis | Paralyzed                 | 90       | 1+     | cr  | !undead /
Hold Person        | 2 | wis | Paralyzed                 | 60       | 1+     | cr  | humanoid
Hypnotic Pattern   | 3 | wis | Charmed & Incapacitated   | 120      |        | c   |
Imprisonment       | 9 | wis | Imprisonment / Restrained | 30       | 1      |     |
Irresistible Dance | 6 | wis | - / Charmed               | 30       | 1      | cr  |
Levitate           | 2 | con | Levitate                  | 60       | 1      | c   |
Magic Jar          | 6 | cha | Magic Jar                 | 100      | 1      |     | humanoid
Mass Suggestion    | 6 | wis | Mass Suggestion / Charmed | 60       | 12     |     |
Modify Memory      | 5 | wis | Charmed & Incapacitated   | 30       | 1      | c   |
Phantasmal Force   | 2 | int | - / Phantasmal Force      | 60       | 1      | c   |
Phantasmal Killer  | 4 | wis | Frightened / -            | 120      | 1      | c   |
Planar Binding     | 5 | cha | Planar Binding            | 60       | 1      |     | celestial elemental fey fiend
Polymorph          | 4 | wis | Polymorph                 | 60       | 1      | c   |
Ray of Enfeeblement | 2 | con | - / Ray of Enfeeblement  | 60       | 1      | cr  |
Resilient Sphere   | 4 | dex | Resilient Sphere          | 30       | 1      | c   |
Reverse Gravity    | 7 | dex | Reverse Gravity           | 100+50   |        | c   |
Scrying            | 5 | wis | Scrying                   | any      | 1      | c   |
Seeming            | 5 | cha | Seeming                   | 30       |        |     |
Sleep              | 1 | wis | - / Incapacitated         | 60       |        | cr  |
Sleet Storm        | 3 | dex | Prone                     | 150      |        | c   |
Slow               | 3 | wis | Slow                      | 120      | 6      | cr  |
Stinking Cloud     | 3 | con | Stinking Cloud / Poisoned | 90       |        | c   |
Suggestion         | 2 | wis | Suggestion / Charmed      | 30       | 1      | c   |
Telekinesis        | 5 | str | - / Restrained            | 60       | 1      | c   |
True Polymorph     | 9 | wis | True Polymorph            | 30       | 1      | c   |
Wall of Stone      | 5 | dex | Wall of Stone             | 120      |        | c   |
Web                | 2 | dex | Restrained                | 60       |        | c   |
Weird              | 9 | wis | Frightened / -            | 120+30   |        | c   |
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
  /** Of these by their place: it is left on creatures with so many hit points or fewer. */
  readonly upTo: readonly (number | undefined)[];
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
  const isAbsent = conditions === "-" && line.split("|")[3]?.includes(" / ") === true;
  if (isAbsent) return undefined;
  const left = conditions === "-" ? [] : conditions.split(" & ").map((part) => part.split("@"));
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
    range: parseRange(range),
    most: parseMost(most),
    concentration: flags.includes("c"),
    lasting: {
      names: left.map(([name = ""]) => name),
      upTo: left.map(([, limit]) => (limit === undefined ? undefined : Number(limit))),
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
