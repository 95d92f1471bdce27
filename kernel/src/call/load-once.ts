/** Loads something once for all who need it. A load that fails is tried again by the next of them. */
export const loadOnce = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= Promise.try(load).catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };
};
