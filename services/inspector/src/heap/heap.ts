/** Heaps of attached programs: a snapshot at a time, read in a thread of its own, and compared with the one before of the same program. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { HeapAnswer, HeapStart } from "./heap-message.ts";
import type { ClassShare } from "./heap-report.ts";

export interface HeapQuestion extends HeapStart {
  readonly limit: number;
  readonly orderBy: "retained" | "count" | "growth";
}

interface ClassInfo extends ClassShare {
  /** Objects more than in the snapshot before; null in the first one. */
  readonly grown: number | null;
}

export interface HeapInfo {
  readonly heapBytes: number;
  readonly stoppedMs: number;
  readonly count: number;
  readonly classes: ClassInfo[];
  readonly holders: { path: string; count: number }[];
}

/** Objects by class, of the last snapshot. */
export type ClassCounts = ReadonlyMap<string, number>;

/** A heap that has too much in use is not looked at: its size is given. */
export const lookAtHeap = async (
  question: HeapQuestion,
  before: ClassCounts | undefined,
): Promise<{ readonly info: HeapInfo; readonly counts: ClassCounts } | { readonly tooLarge: number }> => {
  const answer = await askThread(question);
  if (answer.kind === "large") return { tooLarge: answer.heapBytes };
  const { heapBytes, stoppedMs, report } = answer;
  const classes = report.classes.map((share) => ({
    ...share,
    grown: before === undefined ? null : share.count - (before.get(share.name) ?? 0),
  }));
  const { orderBy, limit } = question;
  const weight = (each: ClassInfo): number => (orderBy === "growth" ? (each.grown ?? 0) : each[orderBy]);
  const sorted = classes.sort((one, other) => weight(other) - weight(one)).slice(0, limit);
  return {
    info: { heapBytes, stoppedMs, count: classes.length, classes: sorted, holders: [...report.holders] },
    counts: new Map(report.classes.map(({ name, count }) => [name, count])),
  };
};

const askThread = async ({ address, mostBytes, wanted }: HeapStart): Promise<HeapAnswer> => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const start: HeapStart = { address, mostBytes, wanted };
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), { workerData: start });
  try {
    const [answer] = (await once(worker, "message")) as [HeapAnswer];
    return answer;
  } finally {
    await worker.terminate();
  }
};
