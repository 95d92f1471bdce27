/**
 * One project on this machine: its folder, its database, the session that is driven in it. Every change goes through `drive`,
 * which owns the lock, runs in the committer's transaction and projects files after the commit.
 *
 * Not here: what the tools do with it (the files beside this one).
 */
import { join } from "node:path";
import type { FairleadError } from "@fairlead/contracts";
import { type Git, gitIn } from "../git/git.ts";
import { type LockKeeper, lockKeeperOf } from "../git/lock-guard.ts";
import { type Outcome, step } from "../machine/machine.ts";
import { hasGit, homeOf, realFolder } from "../project/home.ts";
import type { EventType, LoopEvent, PayloadOf } from "../state/event.ts";
import type { Beginning, RunState } from "../state/run-state.ts";
import { beginning } from "../state/run-state.ts";
import { ownerPid } from "../store/hook-file.ts";
import { type VaultKey, vaultOf } from "../store/lazy-database.ts";
import { type Lock, takeLock } from "../store/session-lock.ts";
import type { RunFile, Store, StoredEvent, StoredMemory } from "../store/store.ts";
import { type Clock, type EventId, type IdSource, parseEventId, type RunId } from "../value/id.ts";
import { badArgument, failure } from "./declared-error.ts";
import { type Live, loadRun } from "./load-run.ts";
import { type Projection, projectionIn } from "./projection.ts";

/** What a project needs of the world. */
export interface World {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Something went wrong beside the session, like a file that could not be written. */
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Names of variables that verification commands may see beside the usual ones. */
  readonly qaEnvironment: readonly string[];
  /** Milliseconds one verification command may take. */
  readonly qaTimeLimitMs: number;
}

/** An event before it is recorded. */
export type Draft<T extends EventType = EventType> = {
  readonly type: T;
  readonly payload: PayloadOf<T>;
  /** The caller's id; drawn when left out. */
  readonly id?: string | undefined;
  readonly measured?: LoopEvent["measured"];
  readonly usage?: LoopEvent["usage"] | undefined;
  /** Patch of what was measured. */
  readonly patch?: string | undefined;
};

export interface Applied<A> {
  readonly answer: A;
  /** True when the id was known: nothing was applied, the answer is the first one. */
  readonly repeated: boolean;
  readonly state: RunState;
  readonly id: EventId;
}

/** What a session is started with, beside its beginning. */
export interface Start<A> {
  /** The caller's id of the first event; drawn when left out. */
  readonly id: string | undefined;
  readonly memory: Partial<StoredMemory>;
  readonly answerOf: (state: RunState) => A;
}

/** Makes the answer that is stored with the event. */
export type Answer<A> = (outcome: Outcome, before: RunState) => A;

/** Events between two snapshots. */
const snapshotEvery = 64;

export class Project {
  readonly name: string;
  /** Real path. */
  readonly root: string;
  /** Real path of `.promptwheel`, which is made by the first session. */
  readonly home: string;
  readonly world: World;
  /** Git, where the folder is the top of a work tree. */
  readonly git: Git | undefined;
  /** For git that takes locks. */
  readonly locks: LockKeeper;
  readonly #vault: VaultKey;
  #lock: Lock | undefined;
  #live: Live | undefined;
  readonly #projection: Projection;

