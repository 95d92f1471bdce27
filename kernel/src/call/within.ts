/** Waits for something, but for no more than so many milliseconds; how it ends is of no interest. */
export const within = async (milliseconds: number, event: Promise<unknown>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const settle = (): void => resolve();
  event.then(settle, settle);
  await promise;
  clearTimeout(timer);
};
