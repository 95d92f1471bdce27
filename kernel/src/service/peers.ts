/**
 * How `Peers` is made from a host: calls are Effects with the peer's declared errors in their type. Interrupting one cancels the
 * peer's call.
 *
 * Not here: the calls themselves (`Host.peer`, which takes the one path).
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { DeclaredError, findPeer, InfrastructureError, markPeerError } from "./errors.ts";
import type { Host, PeerClient, PeerOptions, Peers } from "./host.ts";

type PeerCall = (input: unknown, options?: PeerOptions) => Promise<unknown>;

/** The peers of the service that has this host. */
export const makePeers = (host: Host): Peers => ({
  client: <C extends Contract>(contract: C) => {
    const peer = host.peer(contract) as Readonly<Record<string, PeerCall>>;
    const calls = Object.entries(contract.procedures).map(([name, { kind }]) => {
      const call = peer[name];
      return [name, kind === "subscription" || call === undefined ? call : effectCall(call)] as const;
    });
    // The contract's mapped type cannot be built from entries without this one step out of the type system.
    return Object.fromEntries(calls) as unknown as PeerClient<C>;
  },
});

const effectCall =
  (call: PeerCall) =>
  (input: unknown, options?: PeerOptions): Effect.Effect<unknown, FairleadError> =>
    Effect.tryPromise({ try: (signal) => call(input, { ...options, signal }), catch: toPeerError });

/** Dispatch has checked the error against the peer's contract. */
const toPeerError = (cause: unknown): FairleadError => {
  if (!(cause instanceof FairleadError))
    return new InfrastructureError("internal", { message: "a peer's call failed" }, { cause });
  const { reason, ...wire } = cause.toJSON();
  if (reason !== undefined) return markPeerError(new DeclaredError({ ...wire, reason }), findPeer(cause) ?? "a peer");
  return new InfrastructureError(wire.code, wire, { cause });
};
