/**
 * Work that can be left alone between its steps, so that who has other things to do can do them. A step is told whether anybody did:
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
