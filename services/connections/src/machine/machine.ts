/**
 * Decides when to connect: a pure function of the state and an input to the next state and a list of actions.
 *
 * Each connection in the state is driven towards `connected` until it is removed. An input that names a generation counts only while that
 * generation is the connection's own, so nothing old can change what came after it. Not here: sockets, processes and timers, which the
 * registry runs.
 */
import { type Backoff, longestPause } from "@fairlead/kernel/service";
import {
  type Connection,
  type ConnectionEvent,
  connectionState,
  findByGeneration,
  type Generation,
  type MachineState,
  type Origin,
  type WaitingPhase,
} from "./connection.ts";
import { type ConnectionFault, classify, reconnectRequested } from "./fault.ts";
import { formatEndpoint, isSameTarget, type Target } from "./target.ts";

/** Pauses between attempts, from half their bound up to it, for ever. A connection that lasts `healthyMs` starts its count of failures again. */
export const backoff: Backoff = { baseMs: 100, capMs: 3_000, healthyMs: 3_000 };

export const bounds = {
  /** Attempts that may be busy at once. */
  places: 8,
  /** Milliseconds after which an attempt without an answer costs nothing any more and gives up its place. */
  yieldMs: 10,
  /** Attempts a second without a caller that waits, over all connections. A burst may be as many again as there are places. */
  attemptsPerSecond: 60,
  /** New connections that may be tried in one burst, ahead of that rate; later ones and repeats wait until the rate has caught up. */
  newAtOnce: 48,
  /** Milliseconds between attempts of one connection, however many calls wait for it. */
  demandMs: 100,
  /** Milliseconds between attempts of a blocked connection. */
  blockedMs: 60_000,
  /** Failures in a row for a doubtful reason, after which it is blocked: 20 of them are half a minute at least. */
  doubtfulAttempts: 20,
  /** The longest that an upstream can send us away. */
  retryAfterMs: 600_000,
  /** Pings in a row that may go unanswered. */
  misses: 3,
} as const;

export type MachineInput =
  /** `waitsForDemand`: it is only tried once a call waits for it. */
  | { readonly on: "add"; readonly name: string; readonly target: Target; readonly waitsForDemand?: boolean }
  | { readonly on: "remove"; readonly name: string }
  | { readonly on: "reconnect"; readonly name: string }
  /** A call waits for it. */
  | { readonly on: "demand"; readonly name: string }
  /** The time that `wake` named has come. */
  | { readonly on: "awake"; readonly generation: Generation }
  /** `yieldMs` have passed since it was opened. */
  | { readonly on: "yield"; readonly generation: Generation }
  | { readonly on: "opened"; readonly generation: Generation; readonly tools: number }
  | { readonly on: "failed"; readonly generation: Generation; readonly fault: ConnectionFault }
  | { readonly on: "lost"; readonly generation: Generation; readonly fault: ConnectionFault }
  | { readonly on: "missed"; readonly generation: Generation }
  | { readonly on: "heard"; readonly generation: Generation }
  | { readonly on: "refreshed"; readonly generation: Generation; readonly tools: number };

export type MachineAction =
  | { readonly do: "open"; readonly generation: Generation; readonly name: string; readonly target: Target }
  /** Ends whatever is left of it. Given exactly once for each that was opened. */
  | { readonly do: "close"; readonly generation: Generation; readonly name: string }
  /** Sends `awake` at that time; replaces an earlier timer of that name. */
  | { readonly do: "wake"; readonly generation: Generation; readonly name: string; readonly at: number }
  | { readonly do: "publish"; readonly event: ConnectionEvent };

/** The clock's milliseconds, and a number in [0, 1) for the jitter. */
interface Moment {
  readonly at: number;
  readonly chance: number;
}

interface StepResult {
  readonly state: MachineState;
  readonly actions: readonly MachineAction[];
}

/** The next state, and what to do in this order. */
export const step = (state: MachineState, input: MachineInput, moment: Moment): StepResult => {
  const draft = new Draft(state, moment);
  apply(draft, input);
  draft.fillPlaces();
  return draft.step();
};

const apply = (draft: Draft, input: MachineInput): void => {
  switch (input.on) {
    case "add":
      draft.add(input);
      return;
    case "remove":
      draft.remove(input.name);
      return;
    case "reconnect":
      draft.reconnect(input.name);
      return;
    case "demand":
      draft.demand(input.name);
      return;
    default: {
      const entry = findByGeneration(draft.state, input.generation);
      if (entry !== undefined) applyToConnection(draft, entry, input);
    }
  }
};

type GenerationInput = Exclude<MachineInput, { readonly name: string }>;

