/**
 * One connection as the state machine knows it, and what the world is made of. Types and readings; the transitions are in
 * `machine.ts`.
 */
import type { ConnectionFault } from "./fault.ts";
import type { Target } from "./target.ts";

/** Numbers attempts to connect, over all connections and never twice. Whatever comes from an older one is ignored. */
export type Generation = number & { readonly brand: "Generation" };

/** The phase of a connection. */
export type Phase =
  /** Wants to connect and waits for a place. */
  | { readonly tag: "queued"; readonly after: Origin }
  | { readonly tag: "opening"; readonly after: Origin }
  | { readonly tag: "connected"; readonly misses: number }
  /** Tries at that time; sooner when a call waits, unless waiting does not help. */
  | WaitingPhase;

export interface WaitingPhase {
  readonly tag: "waiting";
  readonly after: Origin;
  readonly until: number;
  /** True when it may go then, whatever pace the attempts keep: its turn has been counted, or a caller waits. */
  readonly counted: boolean;
  /** The upstream does not want to see us sooner, whoever waits. */
  readonly notBefore?: number;
}

/** What an attempt follows: nothing, a loss or a failure, a fault that waiting does not fix. */
export type Origin = "new" | "loss" | "blocked";

/** As the specification names them, and `blocked`. */
export type ConnectionState = "connecting" | "connected" | "reconnecting" | "blocked";

export interface Connection {
  readonly name: string;
  readonly target: Target;
  readonly generation: Generation;
  readonly phase: Phase;
  /** When its state became what it is, in the clock's milliseconds. */
  readonly since: number;
  /** Failures in a row; 0 once connected. */
  readonly attempt: number;
  /** Failures in a row that a connection which breaks at once goes on counting from. */
  readonly streak: number;
  /** When the latest attempt began. */
  readonly startedAt: number;
  /** When its phase became what it is. */
  readonly phaseSince: number;
  /** Attempts since it was added, or since a requested reconnect. */
  readonly attempts: number;
  /** How many tools the upstream offered last. */
  readonly tools: number;
  /** Why it is not connected, or the last reason why it was not. */
  readonly fault?: ConnectionFault;
}

/** What happens, for people and programs. Every one but `Removed` is of a generation. */
export type ConnectionEvent =
  | { readonly type: "Connecting"; readonly name: string; readonly generation: Generation; readonly endpoint: string }
  | { readonly type: "Connected"; readonly name: string; readonly generation: Generation; readonly tools: number }
  | {
      readonly type: "Reconnecting";
      readonly name: string;
      readonly generation: Generation;
      readonly attempt: number;
      readonly delayMs: number;
      readonly fault: ConnectionFault;
    }
  | {
      readonly type: "Blocked";
      readonly name: string;
      readonly generation: Generation;
      readonly delayMs: number;
      readonly fault: ConnectionFault;
    }
  | { readonly type: "ToolsRefreshed"; readonly name: string; readonly generation: Generation; readonly tools: number }
  | { readonly type: "Removed"; readonly name: string };

export interface MachineState {
  readonly connections: ReadonlyMap<string, Connection>;
  /** Names that wait for a place, first come first served. */
  readonly queue: readonly string[];
  /** Attempts that hold a place: begun lately and still busy. */
  readonly places: ReadonlySet<Generation>;
  /** The latest generation. */
  readonly latestGeneration: number;
  /** When the next attempt would be due if attempts came evenly. */
  readonly paceAt: number;
}

export const initialState: MachineState = {
  connections: new Map(),
  queue: [],
  places: new Set(),
  latestGeneration: 0,
  paceAt: Number.NEGATIVE_INFINITY,
};

export const connectionState = ({ phase }: Pick<Connection, "phase">): ConnectionState =>
  phase.tag === "connected" ? "connected" : originStates[phase.after];

const originStates: Readonly<Record<Origin, ConnectionState>> = {
  new: "connecting",
  loss: "reconnecting",
  blocked: "blocked",
};

export const findByGeneration = (world: MachineState, generation: Generation): Connection | undefined => {
  for (const entry of world.connections.values()) if (entry.generation === generation) return entry;
  return undefined;
};
