/**
 * Whose an edit is, by when files were changed and when the agent's tools were at work. A file that was changed while none was is somebody else's,
 * too. Pure. Not here: the log (`hook/edit-log.ts`), and what becomes of the files (`assign-files.ts`).
 */
import type { ToolMark } from "../hook/edit-log.ts";
import type { TicketId } from "../value/id.ts";

/** From, to: milliseconds since the epoch. */
type Span = readonly [number, number];

/** Formatters that an editor runs after an edit end a little later; clocks of files are a little coarse. */
const slackMs = { before: 50, after: 5_000 } as const;

export interface ToolTimes {
  /** Files that editing tools were about. */
  readonly edited: ReadonlySet<string>;
  /** Whether the file was changed while no tool was at work; `changed` is when it was changed last. */
  readonly isForeign: (path: string, changed: number | undefined) => boolean;
}

/**
 * Of a ticket, from the marks since it was taken; `undefined` where no editing tool has left one: then nothing is known.
 * @param shellEnd when the last shell command ended
 */
export const readToolTimes = (all: readonly ToolMark[], ticket: TicketId, shellEnd?: number): ToolTimes | undefined => {
  const first = all.findLastIndex(({ when }) => when === "begin");
  const begin = all[first];
  const marks = all.slice(first + 1);
  if (begin?.call !== ticket || !marks.some(({ path }) => path !== undefined)) return undefined;
  const spans = joinSpans(findSpans(marks, shellEnd));
  const isOthers = (changed: number): boolean => {
    const span = spans[countUntil(spans, ([from]) => from <= changed) - 1];
    return changed > begin.at && !(span !== undefined && changed <= span[1]);
  };
  const foreign = new Set<string>();
  const edited = new Set<string>();
  for (const { path, changed, when } of marks) {
    if (path === undefined) continue;
    if (when === "after") edited.add(path);
    if (when === "before" && changed !== undefined && isOthers(changed)) foreign.add(path);
  }
  return {
    edited,
    isForeign: (path, changed) => foreign.has(path) || (changed !== undefined && isOthers(changed)),
  };
};

/** With the slack, without overlaps, the earliest first: one search finds whether a time is in any of them. */
const joinSpans = (spans: readonly Span[]): readonly Span[] => {
  const joined: [from: number, to: number][] = [];
  for (const [begin, end] of spans.toSorted(([a], [b]) => a - b)) {
    const [from, to] = [begin - slackMs.before, end + slackMs.after];
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
};

/** How many of the first items hold it, where after one that does not none does. */
export const countUntil = <T>(items: readonly T[], holds: (item: T) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Calls that begin so soon after one another are of one answer of the model and run beside each other. */
const togetherMs = 1_000;

/**
 * An editing tool that has no end was refused, or is still at work: it counts for a moment. A shell command has none where it failed, or where the
 * time of the last one is all that is noted: it ends then, or when the next tool begins.
 */
const findSpans = (marks: readonly ToolMark[], shellEnd: number | undefined): readonly Span[] => {
  const open = new Map<string, ToolMark[]>();
  const spans: Span[] = [];
  for (const mark of marks) {
    const starts = open.get(mark.call) ?? [];
    if (mark.when === "before") {
      starts.push(mark);
      open.set(mark.call, starts);
    } else spans.push([starts.pop()?.at ?? mark.at, mark.at]);
  }
  const begins = sortTimes(marks.map(({ when, at }) => (when === "before" ? at : undefined)));
  const ends = sortTimes([...marks.map(({ ended }) => ended), shellEnd]);
  const endOfShell = (at: number): number => Math.min(firstFrom(begins, at + togetherMs), firstFrom(ends, at));
  const unended = [...open.values()].flat().map(({ at, path }): Span => [at, path === undefined ? endOfShell(at) : at]);
  return [...spans, ...unended];
};

const sortTimes = (times: readonly (number | undefined)[]): readonly number[] =>
  times.filter((time) => time !== undefined).toSorted((a, b) => a - b);

/** The first time at or after one; never where none is. */
const firstFrom = (times: readonly number[], from: number): number =>
  times[countUntil(times, (time) => time < from)] ?? Number.POSITIVE_INFINITY;
