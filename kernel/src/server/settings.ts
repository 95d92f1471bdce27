/** The times and limits of a server, with their defaults. */
import type { ByteLimits } from "./connections/byte-budget.ts";
import type { ConnectionLimits } from "./connections/connection-table.ts";
import type { LingerTimes } from "./connections/lingering.ts";
import { longestStall } from "./connections/slow-readers.ts";

/** Milliseconds. */
export interface ServerTimes extends LingerTimes {
  /** For a request's headers to arrive; less when many connections are open. */
  readonly headers: number;
  /** For a whole request to arrive, likewise; answers, streams among them, may take as long as they like. */
  readonly request: number;
  /** That a reader may take nothing, or next to nothing, of what waits for it. */
  readonly stall: number;
  /** That a connection may rest between two requests; sent to clients, which should be the ones to hang up. */
  readonly rest: number;
  /** Between looks for connections that are too slow. */
  readonly check: number;
  /** Event loop lag from which on requests wait in a queue that is served fairly; they are refused once it has grown for two and a half times as long. */
  readonly lag: number;
  /** Event loop lag after which the calls that may be the reason are logged. */
  readonly blocked: number;
  /** That a connection rests before `close` ends it: its client may be about to send. */
  readonly quiet: number;
  /** That `close` gives a request that has begun to arrive. */
  readonly arrival: number;
  /** That `close` waits for running requests. */
  readonly drain: number;
}

export const defaultTimes: ServerTimes = {
  headers: 10_000,
  request: 30_000,
  stall: longestStall,
  rest: 30_000,
  check: 2_000,
  lag: 200,
  blocked: 500,
  quiet: 250,
  arrival: 2_000,
  drain: 10_000,
  linger: 30_000,
  lingerQuiet: 5_000,
};

export type ServerLimits = ConnectionLimits & { readonly bytes: ByteLimits };
