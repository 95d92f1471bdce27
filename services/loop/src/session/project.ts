/**
 * One project on this machine: its folder, its database, its active session. Every change goes through `commit`,
 * which takes the lock, runs in the committer's transaction and writes the files after the commit.
 *
 * Not here: what the tools do with it (`tool/`).
 */

import { join } from "node:path";
import type { FairleadError } from "@fairlead/contracts";
import { type Git, openGit } from "../git/git.ts";
import { createGitLockGuard, type GitLockGuard } from "../git/lock-guard.ts";
import { type StepResult, step } from "../machine/machine.ts";
import { hasGit, resolveFolder, resolveHome } from "../project/home.ts";
import type { EventType } from "../state/event.ts";
import type { RunState, SessionStart } from "../state/run-state.ts";
import { initialState } from "../state/run-state.ts";
import type { StoredEvent } from "../store/event-table.ts";
import { readOwnerPid } from "../store/hook-file.ts";
import { createLazyDatabase, type LazyDatabase } from "../store/lazy-database.ts";
import type { ProjectMemory } from "../store/memory-table.ts";
import { acquireLock, type SessionLock } from "../store/session-lock.ts";
import type { Store } from "../store/store.ts";
import { errorMessage } from "../value/error.ts";
import type { EventId, RunId } from "../value/id.ts";
import { declaredError, invalidArgument } from "./declared-error.ts";
import { chooseEventId, createEvent, type EventDraft, type EventSources } from "./event-draft.ts";
import { type LoadedRun, loadRun } from "./load-run.ts";
import { createProjection, type Projection } from "./projection.ts";
import { writeStep } from "./write-step.ts";

/** What a project gets from outside. */
export interface ProjectOptions extends EventSources {
  /** Logs a problem that does not fail the call, like a file that could not be written. */
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Names of variables that verification commands may see beside the usual ones. */
  readonly qaEnvironment: readonly string[];
  /** Milliseconds one verification command may take. */
  readonly qaTimeLimitMs: number;
}

export interface AppliedEvent<A> {
  readonly answer: A;
  /** True when the id was known: nothing was applied, the answer is the first one. */
  readonly repeated: boolean;
  readonly state: RunState;
  readonly id: EventId;
}

/** What is recorded with the first event, beside the session's settings. */
interface SessionOpening<A> {
  /** The caller's id of the first event; a new one when left out. */
  readonly id: string | undefined;
  readonly memory: Partial<ProjectMemory>;
  readonly buildAnswer: (state: RunState) => A;
}

/** Makes the answer that is stored with the event. */
type AnswerBuilder<A> = (result: StepResult, before: RunState) => A;

export class Project {
  readonly name: string;
  /** Real path. */
  readonly root: string;
  /** Real path of `.promptwheel`, which is made by the first session. */
  readonly home: string;
  readonly options: ProjectOptions;
  /** Git, where the folder is the top of a work tree. */
  readonly git: Git | undefined;
  /** Runs a git that takes locks. */
  readonly lockGuard: GitLockGuard;
  readonly #database: LazyDatabase;
  #lock: SessionLock | undefined;
  #run: LoadedRun | undefined;
  readonly #projection: Projection;

