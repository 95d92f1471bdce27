/**
 * The kernel's state, opened on first need, since most kernels never have one. State that an earlier kernel left is opened after a
 * while all the same: its old answers have to go.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import { localPrincipal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { loadOnce } from "../call/load-once.ts";
import type { EventStore } from "../observe/event-log.ts";
import type { Log } from "../observe/log.ts";
import type { AnswerStore } from "../policy/idempotency.ts";
import type { Run } from "../runs/run.ts";
import type { RunPage, RunStore } from "../runs/store.ts";
import type { StoredEvents } from "./event-store.ts";
import type { CommitBatch, GroupCommit } from "./group-commit.ts";
import type { AnswerLimits } from "./state-write.ts";
import type { StateWriter } from "./state-writer.ts";

export interface LazyState {
  answers(): Promise<AnswerStore>;
  events(): Promise<EventStore>;
  /** Opened with the first write or read. */
  readonly runs: RunStore;
  /** True where an earlier kernel left state, in which there may be open runs. */
  isThere(): boolean;
  /** Why the last answer could not be stored, and what to do; `undefined` where it could. */
  problem(): StorageProblem | undefined;
  /**
   * Ends it, once the answers that are on their way are stored or have had some seconds for it. What has not begun by then fails with `unavailable`, also where it
   * waits for a load that is under way.
   */
  close(): Promise<void>;
}

/** In words, for health pages. */
interface StorageProblem {
  readonly why: string;
  readonly fix: string;
}

/** Milliseconds that a kernel which closes waits for a disk. */
const lastWritesMs = 5_000;

/** Milliseconds that a kernel has to start before it cleans up what an earlier one left. */
const lookAfterMs = 30_000;

const mostBytes = 268_435_456;

/** How much is kept of answers of keyed calls, in the file or without one: one principal may fill a quarter. */
export const answerLimits: AnswerLimits = { mostBytes, mostOfOne: mostBytes / 4, unlimited: localPrincipal.id };

/** `log` gets a line about a file that was damaged, and about failures of the storage. */
export const lazyState = (folder: string, log: Log): LazyState => {
  const file = join(folder, "kernel.sqlite");
  const logDamage = (aside: string): void =>
    log("error", "the kernel's state was damaged: stored answers of keyed calls are lost, a repeat of one runs again", {
      file,
      aside,
    });
  // Two have the file open. When one of them puts it aside, the other goes on in the new one.
  let writer: StateWriter | undefined;
  let stored: StoredEvents | undefined;
  const startWriter = loadOnce(async () => {
    const { startStateWriter } = await import("./state-writer.ts");
    writer = startStateWriter({ file, limits: answerLimits }, (aside) => {
      logDamage(aside);
      stored?.close();
    });
    return writer;
  });
  let isClosed = false;
  const openWriter = async (): Promise<StateWriter> => {
    const started = await startWriter();
    if (isClosed) throw closed();
    return started;
  };
  const openEvents = loadOnce(async (): Promise<EventStore> => {
    const { openEventStore } = await import("./event-store.ts");
    if (isClosed) throw closed();
    try {
      const own = openEventStore(file, (aside) => {
        logDamage(aside);
        writer?.reopen();
      });
      stored = own;
      return {
        append: async (start, events) => {
          own.setOwn(start);
          await (await openWriter()).append(start, events);
        },
        appendNow: own.append,
        read: (place, accepts) => (isClosed ? [] : own.read(place, accepts)),
      };
    } catch (cause) {
      log("error", "the kernel's state cannot be opened", { file, cause });
      throw cause;
    }
  });
  let problem: StorageProblem | undefined;
  const commit: CommitBatch = async (writes) => {
    try {
      const results = await (await openWriter()).commit(writes);
      problem = undefined;
      return results;
    } catch (cause) {
      // Once for a spell of failures: each call reports its own.
      if (problem === undefined) log("error", "answers of keyed calls cannot be stored", { file, cause });
      // Shown to whoever may see health pages: only errors in our words name no path.
      const why = cause instanceof FairleadError ? cause.message : "see the kernel's log";
      problem = {
        why: `answers of keyed calls cannot be stored: ${why}`,
        fix: "run `fairlead doctor` and see the kernel's log",
      };
      throw cause;
    }
  };
  let answers: GroupCommit | undefined;
  const openAnswers = loadOnce(async () => {
    const { groupCommit } = await import("./group-commit.ts");
    answers = groupCommit(commit);
    return answers;
  });
  const later = setTimeout(() => {
    // Old answers of an earlier kernel go. The first call that needs the state meets a failure again, and reports it.
    if (existsSync(file))
      openWriter()
        .then((started) => started.commit([]))
        .catch(() => undefined);
  }, lookAfterMs).unref();
  // What the thread sends is what `RunTable` has read.
  const readRuns = async <T>(read: Parameters<StateWriter["readRuns"]>[0]): Promise<T> =>
    (await (await openWriter()).readRuns(read)) as T;
  return {
    answers: openAnswers,
    events: openEvents,
    runs: {
      commit: async (writes) => (await openWriter()).commitRuns(writes),
      find: async (id) => (await readRuns<Run | null>({ kind: "find", id })) ?? undefined,
      input: (id) => readRuns({ kind: "input", id }),
      list: (query) => readRuns<RunPage>({ kind: "list", ...query }),
      open: () => readRuns<readonly Run[]>({ kind: "open" }),
    },
    isThere: () => existsSync(file),
    problem: () => problem,
    close: async () => {
      clearTimeout(later);
      await answers?.whenIdle(lastWritesMs);
      isClosed = true;
      await writer?.close();
      stored?.close();
    },
  };
};

const closed = (): FairleadError =>
  failure("unavailable", "the kernel's state is closed: it is shutting down", { hint: "try again when it runs again" });
