/**
 * One project on this machine: its folder, its git, and the events of its sessions. An event is recorded once: a repeat of a known id
 * is answered as it was the first time.
 *
 * Not here: the lock, transactions and files (`active-run.ts`), and what the tools do (`tool/`).
 */
import type { FairleadError } from "@fairlead/contracts";
import { type CommitSigning, type Git, openGit } from "../git/git.ts";
import { createGitLockGuard, type GitLockGuard } from "../git/lock-guard.ts";
import { type SessionStepResult, step } from "../machine/machine.ts";
import { findRepository, resolveFolder, resolveHome } from "../project/home.ts";
import type { QaNetwork } from "../qa/network.ts";
import type { EventType } from "../state/event.ts";
import { toKernelEvents } from "../state/kernel-event.ts";
import { initialState, type RunState, type SessionStart } from "../state/run-state.ts";
import type { StoredEvent } from "../store/event-table.ts";
import type { RunFile } from "../store/file-table.ts";
import type { ProjectMemory } from "../store/memory-table.ts";
import type { Store } from "../store/store.ts";
import { errorMessage } from "../value/error.ts";
import type { EventId, RunId } from "../value/id.ts";
import { ActiveRun } from "./active-run.ts";
import { declaredError, invalidArgument } from "./declared-error.ts";
import { chooseEventId, createEvent, type EventDraft, type EventSources } from "./event-draft.ts";
import { writeStep } from "./write-step.ts";

/** What a project gets from outside. */
export interface ProjectOptions extends EventSources {
  /** Logs a problem that does not fail the call, like a file that could not be written. */
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Gives the kernel what has happened in a session; not at all when left out. */
  readonly event?: (type: string, data: Readonly<Record<string, unknown>>) => void;
  /** Names of variables that verification commands may see beside the usual ones. */
  readonly qaEnvironment: readonly string[];
  /** Milliseconds one verification command may take. */
  readonly qaTimeLimitMs: number;
  /** What those commands reach; everything when left out. */
  readonly qaNetwork?: QaNetwork;
  /** Folder of the hooks that a commit has to pass; none when left out. */
  readonly commitHooks?: string | undefined;
  /** How commits are signed; not at all when left out. */
  readonly signing?: CommitSigning | undefined;
  /** Folders of the kernel's owner, which no held agent sees; none when left out. */
  readonly ownersFolders?: () => readonly string[];
  /** What is asked about a pull request; this repository alone when left out. */
  readonly pullRequestCheck?: "local" | "git" | "gh";
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
type AnswerBuilder<A> = (result: SessionStepResult, before: RunState) => A;

export class Project {
  readonly name: string;
  /** Real path. */
  readonly root: string;
  /** Real path of `.promptwheel`, which is made by the first session. */
  readonly home: string;
  readonly options: ProjectOptions;
  /** Real path of the top of the repository it is in; `root` itself outside git. */
  readonly top: string;
  /** Git, where the folder is in a repository. */
  readonly git: Git | undefined;
  /** Runs a git that takes locks. */
  readonly lockGuard: GitLockGuard;
  /** Whether an agent is driven through the session from here. */
  hasAgent = false;
  readonly #run: ActiveRun;
  readonly #listeners = new Set<() => void>();

  /** Opens a project. Throws when the folder is not there or its state cannot be read. */
  constructor(name: string, path: string, options: ProjectOptions) {
    this.name = name;
    this.options = options;
    this.root = resolveFolder(path);
    this.home = resolveHome(this.root);
    const repository = findRepository(this.root);
    this.git = repository && openGit(repository.top, { prefix: repository.prefix, signing: options.signing });
    this.top = repository?.top ?? this.root;
    this.lockGuard = createGitLockGuard(this.top, this.home);
    this.#run = new ActiveRun({
      name,
      root: this.root,
      home: this.home,
      warn: (message, run, problem) => options.warn(message, { run, problem: errorMessage(problem) }),
      changed: (lines, state) => {
        if (state !== undefined) this.#publish(lines, state);
        for (const listener of [...this.#listeners]) listener();
      },
    });
    this.#run.recover();
  }

