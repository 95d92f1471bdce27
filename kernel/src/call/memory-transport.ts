/**
 * The memory transport: same-process callers on the one path, without a wire. Tests and services' peers use it; it decodes,
 * authorises and limits exactly as the network transports do.
 */
import type { CallRequest, Dispatch, Principal } from "./call.ts";
import { ownerPrincipal } from "./call.ts";

/** What a caller may send with the procedure and its input. */
export type MemoryOptions = Pick<
  CallRequest,
  "file" | "signal" | "timeoutMs" | "attempts" | "idempotencyKey" | "onProgress" | "ask" | "lastEventId" | "trace"
>;

/** Calls of one principal, by full procedure name. Neither method rejects: a refusal is a value. */
export interface MemoryTransport {
  /** Runs a query or a mutation. */
  call(procedure: string, input: unknown, options?: MemoryOptions): ReturnType<Dispatch["call"]>;
  /** Opens a subscription. */
  subscribe(procedure: string, input: unknown, options?: MemoryOptions): ReturnType<Dispatch["subscribe"]>;
}

export const connect = (dispatch: Dispatch, principal: Principal = ownerPrincipal): MemoryTransport => ({
  call: (procedure, input, options) => dispatch.call({ ...options, procedure, input, principal, transport: "memory" }),
  subscribe: (procedure, input, options) =>
    dispatch.subscribe({ ...options, procedure, input, principal, transport: "memory" }),
});