/** An input of the connection's own generation. */
const applyToConnection = (draft: Draft, entry: Connection, input: GenerationInput): void => {
  const { phase } = entry;
  switch (input.on) {
    case "awake":
      if (phase.tag === "waiting") draft.awake(entry, phase);
      return;
    case "yield":
      draft.yield(entry);
      return;
    case "opened":
      if (phase.tag === "opening") draft.opened(entry, input.tools);
      return;
    case "failed":
      if (phase.tag === "opening") draft.fail(entry, input.fault);
      return;
    case "lost":
      if (phase.tag === "connected") draft.fail(entry, input.fault);
      return;
    case "missed":
      if (phase.tag !== "connected") return;
      if (phase.misses + 1 < bounds.misses) {
        draft.put({ ...entry, phase: { tag: "connected", misses: phase.misses + 1 } });
        return;
      }
      draft.fail(entry, classify({ what: "silent", misses: bounds.misses }));
      return;
    case "heard":
      if (phase.tag === "connected" && phase.misses > 0) {
        draft.put({ ...entry, phase: { tag: "connected", misses: 0 } });
      }
      return;
    case "refreshed":
      if (phase.tag !== "connected") return;
      draft.put({ ...entry, tools: input.tools });
      draft.publish({
        type: "ToolsRefreshed",
        name: entry.name,
        generation: entry.generation,
        tools: input.tools,
      });
  }
};

type WithoutPhase = Omit<Connection, "phase">;

/** One step under way: collects the changes and what to do. */
class Draft {
  readonly #moment: Moment;
  readonly #actions: MachineAction[] = [];
  #state: MachineState;

  constructor(state: MachineState, moment: Moment) {
    this.#state = state;
    this.#moment = moment;
  }

  get state(): MachineState {
    return this.#state;
  }

