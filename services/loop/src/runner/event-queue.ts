/** Carries what happens in work that goes on by itself to the one who reads it, in order. The reader gets the work's error after the last item. */
interface EventQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
  fail(problem: unknown): void;
}

export const createEventQueue = <T>(): EventQueue<T> => {
  const items: T[] = [];
  let ended: { readonly problem?: unknown } | undefined;
  let wake: () => void = () => undefined;
  const close = (end: { readonly problem?: unknown }): void => {
    ended ??= end;
    wake();
  };
  return {
    push: (item) => {
      items.push(item);
      wake();
    },
    end: () => close({}),
    fail: (problem) => close({ problem }),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const added = new Promise<void>((resolve) => {
          wake = resolve;
        });
        yield* items.splice(0);
        if (ended === undefined) await added;
        else if (items.length === 0) {
          if ("problem" in ended) throw ended.problem;
          return;
        }
      }
    },
  };
};
