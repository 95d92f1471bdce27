/** Work that goes one after the other, in the order in which it was handed over. A failure does not stop what comes after it. */

export type TurnQueue = <A>(work: () => Promise<A>) => Promise<A>;

export const createTurnQueue = (): TurnQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
};
