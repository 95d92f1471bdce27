/**
 * Spells of the SRD that go on working: what later uses of one casting cost. Facts under CC-BY-4.0, see NOTICE; no descriptions.
 *
 * Not here: whether such a casting is at work (`sheet/ongoing.ts`), and areas of which a later turn does something else than the first (Wall of Ice).
 */
import type { Edition } from "./weapons.ts";

/** `none`: whoever is in the area, in anybody's turn; a creature once a turn. `every step`: without that limit. `own bonus`: nothing in another's turn. */
export type OngoingCost = "action" | "bonus" | "own bonus" | "none" | "every step";

export interface OngoingSpell {
  readonly name: string;
  readonly cost: OngoingCost;
  /** It needs concentration; else it is sustained by itself. */
  readonly concentration: boolean;
}

/** name | cost of a later use | c concentration. `a / b`: 5.1 / 5.2; `-`: not in that edition. */
const table = `
Arcane Hand             | bonus      | c
Arcane Sword            | bonus      | c
Black Tentacles         | none       | c
Blade Barrier           | none       | c
Call Lightning          | action     | c
Cloudkill               | none       | c
Conjure Animals         | - / none   | c
Conjure Elemental       | - / none   | c
Conjure Fey             | - / bonus  | c
Conjure Woodland Beings | - / none   | c
Control Water           | none       | c
Detect Thoughts         | action     | c
Eyebite                 | action     | c
Flame Blade             | action     | c
Flaming Sphere          | own bonus  | c
Grease                  | none       |
Gust of Wind            | none       | c
Heat Metal              | bonus      | c
Incendiary Cloud        | none       | c
Insect Plague           | none       | c
Moonbeam                | none       | c
Sleet Storm             | none       | c
Spike Growth            | every step | c
Spirit Guardians        | none       | c
Spiritual Weapon        | bonus      | / c
Stinking Cloud          | none       | c
Sunbeam                 | action     | c
Telekinesis             | - / action | c
Vampiric Touch          | action     | c
Wall of Fire            | none       | c
Web                     | none       | c
Zone of Truth           | none       |
`;

const costs: readonly OngoingCost[] = ["action", "bonus", "own bonus", "none", "every step"];

const parseRows = (edition: Edition): readonly OngoingSpell[] =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const cells = line.split("|").map((cell) => {
        const [first = "", second = first] = ` ${cell} `.split(" / ").map((part) => part.trim());
        return edition === "5.1" ? first : second;
      });
      const [name = "", written = "", flags = ""] = cells;
      const cost = costs.find((one) => one === written);
      return cost === undefined ? [] : [{ name, cost, concentration: flags === "c" }];
    });

/** By edition. */
export const ongoingSpells: Readonly<Record<Edition, readonly OngoingSpell[]>> = {
  "5.1": parseRows("5.1"),
  "5.2": parseRows("5.2"),
};
