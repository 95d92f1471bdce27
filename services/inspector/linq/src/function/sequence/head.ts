/**
 * Sequence methods that see the length or the first element only: they cost the same on any collection, and never pause.
 */
import { absent } from "../../core/absent.ts";
import { fault } from "../../core/error.ts";
import { named, portable } from "../../core/portable.ts";
import type { HeadRun } from "../../core/sequence-run.ts";

export const anyHead: HeadRun = named("anyHead", ({ length }) => length > 0);

export const sizeHead: HeadRun = named("sizeHead", ({ length }) => length);

export const longSizeHead: HeadRun = named("longSizeHead", ({ length }) => BigInt(length));

/** The first element. */
export const firstHead = portable(
  "firstHead",
  (missing: { readonly value: unknown } | undefined): HeadRun =>
    ({ length, at }) => {
      const first = length > 0 ? at(0) : absent;
      if (first !== absent) return first ?? null;
      if (missing !== undefined) return missing.value;
      throw fault("no_elements", "Sequence contains no elements", "use FirstOrDefault, or test Any() first");
    },
);
