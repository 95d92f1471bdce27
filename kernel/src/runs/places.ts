/**
 * Places of procedures in the runner: so many runs of each are at work at once. A run that waits for an answer lends its place to others, and goes on with the answer when it has one
 * again.
 *
 * Not here: which run begins next (`runner.ts`), and the places of calls (`dispatch/lent-place.ts`).
 */
import * as Effect from "effect/Effect";

export interface RunPlace {
  /** Free again once nothing more has use of it: a handler may ignore the end of its call. */
  use(isAtWork: boolean): void;
  lend(): void;
  /** Takes a place again, before any run that has not begun yet. */
  readonly regain: Effect.Effect<void>;
}

interface RunPlaces {
  hasRoom(procedure: string): boolean;
  take(procedure: string): RunPlace;
}

interface Returning {
  readonly procedure: string;
  readonly enter: () => void;
}

/** `limit`: how many runs of a procedure work at once. `freed`: called after a place is free for a run that has not begun. */
export const makePlaces = (limit: (procedure: string) => number, freed: () => void): RunPlaces => {
  const working = new Map<string, number>();
  const returning = new Set<Returning>();
  const count = (procedure: string, by: 1 | -1): void => {
    working.set(procedure, (working.get(procedure) ?? 0) + by);
  };
  const hasRoom = (procedure: string): boolean => (working.get(procedure) ?? 0) < limit(procedure);

  const admit = (): void => {
    for (const each of returning) {
      if (!hasRoom(each.procedure)) continue;
      returning.delete(each);
      each.enter();
    }
    freed();
  };

  const take = (procedure: string): RunPlace => {
    let uses = 1;
    let isHeld = false;
    const enter = (): void => {
      isHeld = true;
      count(procedure, 1);
    };
    const lend = (): void => {
      if (isHeld) count(procedure, -1);
      isHeld = false;
      admit();
    };
    const regain = Effect.suspend(() => {
      if (isHeld || uses === 0) return Effect.void;
      if (hasRoom(procedure)) return Effect.sync(enter);
      return Effect.callback<void>((resume) => {
        const each: Returning = {
          procedure,
          enter: () => {
            enter();
            resume(Effect.void);
          },
        };
        returning.add(each);
        return Effect.sync(() => returning.delete(each));
      });
    });
    enter();
    return {
      use: (isAtWork) => {
        uses += isAtWork ? 1 : -1;
        if (uses === 0) lend();
      },
      lend,
      regain,
    };
  };
  return { hasRoom, take };
};
