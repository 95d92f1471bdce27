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

/** Of a ticket, from the marks since it was taken; `undefined` where no editing tool has left one: then nothing is known. */
export const readToolTimes = (all: readonly ToolMark[], ticket: TicketId): ToolTimes | undefined => {
  const first = all.findLastIndex(({ when }) => when === "begin");
  const begin = all[first];
  const marks = all.slice(first + 1);
  if (begin?.call !== ticket || !marks.some(({ path }) => path !== undefined)) return undefined;
  const spans = findSpans(marks);
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

/** A call that has no end was refused, or is still at work: it counts for a moment. */
const findSpans = (marks: readonly ToolMark[]): readonly Span[] => {
  const open = new Map<string, number[]>();
  const spans: Span[] = [];
  for (const { at, when, call } of marks) {
    const starts = open.get(call) ?? [];
    if (when === "before") open.set(call, [...starts, at]);
    else {
      const start = starts.at(-1) ?? at;
      open.set(call, starts.slice(0, -1));
      spans.push([start, at]);
    }
  }
  return [...spans, ...[...open.values()].flat().map((at): Span => [at, at])];
};
