/**
 * What a rest gives the party back after a fight. Pure: the same state and dice give the same party.
 *
 * Not here: conditions that neither an hour nor a night ends by itself; the events name those that are left.
 */
import type { Game, Player, RestInput } from "@fairlead/contracts/rules";
import { type Creature, isDead, isDying } from "../creatures/creature.ts";
import type { Dice } from "../dice/source.ts";
import { Refusal } from "../result/refusal.ts";
import { abilityModifier, conditionName } from "../sheet/character.ts";
import { classLevels } from "../sheet/class-levels.ts";
import { countHitDice, type HitDice, listHitDice } from "../sheet/hit-dice.ts";
import { fold } from "../sheet/names.ts";
import type { EncounterState } from "./state.ts";

/** How long, and the hit dice to spend by creature. */
export type Rest = Pick<RestInput, "length" | "hitDice">;

interface RestOutcome {
  readonly state: EncounterState;
  readonly events: readonly string[];
}

/** One creature after the rest, and what it got in sentences. */
interface RestResult {
  readonly creature: Creature;
  readonly events: readonly string[];
}

/** They last an hour at most. */
const shortEffects = [
  "bane",
  "bardic inspiration",
  "bless",
  "divine favor",
  "dodge",
  "guidance",
  "rage",
  "reckless attack",
  "resistance",
  "sap",
  "vex",
];
/** It is with its paladin, and no spell. */
const lastingEffects = ["aura of protection"];

const shortConditions = ["prone", "sapped"];
/** A sleeper holds no spell; who wakes is not unconscious. */
const nightConditions = [...shortConditions, "concentrating", "stable", "unconscious"];

/** Refuses with `encounter_not_over`, `party_is_dying` or `no_hit_dice`. */
export const takeRest = (state: EncounterState, rest: Rest, dice: Dice): RestOutcome => {
  if (!state.over)
    throw new Refusal("encounter_not_over", "the fight was not ended: end it before the rest", undefined);
  const party = state.creatures.filter((creature) => creature.side === "party" && !isDead(creature));
  const dying = party.filter(isDying).map(({ id }) => id);
  if (dying.length > 0)
    throw new Refusal("party_is_dying", `no rest: ${dying.join(", ")} is dying`, { creatures: dying });
  const spent = spentDice(party, rest);
  const rested = new Map(
    party.map((creature) => [
      creature.id,
      rest.length === "short"
        ? shortRest(creature, { edition: state.edition, count: spent.get(creature.id) ?? 0 }, dice)
        : longRest(creature, state.edition, dice),
    ]),
  );
  return {
    state: { ...state, creatures: state.creatures.map((one) => rested.get(one.id)?.creature ?? one) },
    events: [...rested.values()].flatMap(({ events }) => events),
  };
};

/** Hit dice to spend by id of the creature. */
const spentDice = (party: readonly Creature[], { length, hitDice }: Rest): ReadonlyMap<string, number> => {
  const spent = new Map<string, number>();
  for (const [named, count] of Object.entries(hitDice)) {
    const creature = party.find(({ id }) => fold(id) === fold(named));
    const left = creature === undefined ? 0 : countHitDice(listHitDice(creature.sheet));
    const sum = count + (creature === undefined ? 0 : (spent.get(creature.id) ?? 0));
    const problem = diceProblem({ creature, named, left, sum, length });
    if (problem !== undefined) throw new Refusal("no_hit_dice", problem, { creature: named, left });
    if (creature !== undefined) spent.set(creature.id, sum);
  }
  return spent;
};

interface NamedDice {
  readonly creature: Creature | undefined;
  readonly named: string;
  readonly left: number;
  readonly sum: number;
  readonly length: Rest["length"];
}

const diceProblem = ({ creature, named, left, sum, length }: NamedDice): string | undefined => {
  if (creature === undefined) return `no living creature of the party has the id ${named}`;
  if (length === "long" && sum > 0) return "hit dice are spent in a short rest";
  return sum > left ? `${named} has ${left} hit dice left, and not ${sum}` : undefined;
};

interface ShortRest {
  readonly edition: Game["edition"];
  readonly count: number;
}

const shortRest = (creature: Creature, { edition, count }: ShortRest, dice: Dice): RestResult => {
  const healed = spendHitDice(creature, { edition, count }, dice);
  const slots = pactSlots(healed.creature.sheet);
  const ended = endNames(slots.sheet, { effects: (name) => shortEffects.includes(name), conditions: shortConditions });
  return {
    creature: { ...healed.creature, sheet: ended.sheet },
    events: [...healed.events, ...slots.events, ...ended.events],
  };
};

