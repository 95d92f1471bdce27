/**
 * Tables of both SRDs as this service applies them, as Markdown: names, numbers and sections, no descriptions. Loaded when somebody reads one.
 *
 * Not here: the tables themselves (`data/`), and a monster with all it has (`monster-list.ts`).
 */
import type { ReferenceTable } from "@fairlead/contracts/rules";
import { citeRule, ruleIds } from "../data/catalogue.ts";
import { type Condition, conditions } from "../data/conditions.ts";
import { skillAbility } from "../data/skills.ts";
import { attackSpells } from "../data/spells.ts";
import { type Edition, type WeaponDice, weapons } from "../data/weapons.ts";
import { monsterRows } from "./monster.ts";
import { challengeText } from "./monster-list.ts";

interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const referenceTable = ({ edition, topic }: ReferenceTable): string => {
  const { title, columns, rows } = tables[topic](edition);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `# ${title}, SRD ${edition}`,
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map(line),
    "",
    sources[edition],
    "",
  ].join("\n");
};

const diceText = ({ count, sides, flat }: WeaponDice): string => (count === 0 ? String(flat) : `${count}d${sides}`);

const conditionMarks = (condition: Condition): string => {
  const marks: readonly (readonly [boolean, string])[] = [
    [condition.incapacitates, "no actions"],
    [condition.failsSaves, "fails strength and dexterity saves"],
    [condition.critWithin5ft, "hits from within 5 ft are critical"],
    [condition.attackedWithAdvantage, "attacked with advantage"],
    [condition.attacksWithDisadvantage, "attacks with disadvantage"],
    [condition.checksWithDisadvantage, "checks with disadvantage"],
  ];
  const found = marks.filter(([has]) => has).map(([, text]) => text);
  return found.length === 0 ? "depends on more than the condition" : found.join("; ");
};

const tables: Readonly<Record<ReferenceTable["topic"], (edition: Edition) => Table>> = {
  rules: (edition) => ({
    title: "Rules that are applied",
    columns: ["Rule", "Section"],
    rows: ruleIds.map((id) => [id, citeRule(id, edition)]),
  }),
  conditions: () => ({
    title: "Conditions",
    columns: ["Condition", "What it does to d20 tests"],
    rows: conditions.map((condition) => [condition.name, conditionMarks(condition)]),
  }),
  skills: () => ({
    title: "Skills",
    columns: ["Skill", "Ability"],
    rows: Object.entries(skillAbility).map(([skill, ability]) => [skill, ability]),
  }),
  weapons: (edition) => ({
    title: "Weapons",
    columns: ["Weapon", "Kind", "Damage", "Properties", ...(edition === "5.2" ? ["Mastery"] : [])],
    rows: weapons[edition].map(({ name, category, ranged, dice, damageType, properties, versatile, mastery }) => [
      name,
      `${category} ${ranged ? "ranged" : "melee"}`,
      damageType === undefined ? "none" : `${diceText(dice)} ${damageType}`,
      properties
        .map((each) => (each === "versatile" && versatile !== undefined ? `versatile ${diceText(versatile)}` : each))
        .join(", "),
      ...(edition === "5.2" ? [mastery ?? ""] : []),
    ]),
  }),
  spells: (edition) => ({
    title: "Spells with an attack roll",
    columns: ["Spell", "Level", "Attack", "Damage", "Range"],
    rows: attackSpells[edition].map(({ name, level, kind, dice, damageType = "chosen", range, modifier }) => [
      name,
      level === 0 ? "cantrip" : String(level),
      kind,
      `${diceText(dice)}${modifier ? " + modifier" : ""} ${damageType}`,
      range === undefined ? "" : `${range} ft`,
    ]),
  }),
  monsters: (edition) => ({
    title: "Monsters",
    columns: ["Monster", "Challenge", "Type", "Size", "AC", "HP"],
    rows: monsterRows[edition].map(({ name, cr, type, size, ac, hp, hitDice }) => [
      name,
      challengeText(cr),
      type,
      size,
      String(ac),
      `${hp} (${hitDice})`,
    ]),
  }),
};

const licence =
  "is licensed under the Creative Commons Attribution 4.0 International License available at https://creativecommons.org/licenses/by/4.0/legalcode. Reduced to names and numbers.";

/** As `NOTICE` has it. */
const sources: Readonly<Record<Edition, string>> = {
  "5.1": `This work includes material taken from the System Reference Document 5.1 ("SRD 5.1") by Wizards of the Coast LLC and available at https://dnd.wizards.com/resources/systems-reference-document. The SRD 5.1 ${licence}`,
  "5.2": `This work includes material from the System Reference Document 5.2 ("SRD 5.2") by Wizards of the Coast LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2 ${licence}`,
};
