/**
 * Writes changes of runs to the store: what comes in while a commit takes its time is one commit, and of one run only the latest is written. A
 * failing disk is tried again; who waits for it gets the failure. A commit that failed may be on the disk all the same, if only its
 * acknowledgement was lost: what of it is there is read back before the next one.
 *
 * Not here: what changes (`decide.ts`), and when (`runner.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Queue from "effect/Queue";
import type * as Scope from "effect/Scope";
import { failure } from "../call/error.ts";
import { isOver, type Run } from "./run.ts";
import type { RunStore, RunWrite, RunWritten } from "./store.ts";

type Commit = Deferred.Deferred<void, FairleadError>;

export interface Journal {
  /** A run that is in the store, at the version that it has there. */
  track(run: Run): void;
  /** Notes a change. */
  update(run: Run): void;
  /** Adds a run, once it is on the disk. */
  insert(run: Run, input: unknown): Effect.Effect<RunWritten, FairleadError>;
  /** Waits until all that was noted before is on the disk. */
  readonly saved: Effect.Effect<void, FairleadError>;
}

interface JournalListeners {
  /** It is on the disk. */
  readonly stored: (run: Run) => void;
  /** It is not ours any more: another kernel has written it, or it was resumed and there is no room. */
  readonly lost: (run: Run, why: "conflict" | "full") => void;
  /** It cannot be written as JSON. */
  readonly unfit: (run: Run) => void;
  /** Its insertion was reported as failed, and it is in the store. */
  readonly found: (run: Run) => void;
}

/** How long a failing disk is left alone. */
const pause = "1 second";

interface Insertion {
  readonly run: Run;
  readonly input: unknown;
  readonly written: Deferred.Deferred<RunWritten, FairleadError>;
}

/** A store's promise as an Effect. What it rejects with is a `FairleadError`. */
export const fromStore = <T>(work: () => Promise<T>): Effect.Effect<T, FairleadError> =>
  Effect.tryPromise({ try: work, catch: (cause) => cause as FairleadError });

export const makeJournal = (
  store: RunStore,
  { stored, lost, unfit, found }: JournalListeners,
): Effect.Effect<Journal, never, Scope.Scope> =>
  Effect.gen(function* () {
    const signal = yield* Queue.sliding<void>(1);
    /** By id: the version in the store. */
    const versions = new Map<string, number>();
    /** By id: what a commit that failed had of it. */
    const doubtful = new Map<string, { readonly run: Run; readonly isNew: boolean }>();
    let changed = new Map<string, Run>();
    let insertions: Insertion[] = [];
    let next: Commit | undefined;
    let running: Commit | undefined;

    const note = Effect.suspend(() => {
      next ??= Deferred.makeUnsafe<void, FairleadError>();
      return Queue.offer(signal, undefined);
    });

    const settle = (updates: readonly Run[], results: readonly RunWritten[]): void => {
      for (const [at, run] of updates.entries()) {
        const { tag } = results[at] ?? { tag: "conflict" };
        if (tag === "conflict" || tag === "full") {
          versions.delete(run.id);
          lost(run, tag);
        } else {
          if (isOver(run)) versions.delete(run.id);
          else versions.set(run.id, run.version);
          stored(run);
        }
      }
    };

    /** Another kernel would have written another record. */
    const reconcile = Effect.gen(function* () {
      for (const [id, { run, isNew }] of doubtful) {
        const record = yield* fromStore(() => store.find(id));
        doubtful.delete(id);
        if (record === undefined || JSON.stringify(record) !== JSON.stringify(run)) continue;
        versions.set(id, run.version);
        if (isNew) found(run);
      }
    });

    const write = Effect.fnUntraced(function* (updates: readonly Run[], added: readonly Insertion[]) {
      yield* reconcile;
      if (updates.length + added.length === 0) return [];
      const writes: RunWrite[] = [
        ...updates.map((run) => ({ kind: "update", run, replaces: versions.get(run.id) ?? run.version - 1 }) as const),
        ...added.map(({ run, input }) => ({ kind: "insert", run, input }) as const),
      ];
      const doubt = Effect.sync(() => {
        for (const run of updates) if (isStorable(run)) doubtful.set(run.id, { run, isNew: false });
        for (const { run } of added) doubtful.set(run.id, { run, isNew: true });
      });
      return yield* Effect.tapError(
        fromStore(() => store.commit(writes)),
        () => doubt,
      );
    });

    const commit = Effect.gen(function* () {
      const [noted, added, waiting] = [[...changed.values()], insertions, next];
      changed = new Map();
      insertions = [];
      [running, next] = [waiting, undefined];
      let updates: readonly Run[] = noted;
      let exit = yield* Effect.exit(write(updates, added));
      if (Exit.isFailure(exit)) {
        // One that has no form in JSON is no reason to keep the others off the disk.
        const refused = noted.filter((run) => !isStorable(run));
        updates = noted.filter((run) => !refused.includes(run));
        if (refused.length > 0) exit = yield* Effect.exit(write(updates, added));
        for (const run of refused) unfit(run);
      }
      running = undefined;
      if (Exit.isSuccess(exit)) {
        settle(updates, exit.value);
        for (const [at, { written }] of added.entries()) {
          const result: RunWritten = exit.value[updates.length + at] ?? { tag: "conflict" };
          yield* Deferred.succeed(written, result);
        }
      } else {
        // What has changed meanwhile replaces it.
        changed = new Map([...updates.map((run) => [run.id, run] as const), ...changed]);
        for (const { written } of added) yield* Deferred.failCause(written, exit.cause);
      }
      if (waiting !== undefined) yield* Deferred.done(waiting, Exit.asVoid(exit));
      if (Exit.isSuccess(exit)) return;
      yield* Effect.sleep(pause);
      yield* note;
    });
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(signal), commit)), { startImmediately: true });

    return {
      track: (run) => void versions.set(run.id, run.version),
      update: (run) => {
        changed.set(run.id, run);
        next ??= Deferred.makeUnsafe<void, FairleadError>();
        Queue.offerUnsafe(signal, undefined);
      },
      insert: (run, input) =>
        Effect.gen(function* () {
          if (!isStorable(input)) return yield* Effect.fail(noJson());
          const written = yield* Deferred.make<RunWritten, FairleadError>();
          insertions.push({ run, input, written });
          yield* note;
          const result = yield* Deferred.await(written);
          if (result.tag === "written") versions.set(run.id, run.version);
          return result;
        }),
      saved: Effect.gen(function* () {
        if (next === undefined && changed.size > 0) yield* note;
        const commit = next ?? running;
        if (commit !== undefined) yield* Deferred.await(commit);
      }),
    };
  });

const isStorable = (value: unknown): boolean => {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
};

const noJson = (): FairleadError => failure("invalid_argument", "the input of a run must have a form in JSON");
