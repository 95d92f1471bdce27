/**
 * The supervisor's hands: runs what `decide.ts` decides, as fibers and scopes.
 *
 * A child is a scoped Effect. What it acquires is released when it stops or ends, before it is started again, and never waited
 * for longer than its `shutdownMs`. Methods answer at once; `settled` and `stopped` wait. Not here: one run (`child-run.ts`), and
 * subprocesses, which are children like any other (`subprocess/subprocess.ts`).
 */
import type { WireError } from "@fairlead/contracts";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import { ChildRun, type Fork } from "./child-run.ts";
import type { ChildSpec } from "./child-spec.ts";
import {
  type Backoff,
  type ChildChange,
  type ChildState,
  type ChildStatus,
  defaultBackoff,
  defaultIntensity,
  type Intensity,
  isUp,
  type Strategy,
} from "./child-state.ts";
import { decide, initialState } from "./decide.ts";
import type { Member, Startup, SupervisorAction, SupervisorEvent, SupervisorState } from "./supervisor-state.ts";

/** What a supervisor is made with. */
export interface SupervisorOptions {
  readonly id: string;
  /** Default `one_for_one`. */
  readonly strategy?: Strategy;
  /** Default `in-order`. */
  readonly startup?: Startup;
  readonly intensity?: Intensity;
  readonly backoff?: Backoff;
  readonly children?: readonly ChildSpec[];
}

type Listener = (change: ChildChange) => void;

/** Keeps children running by one strategy. Its methods return at once; `status` shows what became of them. */
export interface Supervisor {
  readonly id: string;
  /** Adds a child at the end, not yet started. A second child of the same id is a mistake of the caller. */
  add(spec: ChildSpec): void;
  /** Asks one child, or all from left to right, to run. Forgives a child that had failed. */
  start(id?: string): void;
  /** Asks one child, or all from right to left, to stop. */
  stop(id?: string): void;
  /** Stops a child, if it runs, and starts it; with those that its strategy restarts with it. */
  restart(id: string): void;
  children(): readonly ChildStatus[];
  status(id: string): ChildStatus | undefined;
  /** Calls back at every change of state until the returned function is called. A listener that throws is dropped. */
  onChange(listener: Listener): () => void;
  /** Waits until a child is neither starting, nor stopping, nor waiting to be started again. */
  settled(id: string): Effect.Effect<ChildState>;
  /** Asks all children to stop and waits until they are down. */
  readonly stopped: Effect.Effect<void>;
  /** Completes when a group gave up; under `one_for_one`, when a child did whose rules say `escalate`. */
  readonly gaveUp: Effect.Effect<WireError>;
}

/**
 * Gives numbers in [0, 1), for the pauses before restarts. Not Effect's `Random`: it brings identifiers and cryptography with it,
 * which every start would pay for.
 */
export const Jitter: Context.Reference<() => number> = Context.Reference("@fairlead/kernel/Jitter", {
  defaultValue: () => Math.random,
});

/** Makes a supervisor that stops with the scope it is made in. Its children are started with `start()`. */
export const makeSupervisor = Effect.fnUntraced(function* (options: SupervisorOptions) {
  const context = yield* Effect.context<never>();
  const gaveUp = yield* Deferred.make<WireError>();
  const supervisor: Supervisor = new ScopedSupervisor(options, {
    now: () => Context.get(context, Clock.Clock).currentTimeMillisUnsafe(),
    random: Context.get(context, Jitter),
    fork: Effect.runForkWith(context),
    scope: yield* Effect.scope,
    gaveUp,
  });
  for (const spec of options.children ?? []) supervisor.add(spec);
  yield* Effect.addFinalizer(() => supervisor.stopped);
  return supervisor;
});

interface SupervisorParts {
  /** Milliseconds of the scope's clock. */
  readonly now: () => number;
  /** Gives numbers in [0, 1). */
  readonly random: () => number;
  readonly fork: Fork;
  /** Holds the pauses before restarts: one that outlived it would keep the process alive. */
  readonly scope: Scope.Scope;
  readonly gaveUp: Deferred.Deferred<WireError>;
}

/** Holds the state that `decide` computes, and does what it decides. */
class ScopedSupervisor implements Supervisor {
  readonly id: string;
  readonly stopped: Effect.Effect<void>;
  readonly gaveUp: Effect.Effect<WireError>;
  readonly #parts: SupervisorParts;
  readonly #specs = new Map<string, ChildSpec>();
  readonly #runs = new Map<string, ChildRun>();
  readonly #listeners = new Set<Listener>();
  readonly #waiting: SupervisorEvent[] = [];
  #state: SupervisorState;
  #deciding = false;

