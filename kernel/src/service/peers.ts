/**
 * How `Peers` is made from a host: calls are Effects with the peer's declared errors in their type, and inherit deadline and trace
 * from the call that is being served. Interrupting one cancels the peer's call.
 *
 * Not here: the calls themselves (`Host.peer`, which takes the one path).
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { DeclaredError, InfrastructureError } from "./errors.ts";
import { Call } from "./handler.ts";
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
    Effect.gen(function* () {
      const served = yield* Effect.serviceOption(Call);
      const ambient = served._tag === "None" ? {} : inherited(served.value);
      return yield* Effect.tryPromise({
        try: (signal) => call(input, { ...ambient, ...options, signal }),
        catch: toPeerError,
      });
    });

/** What a peer's call takes over from the call that is served. */
const inherited = ({ deadline, traceparent }: Call): PeerOptions => ({
  trace: { traceparent },
  ...(Number.isFinite(deadline) && { timeoutMs: Math.max(0, deadline - Date.now()) }),
});

/** Dispatch has checked the error against the peer's contract. */
const toPeerError = (cause: unknown): FairleadError => {
  if (!(cause instanceof FairleadError))
    return new InfrastructureError("internal", { message: "a peer's call failed" }, { cause });
  const { reason, ...wire } = cause.toJSON();
  if (reason !== undefined) return new DeclaredError({ ...wire, reason });
  return new InfrastructureError(wire.code, wire, { cause });
};
