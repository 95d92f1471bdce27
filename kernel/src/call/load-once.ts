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

/** Gives what `make` made, made again when the revision of its source has changed. */
export const perRevision = <A>(source: { readonly revision: number }, make: () => A): (() => A) => {
  let { revision } = source;
  let made = make();
  return () => {
    if (revision !== source.revision) {
      revision = source.revision;
      made = make();
    }
    return made;
  };
};
