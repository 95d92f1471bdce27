/** What differs between two answers, path by path. Pure. */
import { isRecord } from "../schema/schema.ts";

export interface Difference {
  /** Like `/services/0/state`; empty for the whole. */
  readonly path: string;
  /** As JSON; `undefined` where there was nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Differences {
  readonly list: readonly Difference[];
  /** Whether there are more than those. */
  readonly isCut: boolean;
}

const most = 200;
const longest = 200;

const write = (value: unknown): string | undefined => {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
};

/** Objects field by field, lists by place, everything else by value. */
export const differences = (before: unknown, after: unknown): Differences => {
  const list: Difference[] = [];
  // Without recursion: answers may be deep.
  const waiting: { readonly path: string; readonly before: unknown; readonly after: unknown }[] = [
    { path: "", before, after },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, ...pair } = next;
    if (Object.is(pair.before, pair.after)) continue;
    const names = sharedNames(pair.before, pair.after);
    if (names === undefined) {
      list.push({ path, before: write(pair.before), after: write(pair.after) });
      if (list.length > most) return { list: list.slice(0, most), isCut: true };
    } else
      for (const name of names.toReversed())
        waiting.push({ path: `${path}/${name}`, before: fieldIn(pair.before, name), after: fieldIn(pair.after, name) });
  }
  return { list, isCut: false };
};

/** Names of the fields of either where both are objects, or both are lists. */
const sharedNames = (before: unknown, after: unknown): readonly string[] | undefined => {
  const areLists = Array.isArray(before) && Array.isArray(after);
  if (!areLists && !(isRecord(before) && isRecord(after))) return undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
};

const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
