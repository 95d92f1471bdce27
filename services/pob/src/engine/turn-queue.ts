/** Work that goes one after the other, in the order in which it was handed over. A failure does not stop what comes after it. */
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";

export type TurnQueue = <A>(work: () => Promise<A>) => Promise<A>;

export const createTurnQueue = (): TurnQueue => {
  const oneAtATime = Semaphore.makeUnsafe(1).withPermit;
  return (work) => Effect.runPromise(oneAtATime(Effect.tryPromise({ try: work, catch: (error) => error })));
};
