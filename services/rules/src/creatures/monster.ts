/**
 * Monsters of the SRD by name, as creatures that act by the same plan as characters: an attack whose bonus and damage follow from the abilities is a
 * weapon of the sheet with that ability; one whose numbers do not (`isFixed`) has its printed numbers.
 *
 * Not here: the rows (`gen/`), and how they are imported (`import/`).
 */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { abilities, type Game, type Player } from "@fairlead/contracts/rules";
import { monsters as monsters51 } from "../../gen/monsters-5.1.ts";
import { monsters as monsters52 } from "../../gen/monsters-5.2.ts";
import type { MonsterAttack, MonsterRow } from "../data/monster-row.ts";
import { skillAbility } from "../data/skills.ts";
import { weaponDice } from "../data/weapons.ts";
import { Refusal } from "../result/refusal.ts";
import { abilityModifier } from "../sheet/character.ts";
import { fold, matchName } from "../sheet/names.ts";
import { type CreatureStats, completeSheet, legendaryActions } from "./creature.ts";

/** Refuses with `unknown_monster`. */
export type FindMonster = (name: string, edition: Game["edition"]) => CreatureStats;

export const monsterRows: Readonly<Record<Game["edition"], readonly MonsterRow[]>> = {
  "5.1": monsters51,
  "5.2": monsters52,
};

/** "Elf, Drow" is "Drow" and "Drow Elf" as well. */
const aliases = (name: string): readonly string[] => {
  const [kind = "", own] = name.split(", ");
  return own === undefined ? [] : [own, `${own} ${kind}`];
};

const mostKnown = 40;

/** A monster by its full name, or a unique beginning of it. */
export const findMonster: FindMonster = (name, edition) => {
  const rows = monsterRows[edition];
  const named = rows.map((row) => ({ name: row.name, aliases: aliases(row.name), value: row }));
  const found = matchName(name, named);
  if (found.kind === "one") return monsterStats(found.found.value);
  const names = rows.map((row) => row.name);
  const nearest = didYouMean(fold(name), names.map(fold));
  const words = fold(name).split(" ");
  const known =
    found.kind === "several"
      ? found.found.map(({ value }) => value.name)
      : names.filter((each) => fold(each) === nearest || words.some((word) => fold(each).split(" ").includes(word)));
  const listed = known.slice(0, 8).join(", ");
  const problem =
    found.kind === "several"
      ? `several monsters of the SRD ${edition} begin with ${name}: ${listed}`
      : `the SRD ${edition} has no monster ${name}${listed === "" ? "" : `; it has ${listed}`}`;
  throw new Refusal("unknown_monster", problem, { name, known: known.slice(0, mostKnown) });
};

/** +2 up to challenge rating 4, then one more every four, up to +9 at 30. */
export const monsterProficiency = (cr: number): number => Math.max(2, Math.ceil(cr / 4) + 1);

/** The ability that an attack's printed numbers follow from, with proficiency; `undefined` where they do not. */
export const attackAbility = ({ cr, stats }: MonsterRow, { hit, damage }: MonsterAttack): "str" | "dex" | undefined => {
  const { count, flat } = weaponDice(damage[0]?.dice ?? "0");
  if (count === 0) return undefined;
  const fits = (score: number): boolean => {
    const modifier = abilityModifier(score);
    return modifier === flat && modifier + monsterProficiency(cr) === hit;
  };
  if (fits(stats[0])) return "str";
  return fits(stats[1]) ? "dex" : undefined;
};

const weaponEntry = (row: MonsterRow, attack: MonsterAttack): Player["weaponDamage"][string] => {
  const [own, ...extra] = attack.damage;
  const ability = attackAbility(row, attack);
  const dice = own?.dice ?? "0";
  return {
    dice: ability === undefined ? dice : dice.replace(/[+-]\d+$/, ""),
    stat: ability ?? "none",
    bonus: 0,
    ...(own?.type !== undefined && { damageType: own.type }),
    ...(ability === undefined && { toHit: attack.hit }),
    ...(attack.kind !== "both" && { kind: attack.kind }),
    ...(extra.length > 0 && {
      extra: extra.map(({ dice: added, type }) => ({ dice: added, ...(type !== undefined && { damageType: type }) })),
    }),
  };
};

const legendaryStats = ({
  legendary = [],
  legendaryResistance: resistances = 0,
}: MonsterRow): Pick<CreatureStats, "legendary"> =>
  legendary.length === 0 && resistances === 0
    ? {}
    : { legendary: { actions: legendary, left: legendary.length === 0 ? 0 : legendaryActions, used: [], resistances } };

/** A monster that has not been hurt yet, with average hit points. */
export const monsterStats = (row: MonsterRow): CreatureStats => {
  const { name, cr, stats, saves = {}, skills = {}, attacks = [] } = row;
  const proficiency = monsterProficiency(cr);
  const scores = Object.fromEntries(abilities.map((ability, index) => [ability, stats[index] ?? 10]));
  const own = (ability: (typeof abilities)[number]): number => abilityModifier(scores[ability] ?? 10);
  const trained = Object.entries(skills).map(([skill, bonus]) => ({ skill, bonus }));
  const beyond = (skill: string, bonus: number): number =>
    bonus - own(skillAbility[skill as keyof typeof skillAbility]);
  const experts = trained.filter(({ skill, bonus }) => beyond(skill, bonus) === 2 * proficiency);
  const sheet = completeSheet({
    name,
    level: Math.min(20, Math.max(1, Math.ceil(cr))),
    proficiencyBonus: proficiency,
    currentHP: row.hp,
    maxHP: row.hp,
    armorClass: row.ac,
    size: row.size,
    stats: scores,
    savingThrowProficiencies: abilities.filter((ability) => saves[ability] === own(ability) + proficiency),
    skillProficiencies: trained
      .filter(({ skill, bonus }) => beyond(skill, bonus) >= proficiency)
      .map(({ skill }) => skill),
    features:
      experts.length === 0 ? [] : [{ name: "Expertise", chosenOption: experts.map(({ skill }) => skill).join(", ") }],
    weaponProficiencies: attacks.map((attack) => attack.name),
    weaponDamage: Object.fromEntries(attacks.map((attack) => [attack.name, weaponEntry(row, attack)])),
    resistances: row.resistances ?? [],
    vulnerabilities: row.vulnerabilities ?? [],
    immunities: row.immunities ?? [],
    effects: [],
    senses: row.senses ?? {},
  });
  return {
    kind: "monster",
    sheet,
    ac: row.ac,
    attacks: row.attacksPerAction ?? 1,
    initiativeBonus: row.initiative === undefined ? 0 : row.initiative - own("dexterity"),
    effects: row.effects ?? [],
    ...legendaryStats(row),
    ...(row.nonmagical !== undefined && { nonmagical: { defence: row.nonmagical, unless: row.unless } }),
    body: {
      creatureType: row.type,
      traits: [...(row.traits ?? [])],
      savingThrows: Object.fromEntries(abilities.map((ability) => [ability, saves[ability] ?? own(ability)])),
      savingThrowBonus: 0,
    },
  };
};
