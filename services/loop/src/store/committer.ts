/**
 * The one writer: units of work are queued, run in one transaction (each in its own savepoint, so that one that fails takes no
 * other with it), and acknowledged once that transaction is on the disk. Calls that arrive together share one fsync.
 */
import type { SqliteConnection } from "./database.ts";
import { toStorageError } from "./storage-error.ts";

interface WorkUnit {
  readonly work: () => unknown;
  readonly settle: (outcome: UnitResult) => void;
}

type UnitResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: unknown };

export interface Committer {
  /** Runs the work in a transaction; resolves after the commit. */
  run<T>(work: () => T): Promise<T>;
  /** The same at once, with whatever is queued. */
  runNow<T>(work: () => T): T;
}

export interface CommitHooks {
  /** After a commit, before any unit of work is settled. */
  readonly committed: () => void;
  /** After a transaction or a unit was rolled back: what is cached in memory is no longer true. */
  readonly rolledBack: () => void;
}

export const createCommitter = (db: SqliteConnection, { committed, rolledBack }: CommitHooks): Committer => {
  let queue: WorkUnit[] = [];
  let scheduled = false;

  const attempt = (unit: WorkUnit): UnitResult => {
    try {
      return { ok: true, value: db.transaction(unit.work)() };
    } catch (failure) {
      rolledBack();
      // SQLite may have given up the whole transaction: what follows must not run outside of one.
      if (!db.inTransaction) throw failure;
      return { ok: false, failure: toStorageError(failure) };
    }
  };

  const commitAll = (units: readonly WorkUnit[]): readonly UnitResult[] => {
    try {
      const outcomes = db.transaction(() => units.map(attempt)).immediate();
      committed();
      return outcomes;
    } catch (problem) {
      rolledBack();
      const failure = toStorageError(problem);
      return units.map(() => ({ ok: false, failure }));
    }
  };

  const flush = (): void => {
    scheduled = false;
    const units = queue;
    queue = [];
    if (units.length === 0) return;
    const outcomes = commitAll(units);
    for (const [index, unit] of units.entries())
      unit.settle(outcomes[index] ?? { ok: false, failure: new Error("the work was not run") });
  };

  const enqueue = (unit: WorkUnit): void => {
    queue.push(unit);
  };

  return {
    run: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        enqueue({ work, settle: (outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.failure)) });
        if (scheduled) return;
        scheduled = true;
        setImmediate(flush);
      }),
    runNow: <T>(work: () => T): T => {
      let result: UnitResult | undefined;
      enqueue({
        work,
        settle: (outcome) => {
          result = outcome;
        },
      });
      flush();
      if (result?.ok === true) return result.value as T;
      throw result?.failure ?? new Error("the work was not run");
    },
  };
};
