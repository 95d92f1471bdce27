/** Lines of a log that come in pages and by a stream, put together. Pure. */
import type { SessionLine } from "./api.ts";

/** In the order of the log, each line once. */
export const mergeLines = (known: readonly SessionLine[], added: readonly SessionLine[]): readonly SessionLine[] => {
  const last = known.at(-1)?.seq ?? 0;
  if (added.every(({ seq }, index) => seq === last + 1 + index)) return [...known, ...added];
  const bySeq = new Map([...known, ...added].map((line) => [line.seq, line]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
};
