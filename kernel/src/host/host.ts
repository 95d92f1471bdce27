/**
 * What the kernel gives a service when it starts: its configuration, its folder, logs, events and other services, all tied to
 * its id.
 */
import { join } from "node:path";
import { type Contract, FairleadError } from "@fairlead/contracts";
import type { Principal } from "../call/call.ts";
import type { Sections } from "../config/sections.ts";
import type { Events } from "../observe/events.ts";
import type { Log } from "../observe/log.ts";
import type { Host, Peer, PeerOptions } from "../service/host.ts";
import { makePrivateFolder } from "../state/private-folder.ts";
import type { MemoryTransport } from "../transport/memory/memory.ts";

export interface HostParts {
  readonly sections: Sections | undefined;
  readonly stays: boolean;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly events: Events;
  readonly log: Log;
  /** The memory transport of the running kernel, as one of its services. */
  readonly connect: (principal: Principal) => MemoryTransport;
}

export const makeHost = (id: string, parts: HostParts): Host => ({
  config: parts.sections?.get(id),
  env: parts.env,
  stays: parts.stays,
  stateDir: () => {
    const folder = join(parts.stateDir, id);
    makePrivateFolder(folder);
    return folder;
  },
  log: (level, message, fields) => parts.log(level, message, { service: id, ...fields }),
  event: (type, data) => parts.events.emit(type, id, plain(data)),
  events: (options) => parts.events.read({ ...options, service: id }),
  peer: (contract) => makePeer(contract, parts.connect({ id: `service:${id}`, access: ["read", "call"] })),
});

/** An event as plain JSON, whatever a service puts in: one that cannot be written must not break its readers. */
const plain = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  } catch (cause) {
    return { unwritable: cause instanceof Error ? cause.message : String(cause) };
  }
};

const makePeer = <C extends Contract>(contract: C, transport: MemoryTransport): Peer<C> => {
  const calls = Object.entries(contract.procedures).map(([name, { kind }]) => {
    const way = kind === "subscription" ? peerStream : peerCall;
    return [name, way(`${contract.id}.${name}`, transport)] as const;
  });
  // The contract's mapped type cannot be built from entries without this one step out of the type system.
  return Object.fromEntries(calls) as unknown as Peer<C>;
};

const peerCall =
  (procedure: string, transport: MemoryTransport) =>
  async (input: unknown, options?: PeerOptions): Promise<unknown> => {
    const reply = await transport.call(procedure, input, options);
    if (reply.ok) return reply.value;
    throw new FairleadError(reply.error);
  };

const peerStream = (procedure: string, transport: MemoryTransport) =>
  async function* (input: unknown, options?: PeerOptions): AsyncGenerator<unknown> {
    const opened = await transport.subscribe(procedure, input, options);
    if (!opened.ok) throw new FairleadError(opened.error);
    for await (const { value } of opened.items) yield value;
  };
