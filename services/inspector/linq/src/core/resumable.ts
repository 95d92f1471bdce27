/**
 * Work that can pause between its steps, so that other code can run in between. A step is passed whether other code did run:
 * whatever was known of objects may then be wrong.
 */
export type Resumable<T> = Generator<void, T, boolean | undefined>;

/** All steps at once. */
export const runToEnd = <T>(work: Resumable<T>): T => {
  for (;;) {
    const step = work.next(false);
    if (step.done === true) return step.value;
  }
};
