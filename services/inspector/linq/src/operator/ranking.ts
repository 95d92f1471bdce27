/** The order of what has keys: by the first that differ. Keys are made once an entry, not once a comparison. */
import type { Frame } from "../core/frame.ts";
import type { HostAccess } from "../type/host.ts";
import { compareValues } from "./compare.ts";

interface KeyedEntry {
  readonly keys: readonly unknown[];
}

/** Comparisons between two looks at the clock: a sort is one call, which nothing else would end. */
const watched = 4_096;

/** Compares by keys, each in its direction. Throws `deadline` when the time is over. */
export const createKeyOrder = (
  signs: readonly (1 | -1)[],
  host: HostAccess,
  frame: Frame,
): ((a: KeyedEntry, b: KeyedEntry) => number) => {
  let compared = 0;
  return (a, b) => {
    if (++compared % watched === 0) frame.checkTime();
    for (let index = 0; index < signs.length; index++) {
      const order = compareValues(a.keys[index], b.keys[index], host) * (signs[index] ?? 1);
      if (order !== 0) return order;
    }
    return 0;
  };
};