  /** The database; made when it is not there. */
  get store(): Store {
    return this.#run.store;
  }

  /** The database if there is one: for tools that only look. */
  get existingStore(): Store | undefined {
    return this.#run.existingStore;
  }

  /** Whether this process drives the active session. */
  get isDriver(): boolean {
    return this.#run.isDriven;
  }

  /** The state of the active session; `undefined` without one. Takes no lock. */
  peek(): RunState | undefined {
    return this.#run.peek();
  }

  /** The same, or the declared error. */
  requireSession(): RunState {
    const state = this.peek();
    if (state === undefined) throw this.#run.noSession();
    return state;
  }

  /** Runs work that changes the active session; resolves once it is on the disk. */
  commit<T>(work: () => T): Promise<T> {
    return this.#run.commit(work);
  }

  /** The same, synchronously. */
  commitNow<T>(work: () => T): T {
    return this.#run.commitNow(work);
  }

  /** Calls the listener after each change of the session that this process makes, until the function it gives is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #publish(lines: Parameters<typeof toKernelEvents>[0], { runId, phase }: RunState): void {
    const { event } = this.options;
    if (event === undefined) return;
    for (const { type, data } of toKernelEvents(lines, { project: this.name, runId, phase })) event(type, data);
  }

  /** Runs a write that is not an event, like a baseline. */
  write(work: () => void): Promise<void> {
    return this.#run.write(work);
  }

  /** Keeps a file of a run beside its events. */
  keepFile(runId: RunId, file: RunFile): Promise<void> {
    return this.#run.keepFile(runId, file);
  }

  /** Starts a session: its first event, and the memory as it is after decay. Gives the answer, which is stored with the event. */
  begin<A>(start: SessionStart, { id, memory, buildAnswer }: SessionOpening<A>): A {
    const first: { seq: number; state: RunState }[] = [];
    const answer = this.#run.commitFirst(() => {
      const active = this.store.activeRun();
      if (active !== undefined) throw sessionActive(this.name, active);
      const at = this.options.clock();
      const state = initialState(start, at);
      const answer = buildAnswer(state);
      const eventId = chooseEventId(id, this.options.ids);
      const { seq } = this.store.begin(start, { id: eventId, at, answer: JSON.stringify(answer) });
      this.store.saveMemory(memory);
      for (const ticket of state.ready) this.store.saveTicket(state.runId, { kind: "ticket", ticket, note: null }, at);
      this.store.saveSnapshot(state, seq);
      first.push({ seq, state });
      return { loaded: { state, seq, unsaved: 0 }, answer };
    });
    for (const { seq, state } of first) this.#publish([{ seq, type: "SESSION_START", payload: "{}" }], state);
    return answer;
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
    const state = this.#run.findState(known.run_id);
    return { answer, repeated: true, state, id: chooseEventId(id, this.options.ids) };
  }

  /** Records an event and applies it, or answers the one of a known id again; resolves once it is on the disk. */
  async send<T extends EventType, A>(draft: EventDraft<T>, buildAnswer: AnswerBuilder<A>): Promise<AppliedEvent<A>> {
    return this.findRepeat<A>(draft) ?? this.commit(() => this.apply(draft, buildAnswer));
  }

  /** The same inside `commit`. */
  apply<T extends EventType, A>(draft: EventDraft<T>, buildAnswer: AnswerBuilder<A>): AppliedEvent<A> {
    const known = this.findRepeat<A>(draft);
    if (known !== undefined) return known;
    const before = this.#run.load();
    const id = chooseEventId(draft.id, this.options.ids);
    const event = createEvent(draft, id, { ...this.options, maxTickets: before.state.settings.maxProposals });
    const result = step(before.state, event);
    const answer = buildAnswer(result, before.state);
    const decided = { event, result, answer: JSON.stringify(answer), patch: draft.patch };
    this.#run.replace(writeStep(this.store, before, decided));
    return { answer, repeated: false, state: result.state, id };
  }

  close(): void {
    this.#run.close();
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
