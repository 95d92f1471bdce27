/**
 * The active run of a project as this process holds it: the lock, the database, the loaded state, and the files that follow it. Work
 * that changes the run takes the lock, runs in the committer's transaction, and the files are written after the commit.
 *
 * Not here: which events there are and what they do (`project.ts`, the machine).
 */
import { join } from "node:path";
import type { RunState } from "../state/run-state.ts";
import type { RunFile } from "../store/file-table.ts";
import { readOwnerPid } from "../store/hook-file.ts";
import { createLazyDatabase, type LazyDatabase } from "../store/lazy-database.ts";
import type { EventRow } from "../store/log-line.ts";
import { acquireLock, type SessionLock } from "../store/session-lock.ts";
import type { Store } from "../store/store.ts";
import type { RunId } from "../value/id.ts";
import { declaredError } from "./declared-error.ts";
import { type LoadedRun, loadRun } from "./load-run.ts";
import { createProjection, type Projection } from "./projection.ts";
import type { WrittenStep } from "./write-step.ts";

/** The project that the run belongs to. */
interface RunOwner {
  readonly name: string;
  /** Real path. */
  readonly root: string;
  /** Real path of `.promptwheel`. */
  readonly home: string;
  /** Logs a problem with a run that fails no call. */
  readonly warn: (message: string, run: string, problem: unknown) => void;
  /** Called once a change of the run is on the disk, with the lines that it added to the log. */
  readonly changed: (lines: readonly EventRow[], state: RunState | undefined) => void;
}

export class ActiveRun {
  readonly #owner: RunOwner;
  readonly #database: LazyDatabase;
  readonly #projection: Projection;
  #lock: SessionLock | undefined;
  /** Lines of transactions that are not on the disk yet. */
  #lines: EventRow[] = [];
  #loaded: LoadedRun | undefined;

  constructor(owner: RunOwner) {
    this.#owner = owner;
    this.#projection = createProjection(owner.home, (run, problem) =>
      owner.warn("the run folder could not be written; it will be rebuilt", run, problem),
    );
    this.#database = createLazyDatabase(owner.root, owner.home, {
      committed: () => {
        const state = this.#loaded?.state;
        this.#writeFiles();
        owner.changed(this.#lines.splice(0), state);
      },
      rolledBack: () => {
        this.#lines = [];
        this.#forget();
      },
    });
  }

  /** The database; made when it is not there. */
  get store(): Store {
    return this.#database.open().store;
  }

  /** The database if there is one: for tools that only look. */
  get existingStore(): Store | undefined {
    return this.#database.openExisting()?.store;
  }

  /** The state of the active run; `undefined` without one. Takes no lock. */
  peek(): RunState | undefined {
    if (this.#loaded !== undefined && this.#lock !== undefined) return this.#loaded.state;
    const store = this.existingStore;
    const run = store?.activeRun();
    return store === undefined || run === undefined ? undefined : loadRun(store, run).state;
  }

  /** Whether this process drives the active run: it holds the lock. */
  get isDriven(): boolean {
    return this.#lock !== undefined;
  }

  /** The state of any run. */
  findState(runId: RunId): RunState {
    if (this.#loaded?.state.runId === runId) return this.#loaded.state;
    const run = this.store.run(runId);
    if (run === undefined) throw new Error(`there is no run ${runId}`);
    return loadRun(this.store, run).state;
  }

  /** Inside a transaction: the active run, loaded once. */
  load(): LoadedRun {
    if (this.#loaded !== undefined) return this.#loaded;
    const run = this.store.activeRun();
    if (run === undefined) throw this.noSession();
    this.#projection.forget();
    this.#loaded = loadRun(this.store, run);
    return this.#loaded;
  }

  /** Runs work that changes the active run; resolves once it is on the disk. */
  async commit<T>(work: () => T): Promise<T> {
    this.#ensureLock();
    return this.#database.open().committer.run(() => {
      this.load();
      return work();
    });
  }

  /** The same, synchronously. */
  commitNow<T>(work: () => T): T {
    this.#ensureLock();
    return this.#database.open().committer.runNow(() => {
      this.load();
      return work();
    });
  }

  /** Runs work that begins a run, which becomes the active one; where it fails the lock is released. */
  commitFirst<T>(work: () => { readonly loaded: LoadedRun; readonly answer: T }): T {
    this.#acquire();
    try {
      return this.#database.open().committer.runNow(() => {
        const { loaded, answer } = work();
        this.#loaded = loaded;
        this.#projection.forget();
        return answer;
      });
    } catch (problem) {
      this.#release();
      throw problem;
    }
  }

  /** Runs a write that is not an event, like a baseline. */
  write(work: () => void): Promise<void> {
    return this.#database.open().committer.run(work);
  }

  /** Keeps a file of a run beside its events; its folder gets it with the rest. */
  keepFile(runId: RunId, file: RunFile): Promise<void> {
    return this.write(() => {
      const kept = this.store.saveFile(runId, file, this.store.run(runId)?.last_seq ?? 0);
      if (this.#loaded?.state.runId === runId) this.#projection.add([], [kept]);
    });
  }

  /** Inside a transaction: the run after a step. */
  replace({ run, rows, files }: WrittenStep): void {
    this.#loaded = run;
    this.#lines.push(...rows);
    this.#projection.add(rows, files);
  }

  /** A process that was killed may have left files behind the log: those of the newest run are brought up to date. */
  recover(): void {
    const [run] = this.existingStore?.runs(1) ?? [];
    if (run === undefined) return;
    const lock = acquireLock(this.#lockPath);
    if (lock === undefined) return;
    try {
      this.#loaded = loadRun(this.store, run);
      this.#writeFiles();
    } catch (problem) {
      this.#owner.warn("the last run could not be loaded", run.run_id, problem);
    } finally {
      lock.release();
      this.#release();
    }
  }

  noSession(): Error {
    return declaredError("no_session", `project ${this.#owner.name} has no active session`);
  }

  close(): void {
    this.#release();
    this.#database.close();
  }

  get #lockPath(): string {
    return join(this.#owner.home, "session.lock");
  }

  #ensureLock(): void {
    if (this.#lock !== undefined) return;
    if (this.existingStore?.activeRun() === undefined) throw this.noSession();
    this.#acquire();
  }

  #acquire(): void {
    if (this.#lock !== undefined) return;
    this.#database.open();
    this.#lock = acquireLock(this.#lockPath);
    this.#loaded = undefined;
    if (this.#lock !== undefined) return;
    const { name, home } = this.#owner;
    throw declaredError("project_busy", `another process drives the session of project ${name}`, {
      pid: readOwnerPid(home),
    });
  }

  #writeFiles(): void {
    if (this.#loaded === undefined) return;
    const { state } = this.#loaded;
    this.#projection.write(this.store, state);
    if (state.ended) this.#release();
  }

  #release(): void {
    this.#lock?.release();
    this.#lock = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#loaded = undefined;
    this.#projection.forget();
  }
}
