/**
 * What ends by itself in a fight: marks, conditions and effects that last until a creature's turn begins or ends so many times. Pure data and what a turn makes of it.
 *
 * Not here: what is begun with which duration.
 */
import type { Change } from "@fairlead/contracts/rules";
import { sameName } from "../sheet/names.ts";
import type { Creature } from "./creature.ts";

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
  return {
    timers: counted.filter(({ left }) => left > 0),
    ended: counted.filter(({ left }) => left <= 0).flatMap((timer) => removal(timer, creatures) ?? []),
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
