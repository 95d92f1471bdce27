/**
 * What each condition does to d20 tests, the same in both editions. Facts under CC-BY-4.0, see NOTICE; no descriptions.
 *
 * Not here: what depends on more than the condition (its source, which creature sees which, how far away), which is in the code of that rule.
 */

export interface Condition {
  readonly name: string;
  /** Its bearer cannot take actions. */
  readonly incapacitates: boolean;
  /** Its bearer fails strength and dexterity saves without a roll. */
  readonly failsSaves: boolean;
  /** A hit on its bearer from within 5 feet is a critical hit. */
  readonly critWithin5ft: boolean;
  /** Attack rolls against its bearer have advantage. */
  readonly attackedWithAdvantage: boolean;
  /** Its bearer's attack rolls have disadvantage. */
  readonly attacksWithDisadvantage: boolean;
  /** Its bearer's ability checks have disadvantage. */
  readonly checksWithDisadvantage: boolean;
}

/** name | marks: i incapacitates, f fails saves, c critical within 5 ft, + attacked with advantage, a attacks, k checks badly. */
const table = `
Blinded       | +a
Charmed       |
Deafened      |
Frightened    |
Grappled      |
Incapacitated | i
Invisible     |
Paralyzed     | ifc+
Petrified     | if+
Poisoned      | ak
Prone         |
Restrained    | +a
Stunned       | if+
Unconscious   | ifc+
`;

export const conditions: readonly Condition[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [name = "", marks = ""] = line.split("|").map((cell) => cell.trim());
    return {
      name,
      incapacitates: marks.includes("i"),
      failsSaves: marks.includes("f"),
      critWithin5ft: marks.includes("c"),
      attackedWithAdvantage: marks.includes("+"),
      attacksWithDisadvantage: marks.includes("a"),
      checksWithDisadvantage: marks.includes("k"),
    };
  });

export const conditionNames: readonly string[] = conditions.map(({ name }) => name);

/** Names of the conditions that do something. */
export const conditionsThat = (does: Exclude<keyof Condition, "name">): readonly string[] =>
  conditions.filter((condition) => condition[does]).map(({ name }) => name);
