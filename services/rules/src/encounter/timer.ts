/**
 * What ends by itself in a fight: marks, conditions and effects that last until a creature's turn begins or ends so many times. Pure data and what a turn makes of it.
 *
 * Not here: what is begun with which duration, and ends with concentration (`lasting.ts`).
 */
import type { Ability, Change } from "@fairlead/contracts/rules";
import type { Creature } from "../creatures/creature.ts";
import { sameName } from "../sheet/names.ts";

export interface Timer {
  /** Id of the creature that has it. */
  readonly on: string;
  readonly field: "conditions" | "effects";
  /** As the change wrote it. */
  readonly value: string;
  /** Id of the creature whose turns are counted. */
  readonly whose: string;
  readonly at: "start" | "end";
  /** Such turns until it ends, 1 for the next. */
  readonly left: number;
  /** The spell that it comes from, and who cast it. */
  readonly spell?: { readonly name: string; readonly by: string; readonly concentration: boolean };
  /** The save that its bearer makes at the end of each of its turns, to be rid of it. */
  readonly again?: { readonly ability: Ability; readonly dc: number };
  /** The save that its spell was cast against; what damage does to it is the spell's. */
  readonly saved?: { readonly ability: Ability; readonly dc: number };
}

interface TimedTurn {
  readonly timers: readonly Timer[];
  /** Removals, in the order in which they were begun. */
  readonly ended: readonly (Change & { readonly id: string })[];
}

/** The timers after a creature's turn begins or ends. */
export const countTurn = (
  { timers, creatures }: { readonly timers: readonly Timer[]; readonly creatures: readonly Creature[] },
  whose: string,
  at: Timer["at"],
): TimedTurn => {
  const counted = timers.map((timer) =>
    timer.whose === whose && timer.at === at ? { ...timer, left: timer.left - 1 } : timer,
  );
  return endTimers(
    counted,
    counted.filter(({ left }) => left <= 0),
    creatures,
  );
};

/** With those that begin; one that is set again by the same creature takes the place of the first, so that their number is bounded by who and what there is. */
export const addTimers = (timers: readonly Timer[], begun: readonly Timer[]): readonly Timer[] => [
  ...timers.filter((timer) => !begun.some((one) => isSame(one, timer))),
  ...begun,
];

const isSame = (a: Timer, b: Timer): boolean =>
  a.on === b.on &&
  a.field === b.field &&
  sameName(a.value, b.value) &&
  a.whose === b.whose &&
  a.at === b.at &&
  a.spell?.name === b.spell?.name;

/** The timers without some, and the removals of what no other timer keeps on its bearer. */
export const endTimers = (
  timers: readonly Timer[],
  ending: readonly Timer[],
  creatures: readonly Creature[],
): TimedTurn => {
  const left = timers.filter((timer) => !ending.includes(timer));
  const isKept = ({ on, field, value }: Timer): boolean =>
    left.some((one) => one.on === on && one.field === field && sameName(one.value, value));
  return {
    timers: left,
    ended: ending.filter((timer) => !isKept(timer)).flatMap((timer) => removal(timer, creatures) ?? []),
  };
};

/** The change that ends it; nothing where the creature has it no more. */
export const removal = (
  { on, field, value }: Timer,
  creatures: readonly Creature[],
): (Change & { readonly id: string }) | undefined => {
  const bearer = creatures.find(({ id }) => id === on);
  if (bearer === undefined) return undefined;
  const { sheet } = bearer;
  const names = field === "conditions" ? sheet.conditions : (sheet.effects ?? []).map(({ name }) => name);
  const [name = value] = field === "effects" ? value.split(": ") : [value];
  if (!names.some((written) => sameName(written, name))) return undefined;
  return { who: sheet.name, id: on, field, op: "remove", value, why: "its time is over" };
};
