/** Hands on what work reports while it goes on, in order, to one reader. What failed is thrown to the reader after the rest. The work begins at once; reading ends with it. */
export const queueParts = <T>(work: (push: (part: T) => void) => Promise<void>): AsyncIterable<T> => {
  const waiting: T[] = [];
  let ended = false;
  let wake = (): void => {};
  const signalled = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const push = (part: T): void => {
    waiting.push(part);
    wake();
  };
  const done = work(push).finally(() => {
    ended = true;
    wake();
  });
  // Thrown below to whoever reads; there may be no reader.
  done.catch(() => undefined);
  return {
    async *[Symbol.asyncIterator]() {
      while (true) {
        const part = waiting.shift();
        if (part !== undefined) yield part;
        else if (ended) break;
        else await signalled();
      }
      await done;
    },
  };
};
