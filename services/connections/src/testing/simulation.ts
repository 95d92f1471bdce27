/**
 * A simulated registry for tests: plays upstreams that live, die, refuse and keep silent against the state machine, on a
 * clock of its own. Whatever was begun reports back, even when it was closed long ago, as real sockets do.
 */
import {
  type Connection,
  type ConnectionEvent,
  type Generation,
  initialState,
  type MachineState,
} from "../machine/connection.ts";
import { type ConnectionFault, classify } from "../machine/fault.ts";
import { bounds, type MachineAction, type MachineInput, step } from "../machine/machine.ts";
import type { Target } from "../machine/target.ts";

export type Health = "alive" | "refusing" | "silent" | "broken";

/** An event that was published, and when. */
interface PublishedEvent {
  readonly at: number;
  readonly event: ConnectionEvent;
}

interface Due {
  readonly at: number;
  readonly input: () => MachineInput | undefined;
}

const connectMs = 20;
const timeoutMs = 500;

export class Simulation {
  #state: MachineState = initialState;
  #now = 0;
  readonly #due: Due[] = [];
  readonly #chance: () => number;
  /** The one alarm of each connection that is still set. */
  readonly #alarms = new Map<string, number>();
  #alarm = 0;
  readonly #health = new Map<string, Health>();
  /** Pings in a row without an answer. */
  readonly #missed = new Map<Generation, number>();
  /** What was opened and not closed. */
  readonly open = new Map<Generation, { readonly name: string; readonly target: Target; up: boolean }>();
  readonly closed = new Set<Generation>();
  readonly published: PublishedEvent[] = [];
  /** When each attempt began. */
  readonly starts: { readonly at: number; readonly name: string }[] = [];
  /** How often an alarm has gone off. */
  wakes = 0;
  /** Broken rules of the registry. */
  readonly wrongs: string[] = [];

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  get now(): number {
    return this.#now;
  }

  get state(): MachineState {
    return this.#state;
  }

  entry(name: string): Connection | undefined {
    return this.#state.connections.get(name);
  }

  health(endpoint: string): Health {
    return this.#health.get(endpoint) ?? "alive";
  }

  /** Changes an upstream; what was connected to it breaks when it is not alive any more. */
  become(endpoint: string, health: Health): void {
    this.#health.set(endpoint, health);
    if (health === "alive") return;
    for (const [generation, { target, up }] of this.open) {
      if (up && endpointKey(target) === endpoint) {
        this.#later(1, () => ({ on: "lost", generation, fault: classify({ what: "closed" }) }));
      }
    }
  }

  send(input: MachineInput): void {
    const result = step(this.#state, input, { at: this.#now, chance: this.#chance() });
    this.#state = result.state;
    for (const action of result.actions) this.#do(action);
    if (this.#state.places.size > bounds.places) this.wrongs.push("more attempts than places");
  }

  /** A call: the machine gets its failure before the caller does, who then reads the status. */
  call(name: string): void {
    const entry = this.entry(name);
    if (entry?.phase.tag !== "connected") {
      this.send({ on: "demand", name });
      return;
    }
    if (this.health(endpointKey(entry.target)) === "alive") return;
    this.send({ on: "lost", generation: entry.generation, fault: classify({ what: "closed" }) });
    if (this.#isUp(name)) this.wrongs.push("connected, and a call has failed");
  }

  /** An idle ping that goes unanswered, or one that is answered. */
  ping(name: string, answered: boolean): void {
    const entry = this.entry(name);
    if (entry?.phase.tag !== "connected") return;
    const { generation } = entry;
    const missed = answered ? 0 : 1 + (this.#missed.get(generation) ?? 0);
    this.#missed.set(generation, missed);
    this.send({ on: answered ? "heard" : "missed", generation });
    if (this.#isUp(name) !== missed < bounds.misses)
      this.wrongs.push(`connected after ${missed} pings in vain, or not`);
  }

  #isUp(name: string): boolean {
    return this.entry(name)?.phase.tag === "connected";
  }

  /** Lets time pass, with all that falls into it. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#due[0]; next !== undefined && next.at <= end; next = this.#due[0]) {
      this.#due.shift();
      this.#now = Math.max(this.#now, next.at);
      const input = next.input();
      if (input !== undefined) this.send(input);
    }
    this.#now = end;
  }

  #do(action: MachineAction): void {
    switch (action.do) {
      case "open": {
        const { generation, name, target } = action;
        if (this.open.has(generation) || this.closed.has(generation)) this.wrongs.push(`opened ${generation} twice`);
        this.open.set(generation, { name, target, up: false });
        this.starts.push({ at: this.#now, name });
        this.#later(bounds.yieldMs, () => ({ on: "yield", generation }));
        this.#connect(generation, endpointKey(target));
        return;
      }
      case "close":
        if (!this.open.delete(action.generation)) this.wrongs.push(`closed ${action.generation}, which was not open`);
        this.closed.add(action.generation);
        return;
      case "wake": {
        const { generation, name } = action;
        this.#alarms.set(name, this.#alarm);
        const alarm = this.#alarm;
        this.#alarm += 1;
        this.#later(action.at - this.#now, () => {
          if (this.#alarms.get(name) !== alarm) return undefined;
          this.wakes += 1;
          return { on: "awake", generation };
        });
        return;
      }
      case "publish":
        this.published.push({ at: this.#now, event: action.event });
    }
  }

  #connect(generation: Generation, endpoint: string): void {
    const silent = this.health(endpoint) === "silent";
    // An answer that comes after all was given up.
    if (silent) this.#later(timeoutMs + connectMs, () => ({ on: "opened", generation, tools: 3 }));
    this.#later(silent ? timeoutMs : connectMs, () => {
      const resource = this.open.get(generation);
      const health = silent ? "silent" : this.health(endpoint);
      if (health !== "alive") return { on: "failed", generation, fault: createFault(health) };
      if (resource !== undefined) resource.up = true;
      return { on: "opened", generation, tools: 3 };
    });
  }

  #later(milliseconds: number, input: () => MachineInput | undefined): void {
    const at = this.#now + Math.max(0, milliseconds);
    const place = this.#due.findLastIndex((due) => due.at <= at) + 1;
    this.#due.splice(place, 0, { at, input });
  }
}

export const endpointKey = (target: Target): string => (target.transport === "http" ? target.url : target.command);

export const createTarget = (url: string): Target => ({
  transport: "http",
  url,
  headers: {},
  trusted: true,
  awaitsApproval: false,
  tools: {},
  era: "auto",
});

const createFault = (health: Exclude<Health, "alive">): ConnectionFault => {
  switch (health) {
    case "refusing":
      return classify({ what: "socket", code: "ECONNREFUSED", message: "" });
    case "silent":
      return classify({ what: "timeout", ms: timeoutMs, opening: true });
    case "broken":
      return classify({ what: "status", status: 401, opening: true, session: false });
  }
};
