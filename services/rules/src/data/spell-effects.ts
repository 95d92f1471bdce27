/**
 * What damaging spells of the SRD do to a creature in addition to the damage, on a hit or on a failed save. Facts under CC-BY-4.0, see
 * NOTICE; no descriptions.
 */
import type { Edition } from "./weapons.ts";

interface SpellEffect {
  readonly spell: string;
  /** Condition, or a mark of the spell's own name, that the creature gets; `undefined` for what happens at once. */
  readonly mark: string | undefined;
  /** Follows the creature's name. */
  readonly what: string;
}

/** spell | mark | what. `a / b`: 5.1 / 5.2; `-`: none, or not in that edition. */
const table = `
Acid Arrow        | Acid Arrow        | takes 2d4 acid damage at the end of its next turn, 1d4 more for each slot level above 2
Befuddlement      | Befuddlement      | - / casts no spells and takes no Magic action, with a save every 30 days
Black Tentacles   | Restrained        | is restrained until the spell ends
Chill Touch       | Chill Touch       | regains no hit points until the start of your next turn / regains no hit points until the end of your next turn
Conjure Fey       | Frightened        | - / is frightened until the start of your next turn
Contagion         | Poisoned          | - / is poisoned, with a save at the end of each of its turns
Dissonant Whispers | -                | - / uses its reaction to move away as far as it can
Guiding Bolt      | Guiding Bolt      | gives advantage to the next attack roll against it until the end of your next turn
Mind Spike        | Mind Spike        | - / cannot hide from you while the spell lasts
Phantasmal Killer | Phantasmal Killer | - / has disadvantage on ability checks and attack rolls while the spell lasts
Ray of Frost      | Slowed            | has 10 feet less speed until the start of your next turn
Ray of Sickness   | Poisoned          | - / is poisoned until the end of your next turn
Shocking Grasp    | Shocking Grasp    | takes no reactions until the start of its next turn / makes no opportunity attacks until the start of its next turn
Starry Wisp       | Starry Wisp       | - / gains nothing from being invisible until the end of your next turn
Storm of Vengeance | Deafened         | is deafened for 5 minutes / is deafened while the spell lasts
Sunbeam           | Blinded           | is blinded until the start of your next turn
Sunburst          | Blinded           | is blinded for 1 minute, with a save at the end of each of its turns
Thunderwave       | -                 | is pushed 10 feet away
Vicious Mockery   | Vicious Mockery   | has disadvantage on its next attack roll before the end of its next turn
Vitriolic Sphere  | Vitriolic Sphere  | - / takes 5d4 acid damage at the end of its next turn
Weird             | Frightened        | - / is frightened while the spell lasts, with a save at the end of each of its turns
`;

const parseRows = (edition: Edition): readonly SpellEffect[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [spell = "", mark = "", words = ""] = line.split("|").map((cell) => cell.trim());
      const [in51 = "", in52 = in51] = words.split(" / ");
      const what = edition === "5.1" ? in51 : in52;
      return what === "-" ? [] : [{ spell, mark: mark === "-" ? undefined : mark, what }];
    });

const effects: Readonly<Record<Edition, readonly SpellEffect[]>> = { "5.1": parseRows("5.1"), "5.2": parseRows("5.2") };

/** Marks that spells leave on a creature. */
export const spellMarks: readonly string[] = (["5.1", "5.2"] as const).flatMap((edition) =>
  effects[edition].flatMap(({ mark }) => mark ?? []),
);

export const spellEffect = (spell: string, edition: Edition): SpellEffect | undefined =>
  effects[edition].find((row) => row.spell === spell);
