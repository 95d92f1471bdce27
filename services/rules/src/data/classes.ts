/**
 * Class figures by level: facts of the SRD class tables, as functions of the level (1 to 20) and the edition.
 * Not here: when a feature applies (`rules/`).
 */
import type { Ability } from "@fairlead/contracts/rules";
import type { Edition } from "./weapons.ts";

/** The value of the highest threshold that the level has reached. */
const step = (level: number, steps: readonly (readonly [from: number, value: number])[]): number =>
  steps.reduce((value, [from, next]) => (level >= from ? next : value), 0);

/** d6s of Sneak Attack. */
export const sneakAttackDice = (level: number): number => Math.ceil(level / 2);

export const rageDamage = (level: number): number =>
  step(level, [
    [1, 2],
    [9, 3],
    [16, 4],
  ]);

/** Additional weapon dice of Brutal Critical (5.1). */
export const brutalCriticalDice = (level: number): number =>
  step(level, [
    [9, 1],
    [13, 2],
    [17, 3],
  ]);

/** d10s of Brutal Strike (5.2). */
export const brutalStrikeDice = (level: number): number =>
  step(level, [
    [9, 1],
    [17, 2],
  ]);

/** Sides of the Martial Arts die. */
export const martialArtsDie = (level: number, edition: Edition): number =>
  step(level, [
    [1, 4],
    [5, 6],
    [11, 8],
    [17, 10],
  ]) + (edition === "5.2" ? 2 : 0);

/** Sides of the die that a bard gives away. */
export const bardicDie = (level: number): number =>
  step(level, [
    [1, 6],
    [5, 8],
    [10, 10],
    [15, 12],
  ]);

const hitDice: Readonly<Record<string, number>> = {
  barbarian: 12,
  bard: 8,
  cleric: 8,
  druid: 8,
  fighter: 10,
  monk: 8,
  paladin: 10,
  ranger: 10,
  rogue: 8,
  sorcerer: 6,
  warlock: 8,
  wizard: 6,
};

/** Sides of the hit die; `undefined` for a class that the SRD does not have. */
export const classHitDie = (characterClass: string): number | undefined =>
  Object.hasOwn(hitDice, characterClass) ? hitDice[characterClass] : undefined;

/** Attacks of one Attack action. */
export const attacksPerAction = (characterClass: string, level: number): number => {
  switch (characterClass) {
    case "fighter":
      return step(level, [
        [1, 1],
        [5, 2],
        [11, 3],
        [20, 4],
      ]);
    case "barbarian":
    case "monk":
    case "paladin":
    case "ranger":
      return level >= 5 ? 2 : 1;
    default:
      return 1;
  }
};

/** How many times a cantrip's dice, or its beams, are counted. */
export const cantripTier = (level: number): number =>
  step(level, [
    [1, 1],
    [5, 2],
    [11, 3],
    [17, 4],
  ]);

const castingAbility: Readonly<Record<string, Ability>> = {
  bard: "charisma",
  cleric: "wisdom",
  druid: "wisdom",
  paladin: "charisma",
  ranger: "wisdom",
  sorcerer: "charisma",
  warlock: "charisma",
  wizard: "intelligence",
};

/** The ability a class casts with; `undefined` for a class without spells. */
export const classCastingAbility = (characterClass: string): Ability | undefined =>
  Object.hasOwn(castingAbility, characterClass) ? castingAbility[characterClass] : undefined;

/** Slots of a full caster by slot level, from class level 1. */
const fullCaster = [
  "2",
  "3",
  "42",
  "43",
  "432",
  "433",
  "4331",
  "4332",
  "43331",
  "43332",
  "433321",
  "433321",
  "4333211",
  "4333211",
  "43332111",
  "43332111",
  "433321111",
  "433331111",
  "433332111",
  "433332211",
];

/** Slots of a paladin or ranger by slot level, from class level 1 (5.1). */
const halfCaster = [
  "",
  "2",
  "3",
  "3",
  "42",
  "42",
  "43",
  "43",
  "432",
  "432",
  "433",
  "433",
  "4331",
  "4331",
  "4332",
  "4332",
  "43331",
  "43331",
  "43332",
  "43332",
];

/** Spell slots by slot level that the class table gives; empty for a class without spells. */
export const classSlots = (
  characterClass: string,
  level: number,
  edition: Edition,
): Readonly<Record<string, number>> => {
  switch (characterClass) {
    case "bard":
    case "cleric":
    case "druid":
    case "sorcerer":
    case "wizard":
      return spread(fullCaster[level - 1] ?? "");
    case "paladin":
    case "ranger":
      return spread(edition === "5.2" && level === 1 ? "2" : (halfCaster[level - 1] ?? ""));
    case "warlock":
      return {
        [Math.min(5, Math.ceil(level / 2))]: step(level, [
          [1, 1],
          [2, 2],
          [11, 3],
          [17, 4],
        ]),
      };
    default:
      return {};
  }
};

const fullCasters = ["bard", "cleric", "druid", "sorcerer", "wizard"];
const halfCasters = ["paladin", "ranger"];

/** Slots of all classes together. Two casting classes share one table; a half caster's levels count half, rounded down in 5.1 and up in 5.2. */
export const multiclassSlots = (
  levels: readonly (readonly [characterClass: string, level: number])[],
  edition: Edition,
): Readonly<Record<string, number>> => {
  const casting = levels.filter(([name]) => fullCasters.includes(name) || halfCasters.includes(name));
  const pact = levels.filter(([name]) => name === "warlock").map(([name, level]) => classSlots(name, level, edition));
  const half = edition === "5.1" ? Math.floor : Math.ceil;
  const shared = casting.reduce(
    (sum, [name, level]) => sum + (fullCasters.includes(name) ? level : half(level / 2)),
    0,
  );
  const [only] = casting;
  const own =
    only === undefined
      ? {}
      : casting.length === 1
        ? classSlots(...only, edition)
        : spread(fullCaster[Math.min(20, shared) - 1] ?? "");
  return [own, ...pact].reduce(addSlots, {});
};

type Slots = Readonly<Record<string, number>>;

const addSlots = (sum: Slots, more: Slots): Slots => ({
  ...sum,
  ...Object.fromEntries(Object.entries(more).map(([level, count]) => [level, count + (sum[level] ?? 0)])),
});

const spread = (digits: string): Readonly<Record<string, number>> =>
  Object.fromEntries([...digits].map((digit, index) => [String(index + 1), Number(digit)]));
