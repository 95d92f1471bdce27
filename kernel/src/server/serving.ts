/**
 * What all requests of a server share, made from its parts: for the server that listens (`server.ts`) and for the one that answers
 * requests of a runtime (`fetch/`).
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Log } from "../observe/log.ts";
import { Rates } from "../policy/rate.ts";
import { router, type Serving } from "./connection.ts";
import { ByteBudget, defaultByteLimits } from "./connections/byte-budget.ts";
import { ConnectionTable, defaultConnectionLimits } from "./connections/connection-table.ts";
import type { Exchange, GuardRules } from "./guard.ts";
import type { Mount } from "./mount.ts";
import { Turns } from "./overload/turns.ts";
import { defaultTimes, type ServerLimits, type ServerTimes } from "./settings.ts";

/** The requests that another process answers. */
interface RequestsElsewhere {
  /** Has it answered there; nothing where this process answers it. Nothing is known of the request, whose guard is there as well. */
  forward(exchange: Exchange): Promise<void> | undefined;
  /** Whether a request to become a WebSocket can become one there, by its URL as sent; others are ordinary requests. */
  mayJoin(url: string): boolean;
  /** Has a connection go on there: one that is to become a WebSocket. Calls `joined` once that process has taken it, for a caller that is known. */
  join(handshake: Handshake, joined: () => void): void;
}

/** A request to become a WebSocket, its connection, and what came after it. */
export interface Handshake {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

export interface ServerParts {
  readonly mounts: readonly Mount[];
  readonly rules: GuardRules;
  readonly log: Log;
  readonly times?: Partial<ServerTimes>;
  readonly limits?: Partial<ServerLimits>;
  /** The rates that requests are counted in; its own when left out. */
  readonly rates?: Rates;
  /** Called when the event loop was held up for `times.blocked`, with the milliseconds. */
  readonly onBlocked?: (milliseconds: number) => void;
  /** Where this process answers only some of the requests: what has the others answered. */
  readonly elsewhere?: RequestsElsewhere;
  /** Called for each request that is refused before a transport has it, with why in one word. */
  readonly onRefused?: (reason: string) => void;
}

/** Milliseconds between looks at the event loop's lag. */
export const lagEveryMs = 100;
/** Milliseconds that a request waits at least under overload before it is refused. */
const leastWaitMs = 15;
/** For how many times `lag` the queue has to grow before requests are refused. */
const growthOfLag = 2.5;
const overloadBegins = "more requests arrive than are served: those that wait too long are refused";

/** `nextTurn` calls back in the next turn of the event loop; see `Turns`. */
export const makeServing = (
  parts: ServerParts,
  nextTurn: ConstructorParameters<typeof Turns>[0]["nextTurn"],
): Serving => {
  const times = { ...defaultTimes, ...parts.times };
  const { lag } = times;
  const { bytes = defaultByteLimits, ...limits } = { ...defaultConnectionLimits, ...parts.limits };
  return {
    table: new ConnectionTable(limits),
    budget: new ByteBudget(bytes, (connection) => {
      parts.log("warn", "a connection held too many bytes and was cut off", { address: connection.address });
      connection.cut();
    }),
    route: router(parts.mounts),
    rates: parts.rates ?? new Rates(),
    log: parts.log,
    onRefused: parts.onRefused ?? (() => undefined),
    varies: parts.rules.origins.length > 0,
    guard: undefined,
    identity: parts.rules.identity,
    elsewhere: parts.elsewhere?.forward.bind(parts.elsewhere),
    turns: new Turns({
      leastWaitMs: Math.min(leastWaitMs, lag),
      limitMs: lagEveryMs + lag,
      growthMs: growthOfLag * lag,
      now: performance.now.bind(performance),
      onOverload: (waiting) => parts.log("warn", overloadBegins, { waiting }),
      nextTurn,
    }),
    times,
    answered: 0,
    phase: "open",
  };
};