  /** Opens a project. Throws when the folder is not there or its state cannot be read. */
  constructor(name: string, path: string, options: ProjectOptions) {
    this.name = name;
    this.options = options;
    this.root = resolveFolder(path);
    this.home = resolveHome(this.root);
    this.git = hasGit(this.root) ? openGit(this.root) : undefined;
    this.lockGuard = createGitLockGuard(this.root, this.home);
    this.#projection = createProjection(this.home, (run, problem) =>
      this.#warn("the run folder could not be written; it will be rebuilt", run, problem),
    );
    this.#database = createLazyDatabase(this.root, this.home, {
      committed: () => this.#writeFiles(),
      rolledBack: () => this.#forget(),
    });
    this.#recover();
  }

  /** The database; made when it is not there. */
  get store(): Store {
    return this.#database.open().store;
  }

  /** The database if there is one: for tools that only look. */
  get existingStore(): Store | undefined {
    return this.#database.openExisting()?.store;
  }

  /** The state of the active session; `undefined` without one. Takes no lock. */
  peek(): RunState | undefined {
    if (this.#run !== undefined && this.#lock !== undefined) return this.#run.state;
    const store = this.existingStore;
    const run = store?.activeRun();
    return store === undefined || run === undefined ? undefined : loadRun(store, run).state;
  }

  /** The same, or the declared error. */
  requireSession(): RunState {
    const state = this.peek();
    if (state === undefined) throw declaredError("no_session", `project ${this.name} has no active session`);
    return state;
  }

  /** Runs work that changes the active session; resolves once it is on the disk. */
  async commit<T>(work: () => T): Promise<T> {
    this.#ensureLock();
    return this.#database.open().committer.run(() => {
      this.#load();
      return work();
    });
  }

  /** The same, synchronously. */
  commitNow<T>(work: () => T): T {
    this.#ensureLock();
    return this.#database.open().committer.runNow(() => {
      this.#load();
      return work();
    });
  }

  /** Starts a session: its first event, and the memory as it is after fading. Gives the answer, which is stored with the event. */
  begin<A>(begin: SessionStart, { id, memory, buildAnswer }: SessionOpening<A>): A {
    this.#acquire();
    try {
      return this.#database.open().committer.runNow(() => {
        const active = this.store.activeRun();
        if (active !== undefined) throw sessionActive(this.name, active);
        const at = this.options.clock();
        const state = initialState(begin, at);
        const answer = buildAnswer(state);
        const opening = { id: chooseEventId(id, this.options.ids), at, answer: JSON.stringify(answer) };
        const row = this.store.begin(begin, opening);
        this.store.saveMemory(memory);
        this.store.saveSnapshot(state, row.seq);
        this.#run = { state, seq: row.seq, unsaved: 0 };
        this.#projection.forget();
        return answer;
      });
    } catch (problem) {
      this.#release();
      throw problem;
    }
  }

  /** The event of a caller's id, if it was recorded: in this session or in an earlier one. An id of another type is refused. */
  findRecorded(type: EventType | "SESSION_START", id: string | undefined): StoredEvent | undefined {
    const known = id === undefined ? undefined : this.existingStore?.event(chooseEventId(id, this.options.ids));
    if (known === undefined || known.type === type) return known;
    throw idTaken(known);
  }

  /** The first answer to an event of a known id; `undefined` when it is new. Another payload under the same id is refused. */
  findRepeat<A>({ type, payload, id }: Pick<EventDraft, "type" | "payload" | "id">): AppliedEvent<A> | undefined {
    const known = this.findRecorded(type, id);
    if (known === undefined) return undefined;
    if (known.payload !== JSON.stringify(payload)) throw idTaken(known);
    const answer = JSON.parse(known.answer ?? "null") as A;
    return { answer, repeated: true, state: this.#loadState(known.run_id), id: chooseEventId(id, this.options.ids) };
  }

  /** Records an event and applies it, or answers the one of a known id again; resolves once it is on the disk. */
  async send<T extends EventType, A>(draft: EventDraft<T>, buildAnswer: AnswerBuilder<A>): Promise<AppliedEvent<A>> {
    return this.findRepeat<A>(draft) ?? this.commit(() => this.apply(draft, buildAnswer));
  }

  /** The same inside `commit`. */
  apply<T extends EventType, A>(draft: EventDraft<T>, buildAnswer: AnswerBuilder<A>): AppliedEvent<A> {
    const known = this.findRepeat<A>(draft);
    if (known !== undefined) return known;
    const before = this.#load();
    const id = chooseEventId(draft.id, this.options.ids);
    const event = createEvent(draft, id, { ...this.options, maxTickets: before.state.settings.maxProposals });
    const result = step(before.state, event);
    const answer = buildAnswer(result, before.state);
    const { run, rows, files } = writeStep(this.store, before, {
      event,
      result,
      answer: JSON.stringify(answer),
      patch: draft.patch,
    });
    this.#run = run;
    this.#projection.add(rows, files);
    return { answer, repeated: false, state: run.state, id };
  }

  /** Runs a write that is no event, like a baseline. */
  write(work: () => void): Promise<void> {
    return this.#database.open().committer.run(work);
  }

  close(): void {
    this.#release();
    this.#database.close();
  }

  #loadState(runId: RunId): RunState {
    if (this.#run?.state.runId === runId) return this.#run.state;
    const run = this.store.run(runId);
    if (run === undefined) throw new Error(`there is no run ${runId}`);
    return loadRun(this.store, run).state;
  }

  #writeFiles(): void {
    if (this.#run === undefined) return;
    const { state } = this.#run;
    this.#projection.write(this.store, state);
    if (state.ended) this.#release();
  }

  /** A process that was killed may have left files behind the log: those of the newest run are brought up to date. */
  #recover(): void {
    const [run] = this.existingStore?.runs(1) ?? [];
    if (run === undefined) return;
    const lock = acquireLock(this.#lockPath);
    if (lock === undefined) return;
    try {
      this.#run = loadRun(this.store, run);
      this.#writeFiles();
    } catch (problem) {
      this.#warn("the last run could not be loaded", run.run_id, problem);
    } finally {
      lock.release();
      this.#release();
    }
  }

  get #lockPath(): string {
    return join(this.home, "session.lock");
  }

  #warn(message: string, run: string, problem: unknown): void {
    this.options.warn(message, { run, problem: errorMessage(problem) });
  }

  #load(): LoadedRun {
    if (this.#run !== undefined) return this.#run;
    const run = this.store.activeRun();
    if (run === undefined) throw declaredError("no_session", `project ${this.name} has no active session`);
    this.#projection.forget();
    this.#run = loadRun(this.store, run);
    return this.#run;
  }

  /** Makes sure that this process drives the active session. */
  #ensureLock(): void {
    if (this.#lock !== undefined) return;
    if (this.existingStore?.activeRun() === undefined)
      throw declaredError("no_session", `project ${this.name} has no active session`);
    this.#acquire();
  }

  #acquire(): void {
    if (this.#lock !== undefined) return;
    this.#database.open();
    this.#lock = acquireLock(this.#lockPath);
    this.#run = undefined;
    if (this.#lock === undefined)
      throw declaredError("project_busy", `another process drives the session of project ${this.name}`, {
        pid: readOwnerPid(this.home),
      });
  }

  #release(): void {
    this.#lock?.release();
    this.#lock = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#run = undefined;
    this.#projection.forget();
  }
}

const sessionActive = (
  project: string,
  { run_id, phase }: { readonly run_id: string; readonly phase: string },
): FairleadError =>
  declaredError("session_active", `project ${project} has an active session, ${run_id}, in ${phase}`, {
    run_id,
    phase,
  });

const idTaken = ({ type, id }: StoredEvent): FairleadError =>
  invalidArgument([
    { path: "event_id", expected: `an id of its own; ${id} is that of another ${type}`, fix: "use a new id" },
  ]);
