/** What a transport makes from the contracts, made anew when they have changed. */
import type { Catalog } from "./transport.ts";

/** Gives what `make` made of the contracts as they are now. */
export const perRevision = <A>(catalog: Catalog, make: () => A): (() => A) => {
  let revision = catalog.revision;
  let made = make();
  return () => {
    if (revision !== catalog.revision) {
      revision = catalog.revision;
      made = make();
    }
    return made;
  };
};