  /** Opens a project. Throws when the folder is not there or its state cannot be read. */
  constructor(name: string, path: string, world: World) {
    this.name = name;
    this.world = world;
    this.root = realFolder(path);
    this.home = homeOf(this.root);
    this.git = hasGit(this.root) ? gitIn(this.root) : undefined;
    this.locks = lockKeeperOf(this.root, this.home);
    this.#projection = projectionIn(this.home, (run, problem) =>
      this.#warn("the run folder could not be written; it will be rebuilt", run, problem),
    );
    this.#vault = vaultOf(this.root, this.home, {
      committed: () => this.#project(),
      rolledBack: () => this.#forget(),
    });
    this.#recover();
  }

  /** The database; made when it is not there. */
  get store(): Store {
    return this.#vault.open().store;
  }

  /** The database if there is one: for tools that only look. */
  get existing(): Store | undefined {
    return this.#vault.look()?.store;
  }

  /** The active session as it stands; `undefined` without one. Takes no lock. */
  peek(): RunState | undefined {
    if (this.#live !== undefined && this.#lock !== undefined) return this.#live.state;
    const store = this.existing;
    const run = store?.activeRun();
    return store === undefined || run === undefined ? undefined : loadRun(store, run).state;
  }

  /** The same, or the declared error. */
  session(): RunState {
    const state = this.peek();
    if (state === undefined) throw failure("no_session", `project ${this.name} has no active session`);
    return state;
  }

  /** Runs work that changes the active session; resolves once it is on the disk. */
  async drive<T>(work: () => T): Promise<T> {
    this.#own();
    return this.#vault.open().committer.run(() => {
      this.#load();
      return work();
    });
  }

  /** The same at once. */
  driveNow<T>(work: () => T): T {
    this.#own();
    return this.#vault.open().committer.runNow(() => {
      this.#load();
      return work();
    });
  }

  /** Starts a session: its first event, and the memory as it is after fading. Gives the answer, which is stored with the event. */
  begin<A>(begin: Beginning, { id, memory, answerOf }: Start<A>): A {
    this.#take();
    try {
      return this.#vault.open().committer.runNow(() => {
        const active = this.store.activeRun();
        if (active !== undefined) throw sessionActive(this.name, active);
        const at = this.world.clock();
        const state = beginning(begin, at);
        const answer = answerOf(state);
        const opening = { id: this.#idOf(id), at, answer: JSON.stringify(answer) };
        const row = this.store.begin(begin, opening);
        this.store.saveMemory(memory);
        this.store.saveSnapshot(state, row.seq);
        this.#live = { state, seq: row.seq, unsaved: 0 };
        this.#projection.forget();
        return answer;
      });
    } catch (problem) {
      this.#free();
      throw problem;
    }
  }

  /** The event of a caller's id, if it was recorded: in this session or in an earlier one. An id of another type is refused. */
  recorded(type: EventType | "SESSION_START", id: string | undefined): StoredEvent | undefined {
    const known = id === undefined ? undefined : this.existing?.event(this.#idOf(id));
    if (known === undefined || known.type === type) return known;
    throw idTaken(known);
  }

  /** What an event of a known id was answered first; `undefined` when it is new. Another payload under the same id is refused. */
  repeat<A>({ type, payload, id }: Pick<Draft, "type" | "payload" | "id">): Applied<A> | undefined {
    const known = this.recorded(type, id);
    if (known === undefined) return undefined;
    if (known.payload !== JSON.stringify(payload)) throw idTaken(known);
    const answer = JSON.parse(known.answer ?? "null") as A;
    return { answer, repeated: true, state: this.#stateOf(known.run_id), id: this.#idOf(id) };
  }

  /** Records an event and applies it, or answers the one of a known id again; resolves once it is on the disk. */
  async send<T extends EventType, A>(draft: Draft<T>, answerOf: Answer<A>): Promise<Applied<A>> {
    return this.repeat<A>(draft) ?? this.drive(() => this.apply(draft, answerOf));
  }

  /** The same inside `drive`. */
  apply<T extends EventType, A>(draft: Draft<T>, answerOf: Answer<A>): Applied<A> {
    const known = this.repeat<A>(draft);
    if (known !== undefined) return known;
    const live = this.#load();
    const id = this.#idOf(draft.id);
    const event = this.#eventOf(draft, id);
    const outcome = step(live.state, event);
    const answer = answerOf(outcome, live.state);
    this.#record(live, event, outcome, { answer: JSON.stringify(answer), patch: draft.patch });
    return { answer, repeated: false, state: outcome.state, id };
  }

  /** Runs a write that is no event, like a baseline. */
  write(work: () => void): Promise<void> {
    return this.#vault.open().committer.run(work);
  }

  close(): void {
    this.#free();
    this.#vault.close();
  }

  /** The caller's id, or a new one. */
  #idOf(given: string | undefined): EventId {
    const id = given === undefined ? (`evt_${this.world.ids()}` as const) : parseEventId(given);
    if (id === undefined) throw new Error(`${given} is no event id`);
    return id;
  }

  #stateOf(runId: RunId): RunState {
    if (this.#live?.state.runId === runId) return this.#live.state;
    const run = this.store.run(runId);
    if (run === undefined) throw new Error(`there is no run ${runId}`);
    return loadRun(this.store, run).state;
  }

  #eventOf<T extends EventType>(draft: Draft<T>, id: EventId): LoopEvent {
    const makesTickets = draft.type === "SCOUT_OUTPUT" || draft.type === "PROPOSALS_REVIEWED";
    const most = this.#load().state.settings.maxProposals;
    const event = {
      id,
      at: this.world.clock(),
      type: draft.type,
      payload: draft.payload,
      ...(makesTickets && { ticketIds: Array.from({ length: most }, () => `tkt_${this.world.ids()}`) }),
      ...(draft.measured !== undefined && { measured: draft.measured }),
      ...(draft.usage !== undefined && { usage: draft.usage }),
    };
    return event as LoopEvent;
  }

  #record(
    live: Live,
    event: LoopEvent,
    outcome: Outcome,
    extra: { readonly answer: string; readonly patch: string | undefined },
  ): void {
    const { state, effects } = outcome;
    const { runId, memory, settings, stepCount } = state;
    const rows = this.store.append(live, event, {
      state,
      derived: effects.filter((effect) => effect.kind === "log"),
      answer: extra.answer,
    });
    const seq = live.seq + rows.length;
    const files: RunFile[] = [];
    const keep = (path: string, body: string): void => {
      files.push(this.store.saveFile(runId, { path, body }, seq));
    };
    for (const effect of effects) {
      if (effect.kind === "ticket") this.store.saveTicket(runId, effect, event.at);
      else if (effect.kind === "abortBlocked") this.store.abortBlocked(runId, event.at);
      else if (effect.kind === "artifact") keep(`artifacts/${stepCount}-${effect.name}`, effect.body);
      else if (effect.kind === "diff" && extra.patch) keep(`diffs/${stepCount}-${effect.ticketId}.patch`, extra.patch);
      else if (effect.kind === "defer") this.store.saveMemory({ deferred: effect.proposals });
    }
    if (memory !== live.state.memory)
      this.store.saveMemory({
        remembered: memory.remembered,
        ...(settings.learnings && { learnings: memory.learnings }),
      });
    const unsaved = live.unsaved + 1;
    const due = unsaved >= snapshotEvery || state.ended;
    if (due) this.store.saveSnapshot(state, seq);
    this.#live = { state, seq, unsaved: due ? 0 : unsaved };
    this.#projection.owe(rows, files);
  }

  #project(): void {
    if (this.#live === undefined) return;
    const { state } = this.#live;
    this.#projection.write(this.store, state);
    if (state.ended) this.#free();
  }

  /** A process that was killed may have left files behind the log: the newest run's are brought up to it. */
  #recover(): void {
    const [run] = this.existing?.runs(1) ?? [];
    if (run === undefined) return;
    const lock = takeLock(this.#lockPath);
    if (lock === undefined) return;
    try {
      this.#live = loadRun(this.store, run);
      this.#project();
    } catch (problem) {
      this.#warn("the last run could not be taken up", run.run_id, problem);
    } finally {
      lock.release();
      this.#free();
    }
  }

  get #lockPath(): string {
    return join(this.home, "session.lock");
  }

  #warn(message: string, run: string, problem: unknown): void {
    this.world.warn(message, { run, problem: problem instanceof Error ? problem.message : String(problem) });
  }

  #load(): Live {
    if (this.#live !== undefined) return this.#live;
    const run = this.store.activeRun();
    if (run === undefined) throw failure("no_session", `project ${this.name} has no active session`);
    this.#projection.forget();
    this.#live = loadRun(this.store, run);
    return this.#live;
  }

  /** Makes sure that this process drives the active session. */
  #own(): void {
    if (this.#lock !== undefined) return;
    if (this.existing?.activeRun() === undefined)
      throw failure("no_session", `project ${this.name} has no active session`);
    this.#take();
  }

  #take(): void {
    if (this.#lock !== undefined) return;
    this.#vault.open();
    this.#lock = takeLock(this.#lockPath);
    this.#live = undefined;
    if (this.#lock === undefined)
      throw failure("project_busy", `another process drives the session of project ${this.name}`, {
        pid: ownerPid(this.home),
      });
  }

  #free(): void {
    this.#lock?.release();
    this.#lock = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#live = undefined;
    this.#projection.forget();
  }
}

const sessionActive = (
  project: string,
  { run_id, phase }: { readonly run_id: string; readonly phase: string },
): FairleadError =>
  failure("session_active", `project ${project} has an active session, ${run_id}, in ${phase}`, { run_id, phase });

const idTaken = ({ type, id }: StoredEvent): FairleadError =>
  badArgument([
    { path: "event_id", expected: `an id of its own; ${id} is that of another ${type}`, fix: "draw a new id" },
  ]);