/** Each die with the Constitution modifier: at least 0 in 5.1, at least 1 in 5.2. Of several kinds the largest first. */
const spendHitDice = (creature: Creature, { edition, count }: ShortRest, dice: Dice): RestResult => {
  const { sheet, id } = creature;
  if (count === 0) return { creature, events: [] };
  const modifier = abilityModifier(sheet.stats.constitution);
  const spent = listHitDice(sheet)
    .flatMap(({ sides, left }) => Array.from({ length: left }, () => sides))
    .slice(0, count);
  const rolled = spent.map((sides) => dice.roll(sides, `${sheet.name}'s hit die`, `hit dice ${id}`));
  const sum = rolled.reduce((total, face) => total + Math.max(edition === "5.1" ? 0 : 1, face + modifier), 0);
  const currentHP = Math.min(sheet.maxHP, sheet.currentHP + sum);
  const used = { ...sheet.hitDiceUsed };
  for (const sides of spent) used[`d${sides}`] = (used[`d${sides}`] ?? 0) + 1;
  const woken =
    sheet.currentHP === 0 && currentHP > 0 ? endNames(sheet, { effects: () => false, conditions: waking }) : { sheet };
  return {
    creature: wake({ ...creature, sheet: { ...woken.sheet, currentHP, hitDiceUsed: used } }),
    events: [
      `${sheet.name} spends ${listKinds(spent)} (${rolled.join(", ")}, Constitution ${signed(modifier)} each): ${sheet.currentHP} to ${currentHP} hit points`,
    ],
  };
};

const waking = ["stable", "unconscious"];

const wake = (creature: Creature): Creature =>
  creature.sheet.currentHP > 0 ? { ...creature, deathSaves: { successes: 0, failures: 0 } } : creature;

const signed = (value: number): string => (value < 0 ? String(value) : `+${value}`);

/** "2d10 and 1d8". */
const listKinds = (spent: readonly number[]): string =>
  [...Map.groupBy(spent, (sides) => sides)].map(([sides, same]) => `${same.length}d${sides}`).join(" and ");

interface ChangedSheet {
  readonly sheet: Player;
  readonly events: readonly string[];
}

/** A warlock's slots come back with every rest. Those of a character with other spells as well are of one count with the others: the table gives them back. */
const pactSlots = (sheet: Player): ChangedSheet => {
  const classes = [...classLevels(sheet).keys()];
  const isSpent = Object.values(sheet.spellSlotsUsed).some((used) => used > 0);
  if (!isSpent || !classes.includes("warlock")) return { sheet, events: [] };
  if (classes.length > 1)
    return {
      sheet,
      events: [`${sheet.name}'s slots of Pact Magic are counted with other slots, and none came back`],
    };
  return { sheet: { ...sheet, spellSlotsUsed: {} }, events: [`${sheet.name} has all slots of Pact Magic back`] };
};

/** A creature at 0 hit points wakes with 1 after 1d4 hours, and gets nothing else of the night. */
const longRest = (creature: Creature, edition: Game["edition"], dice: Dice): RestResult => {
  const { sheet } = creature;
  if (sheet.currentHP === 0) {
    const hours = dice.roll(4, `hours until ${sheet.name} wakes`, `waking ${creature.id}`);
    const woken = endNames(sheet, { effects: () => true, conditions: nightConditions });
    return {
      creature: wake({ ...creature, sheet: { ...woken.sheet, currentHP: 1 } }),
      events: [`${sheet.name} wakes with 1 hit point after ${hours} h, too late for a long rest`, ...woken.events],
    };
  }
  const ended = endNames(sheet, {
    effects: (name) => !lastingEffects.includes(name),
    conditions: nightConditions,
  });
  const hitDiceUsed = recoverHitDice(sheet, edition);
  const exhaustion = Math.max(0, sheet.exhaustion - 1);
  return {
    creature: {
      ...wake(creature),
      spent: [],
      sheet: {
        ...ended.sheet,
        currentHP: sheet.maxHP,
        temporaryHP: 0,
        spellSlotsUsed: {},
        usedSinceRest: [],
        hitDiceUsed,
        exhaustion,
      },
    },
    events: [
      `${sheet.name} has ${sheet.maxHP} hit points, all slots and what was used back`,
      ...(exhaustion < sheet.exhaustion ? [`${sheet.name}'s exhaustion is ${exhaustion}`] : []),
      ...ended.events,
    ],
  };
};

/** All in 5.2; in 5.1 half of their number, at least one, the largest first. */
const recoverHitDice = (sheet: Player, edition: Game["edition"]): Player["hitDiceUsed"] => {
  if (edition === "5.2") return {};
  const dice = listHitDice(sheet);
  const total = dice.reduce((sum, one) => sum + one.total, 0);
  return dice.reduce<{ readonly used: Player["hitDiceUsed"]; readonly back: number }>(recoverKind, {
    used: {},
    back: Math.max(1, Math.floor(total / 2)),
  }).used;
};

const recoverKind = (
  { used, back }: { readonly used: Player["hitDiceUsed"]; readonly back: number },
  { sides, total, left }: HitDice,
) => {
  const spent = total - left;
  const recovered = Math.min(spent, back);
  return {
    used: spent > recovered ? { ...used, [`d${sides}`]: spent - recovered } : used,
    back: back - recovered,
  };
};

interface EndedNames {
  readonly effects: (name: string) => boolean;
  readonly conditions: readonly string[];
}

/** The sheet without what has ended; what is left of its conditions is said. */
const endNames = (sheet: Player, { effects, conditions }: EndedNames): ChangedSheet => {
  const left = sheet.conditions.filter((written) => !conditions.includes(conditionName(written)));
  return {
    sheet: {
      ...sheet,
      conditions: left,
      ...(sheet.effects !== undefined && { effects: sheet.effects.filter(({ name }) => !effects(fold(name))) }),
    },
    events: left.length === 0 ? [] : [`${sheet.name} still is: ${left.join(", ")}`],
  };
};
