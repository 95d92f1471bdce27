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
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import { ChildRun } from "./child-run.ts";
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
  const clock = Context.get(context, Clock.Clock);
  const random = Context.get(context, Jitter);
  const fork = Effect.runForkWith(context);
  const scope = yield* Effect.scope;
  const groupGaveUp = Deferred.makeUnsafe<WireError>();
  const specs = new Map<string, ChildSpec>();
  const runs = new Map<string, ChildRun>();
  const listeners = new Set<Listener>();
  let known: SupervisorState = initialState({
    strategy: options.strategy ?? "one_for_one",
    startup: options.startup ?? "in-order",
    intensity: options.intensity ?? defaultIntensity,
    backoff: options.backoff ?? defaultBackoff,
  });

  const now = (): number => clock.currentTimeMillisUnsafe();

  const waiting: SupervisorEvent[] = [];
  let deciding = false;
  /** One event after the other: what listeners and fibers send meanwhile waits its turn. */
  const send = (event: SupervisorEvent): void => {
    waiting.push(event);
    if (deciding) return;
    deciding = true;
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const before = known;
      const { between, next, actions } = decide(known, first);
      known = next;
      publish(before, between);
      publish(between, next);
      for (const action of actions) act(action);
    }
    deciding = false;
  };

  const publish = (before: SupervisorState, after: SupervisorState): void => {
    for (const member of after.members) {
      const from = before.members.find(({ id }) => id === member.id);
      if (from === undefined || isSame(from.state, member.state)) continue;
      const change: ChildChange = { supervisor: options.id, id: member.id, from: from.state.tag, state: member.state };
      for (const listener of [...listeners]) {
        try {
          listener(change);
        } catch {
          listeners.delete(listener);
        }
      }
    }
  };

  const act = (action: SupervisorAction): void => {
    switch (action.kind) {
      case "start":
        begin(action.id, action.life);
        return;
      case "stop":
        end(action.id, action.life);
        return;
      case "wake":
        // In the scope: a pause that outlived it would keep the process alive.
        Fiber.runIn(
          fork(
            Effect.sleep(Math.max(0, action.at - now())).pipe(
              Effect.andThen(Effect.sync(() => send({ kind: "woke", at: Math.max(now(), action.at) }))),
            ),
          ),
          scope,
        );
        return;
      case "give-up":
        Deferred.doneUnsafe(groupGaveUp, Exit.succeed(action.error));
        return;
    }
  };

  const begin = (id: string, life: number): void => {
    const spec = specs.get(id);
    if (spec === undefined) return;
    const run = new ChildRun(spec, {
      scope: Scope.makeUnsafe(),
      fork,
      onReady: () => send({ kind: "ready", id, life, at: now() }),
      onEnd: (ending) => send({ kind: "ended", id, life, ending, at: now(), roll: random() }),
    });
    runs.set(id, run);
  };

  const end = (id: string, life: number): void => {
    const drained = Effect.sync(() => send({ kind: "drained", id, life, at: now() }));
    const stop = () => fork(Effect.andThen(runs.get(id)?.stop() ?? Effect.void, drained));
    const { enter } = specs.get(id) ?? {};
    if (enter === undefined) stop();
    else enter(stop);
  };

  const toStatus = ({ id, restart, state, restarts }: Member): ChildStatus => {
    const below = isUp(state) ? runs.get(id)?.child?.children?.() : undefined;
    return { id, restart, state, restarts, ...(below !== undefined && { children: below }) };
  };

  /** Completes as soon as `found` gives an answer, now or after a change. */
  const when = <A>(found: () => A | undefined): Effect.Effect<A> =>
    Effect.callback<A>((resume) => {
      const look = (): void => {
        const answer = found();
        if (answer === undefined) return;
        listeners.delete(look);
        resume(Effect.succeed(answer));
      };
      listeners.add(look);
      look();
      return Effect.sync(() => listeners.delete(look));
    });

  const add = (spec: ChildSpec): void => {
    if (specs.has(spec.id)) throw new TypeError(`supervisor ${options.id} has a child ${spec.id} already`);
    specs.set(spec.id, spec);
    const { id, restart = "permanent", rules } = spec;
    send({ kind: "add", id, restart, at: now(), ...(rules !== undefined && { rules }) });
  };

  const supervisor: Supervisor = {
    id: options.id,
    add,
    start: (id) => send({ kind: "start", at: now(), ...(id !== undefined && { id }) }),
    stop: (id) => send({ kind: "stop", at: now(), ...(id !== undefined && { id }) }),
    restart: (id) => send({ kind: "restart", id, at: now() }),
    children: () => known.members.map(toStatus),
    status: (id) => known.members.filter((member) => member.id === id).map(toStatus)[0],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: (id) => when(() => known.members.find((member) => member.id === id && isSettled(member))?.state),
    stopped: Effect.suspend(() => {
      send({ kind: "stop", at: now() });
      return when(() => (known.members.some(({ state }) => isUp(state)) ? undefined : true));
    }).pipe(Effect.asVoid),
    gaveUp: Deferred.await(groupGaveUp),
  };
  for (const spec of options.children ?? []) add(spec);
  yield* Effect.addFinalizer(() => supervisor.stopped);
  return supervisor;
});

/** Whether a change is none to report: how often it is tried is news, how long it has been so is not. */
const isSame = (before: ChildState, after: ChildState): boolean =>
  before.tag === after.tag && waitsFor(before) === waitsFor(after);

const waitsFor = (state: ChildState) => (state.tag === "Starting" ? state.waitsFor : undefined);

const isSettled = ({ state, wish }: Member): boolean =>
  state.tag === "Ready" ? wish === "up" : state.tag === "Failed" || (state.tag === "Stopped" && wish === "down");
