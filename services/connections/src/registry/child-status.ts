/**
 * An upstream's process in the terms of the kernel's supervisor, for the tree that `kernel.services` shows. Pure.
 *
 * The state machine decides when a process is started; here its phases get the supervisor's names. Not here: connections over HTTP, which
 * have no process.
 */
import type { ChildState, ChildStatus } from "@fairlead/kernel/service";
import type { Connection } from "../machine/connection.ts";
import type { ConnectionFault } from "../machine/fault.ts";

type ChildError = Extract<ChildState, { readonly tag: "Failed" }>["error"];

/** @param pid of its process, where one runs */
export const childStatus = (connection: Connection, pid: number | undefined): ChildStatus => ({
  id: connection.name,
  restart: "permanent",
  state: childState(connection),
  restarts: Math.max(0, connection.attempts - 1),
  ...(pid !== undefined && { pid }),
});

/** A process that still ends, after its connection was removed. */
export const drainingStatus = (name: string, since: number, pid: number | undefined): ChildStatus => ({
  id: name,
  restart: "temporary",
  state: { tag: "Draining", since, life: 0 },
  restarts: 0,
  ...(pid !== undefined && { pid }),
});

const childState = ({ phase, phaseSince: since, generation: life, attempt, fault }: Connection): ChildState => {
  switch (phase.tag) {
    case "queued":
      return { tag: "Stopped", since, ...(fault !== undefined && { last: wireError(fault) }) };
    case "opening":
      return { tag: "Starting", since, life };
    case "connected":
      return { tag: "Ready", since, life };
    case "waiting":
      // A new connection waits for its turn, or for the first call of a lazy upstream.
      return phase.after === "new" || fault === undefined
        ? { tag: "Stopped", since }
        : { tag: "Backoff", since, until: phase.until, attempt, error: wireError(fault) };
  }
};

const wireError = ({ kind, message, hint }: ConnectionFault): ChildError => ({
  code: "unavailable",
  message,
  retryable: kind !== "permanent",
  ...(hint !== undefined && { hint }),
});
