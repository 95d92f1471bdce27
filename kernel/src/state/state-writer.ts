/**
 * The thread that writes answers, events and runs, as seen from the kernel: started at the first batch, ended with the kernel, and replaced when it ended by itself. It
 * keeps the process alive only while a batch is under way.
 */
import { dirname, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { KernelEvent } from "../observe/event.ts";
import { makeFolder } from "../owner/places.ts";
import type { RunRead, RunWrite, RunWritten } from "../runs/store.ts";
import { packAnswers } from "./answer-batch.ts";
import { packEvents } from "./event-batch.ts";
import type { AnswerWrite, AnswerWritten, WriterReply, WriterRequest, WriterStart } from "./state-write.ts";
import { inStorageWords, storageError } from "./storage-error.ts";

export interface StateWriter {
  /** Rejects with the storage's failure as a `FairleadError` (`unavailable`, `data_loss`), or with what else failed. */
  commit(writes: readonly AnswerWrite[]): Promise<readonly AnswerWritten[]>;
  /** Stores events of the kernel that was started at `start`. Rejects likewise. */
  append(start: number, events: readonly KernelEvent[]): Promise<void>;
  /** Commits changes of runs. Rejects likewise. */
  commitRuns(writes: readonly RunWrite[]): Promise<readonly RunWritten[]>;
  /** What is stored of runs; what is read is as `RunTable.read` says. Rejects likewise. */
  readRuns(read: RunRead): Promise<unknown>;
  /** Another has put the file aside: later batches go to the one that is there then. */
  reopen(): void;
  /** Resolves when the file is closed. */
  close(): Promise<void>;
}

type WriterBatch = Exclude<WriterRequest, { type: "reopen" | "close" }>;
/** What each kind of batch is answered with is what `writer-thread.ts` sends for it. */
type PendingBatch = PromiseWithResolvers<unknown>;

/** Megabytes for new objects of the thread. Batches are short-lived; without a bound V8 takes 48 MB for them, and gives none of it back. */
const nurseryMb = 6;

/** `onDamage` is called with the name under which a damaged file was put aside. */
export const startStateWriter = (start: WriterStart, onDamage: (aside: string) => void): StateWriter => {
  let pending: PendingBatch[] = [];
  let thread: Worker | undefined;
  const settle = (reply: Exclude<WriterReply, { type: "damaged" }>): void => {
    const batch = pending.shift();
    if (pending.length === 0) thread?.unref();
    if (reply.type === "committed") batch?.resolve(JSON.parse(reply.results));
    else batch?.reject(toError(reply));
  };
  const startThread = (): Worker => {
    inStorageWords(() => makeFolder(resolve(dirname(start.file))));
    const started = new Worker(new URL(`./writer-thread.${extension}`, import.meta.url), {
      workerData: start,
      resourceLimits: { maxYoungGenerationSizeMb: nurseryMb },
    });
    let why = "the thread that writes the kernel's state has ended";
    started.on("message", (reply: WriterReply) => (reply.type === "damaged" ? onDamage(reply.aside) : settle(reply)));
    started.on("error", (cause) => {
      why = `the thread that writes the kernel's state has failed: ${cause instanceof Error ? cause.message : String(cause)}`;
    });
    started.on("exit", () => {
      thread = undefined;
      const lost = pending;
      pending = [];
      for (const { reject } of lost) reject(new Error(why));
    });
    return started;
  };
  const send = (request: WriterRequest): Worker => {
    thread ??= startThread();
    thread.postMessage(request);
    return thread;
  };
  const request = <T>(batch: WriterBatch): Promise<T> => {
    send(batch).ref();
    const reply: PendingBatch = Promise.withResolvers();
    pending.push(reply);
    return reply.promise as Promise<T>;
  };
  return {
    commit: async (writes) => request<readonly AnswerWritten[]>({ type: "batch", writes: packAnswers(writes) }),
    commitRuns: async (writes) => request<readonly RunWritten[]>({ type: "runs", writes: JSON.stringify(writes) }),
    readRuns: async (read) => request({ type: "read-runs", read: JSON.stringify(read) }),
    append: async (start, events) => {
      const { calls, others } = packEvents(events);
      await request({ type: "events", start, calls, others: JSON.stringify(others) });
    },
    reopen: () => {
      if (thread !== undefined) send({ type: "reopen" });
    },
    close: () => {
      if (thread === undefined) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      thread.ref();
      thread.once("exit", () => resolve());
      send({ type: "close" });
      return promise;
    },
  };
};

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

const toError = ({ code, message }: Extract<WriterReply, { type: "failed" }>): Error => {
  const cause = Object.assign(new Error(message), { code });
  return storageError(cause) ?? cause;
};
