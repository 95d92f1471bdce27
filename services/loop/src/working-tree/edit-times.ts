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
  const spans = findSpans(marks, shellEnd);
  const isAgents = (changed: number): boolean =>
    spans.some(([from, to]) => changed >= from - slackMs.before && changed <= to + slackMs.after);
  const seen = new Map<string, number[]>();
  for (const { path, changed, when } of marks)
    if (path !== undefined && changed !== undefined && when === "before")
      seen.set(path, [...(seen.get(path) ?? []), changed]);
  return {
    edited: new Set(marks.flatMap(({ path, when }) => (path !== undefined && when === "after" ? [path] : []))),
    isForeign: (path, changed) =>
      [...(seen.get(path) ?? []), ...(changed === undefined ? [] : [changed])].some(
        (at) => at > begin.at && !isAgents(at),
      ),
  };
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
    if (mark.when === "before") open.set(mark.call, [...starts, mark]);
    else {
      spans.push([starts.at(-1)?.at ?? mark.at, mark.at]);
      open.set(mark.call, starts.slice(0, -1));
    }
  }
  const begins = marks.flatMap(({ when, at }) => (when === "before" ? [at] : []));
  const ends = [...marks.map(({ ended }) => ended), shellEnd]
    .filter((end) => end !== undefined)
    .toSorted((a, b) => a - b);
  const endOfShell = (at: number): number =>
    Math.min(
      begins.find((next) => next >= at + togetherMs) ?? Number.POSITIVE_INFINITY,
      ends.find((end) => end >= at) ?? Number.POSITIVE_INFINITY,
    );
  const unended = [...open.values()].flat().map(({ at, path }): Span => [at, path === undefined ? endOfShell(at) : at]);
  return [...spans, ...unended];
};