  constructor(options: SupervisorOptions, parts: SupervisorParts) {
    this.id = options.id;
    this.#parts = parts;
    this.#state = initialState({
      strategy: options.strategy ?? "one_for_one",
      startup: options.startup ?? "in-order",
      intensity: options.intensity ?? defaultIntensity,
      backoff: options.backoff ?? defaultBackoff,
    });
    this.gaveUp = Deferred.await(parts.gaveUp);
    this.stopped = Effect.suspend(() => {
      this.stop();
      return this.#when(() => (this.#state.members.some(({ state }) => isUp(state)) ? undefined : true));
    }).pipe(Effect.asVoid);
  }

  add(spec: ChildSpec): void {
    const { id, restart = "permanent", rules } = spec;
    if (this.#specs.has(id)) throw new TypeError(`supervisor ${this.id} has a child ${id} already`);
    this.#specs.set(id, spec);
    this.#send({ kind: "add", id, restart, at: this.#parts.now(), ...(rules !== undefined && { rules }) });
  }

  start(id?: string): void {
    this.#send({ kind: "start", at: this.#parts.now(), ...(id !== undefined && { id }) });
  }

  stop(id?: string): void {
    this.#send({ kind: "stop", at: this.#parts.now(), ...(id !== undefined && { id }) });
  }

  restart(id: string): void {
    this.#send({ kind: "restart", id, at: this.#parts.now() });
  }

  children(): readonly ChildStatus[] {
    return this.#state.members.map((member) => this.#status(member));
  }

  status(id: string): ChildStatus | undefined {
    const member = this.#state.members.find((each) => each.id === id);
    return member && this.#status(member);
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  settled(id: string): Effect.Effect<ChildState> {
    return this.#when(() => this.#state.members.find((member) => member.id === id && isSettled(member))?.state);
  }

  /** One event after the other: what listeners and fibers send meanwhile waits its turn. */
  #send(event: SupervisorEvent): void {
    this.#waiting.push(event);
    if (this.#deciding) return;
    this.#deciding = true;
    for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift()) {
      const before = this.#state;
      const { between, next, actions } = decide(before, first);
      this.#state = next;
      this.#publish(before, between);
      this.#publish(between, next);
      for (const action of actions) this.#act(action);
    }
    this.#deciding = false;
  }

  #publish(before: SupervisorState, after: SupervisorState): void {
    for (const { id, state } of after.members) {
      const from = before.members.find((member) => member.id === id);
      if (from === undefined || isSame(from.state, state)) continue;
      const change: ChildChange = { supervisor: this.id, id, from: from.state.tag, state };
      for (const listener of [...this.#listeners]) {
        try {
          listener(change);
        } catch {
          this.#listeners.delete(listener);
        }
      }
    }
  }

  #act(action: SupervisorAction): void {
    switch (action.kind) {
      case "start":
        this.#begin(action.id, action.life);
        return;
      case "stop":
        this.#end(action.id, action.life);
        return;
      case "wake":
        this.#wake(action.at);
        return;
      case "give-up":
        this.#parts.fork(Deferred.succeed(this.#parts.gaveUp, action.error));
        return;
    }
  }

  #wake(at: number): void {
    const { fork, scope, now } = this.#parts;
    const pause = Effect.sleep(Math.max(0, at - now()));
    const woke = Effect.sync(() => this.#send({ kind: "woke", at: Math.max(now(), at) }));
    Fiber.runIn(fork(Effect.andThen(pause, woke)), scope);
  }

  #begin(id: string, life: number): void {
    const spec = this.#specs.get(id);
    if (spec === undefined) return;
    const { fork, now, random } = this.#parts;
    const run = new ChildRun(spec, {
      scope: Scope.makeUnsafe(),
      fork,
      onReady: () => this.#send({ kind: "ready", id, life, at: now() }),
      onEnd: (ending) => this.#send({ kind: "ended", id, life, ending, at: now(), roll: random() }),
    });
    this.#runs.set(id, run);
  }

  #end(id: string, life: number): void {
    const { fork, now } = this.#parts;
    const drained = Effect.sync(() => this.#send({ kind: "drained", id, life, at: now() }));
    const stop = () => fork(Effect.andThen(this.#runs.get(id)?.stop() ?? Effect.void, drained));
    const { enter } = this.#specs.get(id) ?? {};
    if (enter === undefined) stop();
    else enter(stop);
  }

  #status({ id, restart, state, restarts }: Member): ChildStatus {
    const below = isUp(state) ? this.#runs.get(id)?.child?.children?.() : undefined;
    return { id, restart, state, restarts, ...(below !== undefined && { children: below }) };
  }

  /** Completes as soon as `find` gives an answer, now or after a change. */
  #when<A>(find: () => A | undefined): Effect.Effect<A> {
    return Effect.callback<A>((resume) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#listeners.delete(look);
        resume(Effect.succeed(found));
      };
      this.#listeners.add(look);
      look();
      return Effect.sync(() => this.#listeners.delete(look));
    });
  }
}

/** Whether a change is none to report: how often it is tried is news, how long it has been so is not. */
const isSame = (before: ChildState, after: ChildState): boolean =>
  before.tag === after.tag && waitsFor(before) === waitsFor(after);

const waitsFor = (state: ChildState) => (state.tag === "Starting" ? state.waitsFor : undefined);

const isSettled = ({ state, wish }: Member): boolean =>
  state.tag === "Ready" ? wish === "up" : state.tag === "Failed" || (state.tag === "Stopped" && wish === "down");