  step(): StepResult {
    return { state: this.#state, actions: this.#actions };
  }

  put(entry: Connection): void {
    const before = this.#state.connections.get(entry.name);
    const phaseSince = before?.phase.tag === entry.phase.tag ? entry.phaseSince : this.#moment.at;
    const since =
      before !== undefined && connectionState(before) === connectionState(entry) ? entry.since : this.#moment.at;
    this.#state = {
      ...this.#state,
      connections: new Map(this.#state.connections).set(entry.name, { ...entry, since, phaseSince }),
    };
  }

  publish(event: ConnectionEvent): void {
    this.#actions.push({ do: "publish", event });
  }

  add({ name, target, waitsForDemand = false }: Extract<MachineInput, { readonly on: "add" }>): void {
    const before = this.#state.connections.get(name);
    if (before !== undefined && isSameTarget(before.target, target)) return;
    if (before !== undefined) this.#endAttempt(before);
    const { at } = this.#moment;
    const startedAt = Number.NEGATIVE_INFINITY;
    const blank = {
      name,
      target,
      generation: this.#nextGeneration(),
      since: at,
      phaseSince: at,
      attempts: 0,
      attempt: 0,
      streak: 0,
      startedAt,
      tools: 0,
    };
    const { generation } = waitsForDemand
      ? this.#waitForDemand(blank)
      : this.#enqueueInTurn(blank, "new", bounds.newAtOnce);
    this.publish({ type: "Connecting", name, generation, endpoint: formatEndpoint(target) });
  }

  remove(name: string): void {
    const entry = this.#state.connections.get(name);
    if (entry === undefined) return;
    this.#endAttempt(entry);
    const entries = new Map(this.#state.connections);
    entries.delete(name);
    this.#state = { ...this.#state, connections: entries };
    this.publish({ type: "Removed", name });
  }

  reconnect(name: string): void {
    const entry = this.#state.connections.get(name);
    if (entry === undefined || entry.phase.tag === "queued" || entry.phase.tag === "opening") return;
    this.#endAttempt(entry);
    const next = this.#enqueue({ ...entry, attempt: 0, streak: 0, attempts: 0 }, "loss");
    this.publish({
      type: "Reconnecting",
      name,
      generation: next.generation,
      attempt: 0,
      delayMs: 0,
      fault: reconnectRequested,
    });
  }

  demand(name: string): void {
    const entry = this.#state.connections.get(name);
    if (entry?.phase.tag === "waiting" && entry.phase.after !== "blocked") {
      const soonest = Math.max(entry.startedAt + bounds.demandMs, entry.phase.notBefore ?? 0);
      if (soonest <= this.#moment.at) this.#enqueue(entry, entry.phase.after);
      else if (soonest < entry.phase.until) this.#wait(entry, { ...entry.phase, until: soonest, counted: true });
    }
    // A connection that a call waits for goes first.
    const { queue } = this.#state;
    if (queue.includes(name)) this.#state = { ...this.#state, queue: [name, ...queue.filter((one) => one !== name)] };
  }

  /** The pause is over. */
  awake(entry: Connection, pause: WaitingPhase): void {
    // A timer may be early by the fraction of a millisecond.
    if (this.#moment.at < pause.until) this.#wait(entry, pause);
    else if (pause.counted) this.#enqueue(entry, pause.after);
    else this.#enqueueInTurn(entry, pause.after, bounds.places);
  }

  /** Queues it at the rate of all attempts: now, or when its turn comes. `burst`: how many may go ahead of the rate. */
  #enqueueInTurn(entry: WithoutPhase, after: Origin, burst: number): Connection {
    const { at } = this.#moment;
    const { paceAt } = this.#state;
    const even = 1_000 / bounds.attemptsPerSecond;
    this.#state = { ...this.#state, paceAt: Math.max(paceAt, at) + even };
    if (paceAt - at <= even * burst) return this.#enqueue(entry, after);
    const until = Math.ceil(paceAt - even * bounds.places);
    return this.#wait(entry, { tag: "waiting", after, until, counted: true });
  }

  yield({ generation, phase }: Connection): void {
    if (phase.tag === "opening") this.#leavePlace(generation);
  }

  opened(entry: Connection, tools: number): void {
    const { fault: _, ...rest } = entry;
    this.#leavePlace(entry.generation);
    this.put({ ...rest, phase: { tag: "connected", misses: 0 }, attempt: 0, streak: entry.attempt, tools });
    this.publish({ type: "Connected", name: entry.name, generation: entry.generation, tools });
  }

  /** The attempt failed, or the connection was lost. */
  fail(entry: Connection, fault: ConnectionFault): void {
    const { name, generation } = entry;
    const { at, chance } = this.#moment;
    this.#leavePlace(generation);
    this.#actions.push({ do: "close", generation, name });
    const steady = entry.phase.tag === "connected" && at - entry.since >= backoff.healthyMs;
    const attempt = 1 + (entry.phase.tag === "connected" ? (steady ? 0 : entry.streak) : entry.attempt);
    const failed = { ...entry, attempt, streak: attempt, fault };
    if (fault.kind === "permanent" || (fault.kind === "doubtful" && attempt > bounds.doubtfulAttempts)) {
      this.#wait(failed, { tag: "waiting", after: "blocked", until: at + bounds.blockedMs, counted: false });
      this.publish({ type: "Blocked", name, generation, delayMs: bounds.blockedMs, fault });
      return;
    }
    const awayMs = Math.min(fault.retryAfterMs ?? 0, bounds.retryAfterMs);
    const delayMs = fault.kind === "session" && attempt === 1 ? 0 : Math.max(awayMs, pauseBefore(attempt, chance));
    if (delayMs === 0 && attempt === 1) {
      const next = this.#enqueue(failed, "loss");
      this.publish({ type: "Reconnecting", name, generation: next.generation, attempt, delayMs, fault });
      return;
    }
    const until = at + delayMs;
    const notBefore = awayMs > 0 ? { notBefore: at + awayMs } : {};
    this.#wait(failed, { tag: "waiting", after: "loss", until, counted: false, ...notBefore });
    this.publish({ type: "Reconnecting", name, generation, attempt, delayMs, fault });
  }

  /** Gives free places to the queue, in its order. */
  fillPlaces(): void {
    while (this.#state.places.size < bounds.places) {
      const [name, ...queue] = this.#state.queue;
      if (name === undefined) return;
      this.#state = { ...this.#state, queue };
      const entry = this.#state.connections.get(name);
      if (entry?.phase.tag !== "queued") continue;
      const { generation, target, phase } = entry;
      this.#state = { ...this.#state, places: new Set(this.#state.places).add(generation) };
      this.put({
        ...entry,
        phase: { tag: "opening", after: phase.after },
        startedAt: this.#moment.at,
        attempts: entry.attempts + 1,
      });
      this.#actions.push({ do: "open", generation, name, target });
    }
  }

  /** Until a call waits for it. */
  #waitForDemand(entry: WithoutPhase): Connection {
    const until = Number.POSITIVE_INFINITY;
    const next: Connection = { ...entry, phase: { tag: "waiting", after: "new", until, counted: true } };
    this.put(next);
    return next;
  }

  #enqueue(entry: WithoutPhase, after: Origin): Connection {
    const next: Connection = { ...entry, generation: this.#nextGeneration(), phase: { tag: "queued", after } };
    this.#state = { ...this.#state, queue: [...this.#state.queue, entry.name] };
    this.put(next);
    return next;
  }

  #wait(entry: WithoutPhase, phase: WaitingPhase): Connection {
    const next: Connection = { ...entry, phase };
    this.put(next);
    this.#actions.push({ do: "wake", generation: entry.generation, name: entry.name, at: phase.until });
    return next;
  }

  /** A number that was never used. */
  #nextGeneration(): Generation {
    const generation = nextGeneration(this.#state.latestGeneration);
    this.#state = { ...this.#state, latestGeneration: generation };
    return generation;
  }

  #leavePlace(generation: Generation): void {
    const places = new Set(this.#state.places);
    if (places.delete(generation)) this.#state = { ...this.#state, places };
  }

  /** Ends its attempt or its connection, before it is removed or replaced. */
  #endAttempt({ name, generation, phase }: Connection): void {
    this.#leavePlace(generation);
    this.#state = { ...this.#state, queue: this.#state.queue.filter((waiting) => waiting !== name) };
    if (phase.tag === "opening" || phase.tag === "connected") this.#actions.push({ do: "close", generation, name });
  }
}

/** From the upper half: full jitter could draw next to nothing after many failures. */
const pauseBefore = (attempt: number, chance: number): number =>
  Math.floor((longestPause(attempt, backoff) / 2) * (1 + chance));

/** The one place where a number becomes a generation. */
const nextGeneration = (latest: number): Generation => (latest + 1) as Generation;
