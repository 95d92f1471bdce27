/** Work that can be left alone between its steps, so that who has other things to do can do them. */
export type Turns<T> = Generator<void, T>;

/** All steps at once. */
export const finished = <T>(work: Turns<T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};
