/**
 * What the kernel gives a service when it starts: its configuration, its folder, logs, events and other services, all tied to
 * its id.
 */
import { join } from "node:path";
import { type Contract, FairleadError } from "@fairlead/contracts";
import { ambientCall, inherit } from "../call/ambient.ts";
import type { Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { loadOnce } from "../call/load-once.ts";
import type { MemoryTransport } from "../call/memory-transport.ts";
import type { OpenSpan, SpanKind } from "../call/span.ts";
import type { Sections } from "../config/sections.ts";
import type { Events } from "../observe/event.ts";
import type { Log } from "../observe/log.ts";
import { markPeerError } from "../service/errors.ts";
import type { Host, Peer, PeerOptions } from "../service/host.ts";
import type { Sessions } from "../service/sessions.ts";
import { makePrivateFolder } from "../state/private-folder.ts";

interface HostParts {
  readonly sections: Sections | undefined;
  readonly stays: boolean;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly events: Events;
  readonly log: Log;
  /** Begins a span; left out where none is wanted. */
  readonly span?: ((name: string, kind: SpanKind) => OpenSpan | undefined) | undefined;
  /** Where a service's sessions are kept; in a file of its folder where left out. */
  readonly sessions?: (id: string) => Promise<Sessions>;
  /** The memory transport of the running kernel, as one of its services. */
  readonly connect: (principal: Principal) => MemoryTransport;
}

export const makeHost = (id: string, parts: HostParts): Host => ({
  config: parts.sections?.get(id),
  env: parts.env,
  stays: parts.stays,
  stateDir: () => makeFolder(id, parts),
  sessions: lateSessions(() => parts.sessions?.(id) ?? openFile(makeFolder(id, parts))),
  log: (level, message, fields) => {
    const call = ambientCall.getStore();
    const trace = call === undefined ? {} : { trace_id: call.traceparent.split("-")[1] };
    parts.log(level, message, { service: id, ...trace, ...fields });
  },
  span: (name, kind = "internal") => parts.span?.(name, kind),
  event: (type, data) => parts.events.emit(type, id, plain(data)),
  events: (options) => parts.events.read({ ...options, service: id }),
  peer: (contract) => makePeer(contract, { service: id, connect: parts.connect }),
});

const makeFolder = (id: string, { stateDir }: Pick<HostParts, "stateDir">): string => {
  const folder = join(stateDir, id);
  makePrivateFolder(folder);
  return folder;
};

const openFile = (folder: string): Promise<Sessions> =>
  import("../store/session-file.ts").then(({ FileSessions }) => new FileSessions(folder));

/** Opened when they are first used: few services have any. */
const lateSessions = (open: () => Promise<Sessions>): Sessions => {
  const opened = loadOnce(open);
  return {
    load: (key) => opened().then((sessions) => sessions.load(key)),
    save: (key, value, after) => opened().then((sessions) => sessions.save(key, value, after)),
    remove: (key, after) => opened().then((sessions) => sessions.remove(key, after)),
  };
};

/** An event as plain JSON, whatever a service puts in: one that cannot be written must not break its readers. */
const plain = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  } catch (cause) {
    return { unwritable: cause instanceof Error ? cause.message : String(cause) };
  }
};

/** Who calls, and how its calls reach dispatch. */
interface PeerCaller extends Pick<HostParts, "connect"> {
  readonly service: string;
}

const makePeer = <C extends Contract>(contract: C, caller: PeerCaller): Peer<C> => {
  const calls = Object.entries(contract.procedures).map(([name, { kind }]) => {
    const make = kind === "subscription" ? peerStream : peerCall;
    return [name, make(`${contract.id}.${name}`, caller)] as const;
  });
  // The contract's mapped type cannot be built from entries without this one step out of the type system.
  return Object.fromEntries(calls) as unknown as Peer<C>;
};

const peerCall =
  (procedure: string, caller: PeerCaller) =>
  async (input: unknown, options: PeerOptions = {}): Promise<unknown> => {
    const reply = await connectAs(caller, procedure, options).call(procedure, input, inherit(options));
    if (reply.ok) return reply.value;
    throw markPeerError(new FairleadError(reply.error), procedure);
  };

const peerStream = (procedure: string, caller: PeerCaller) =>
  async function* (input: unknown, options: PeerOptions = {}): AsyncGenerator<unknown> {
    const opened = await connectAs(caller, procedure, options).subscribe(procedure, input, inherit(options));
    if (!opened.ok) throw markPeerError(new FairleadError(opened.error), procedure);
    for await (const { value } of opened.items) yield value;
  };

/**
 * A service calls for the principal whose call it serves, or for itself where it serves none. What it may do is its own in both cases:
 * the caller was admitted to the procedure that it called, and what that needs is the service's business.
 */
const connectAs = ({ service, connect }: PeerCaller, procedure: string, { detached }: PeerOptions): MemoryTransport => {
  const call = detached === true ? undefined : ambientCall.getStore();
  if (call?.over === true) {
    throw failure("canceled", `${procedure} was called for a call of ${service} that is over`, {
      hint: "await it in the handler, or call it with `{ detached: true }`",
    });
  }
  const access = ["read", "call"] as const;
  return connect(
    call === undefined ? { id: `service:${service}`, access } : { id: call.principal.id, via: service, access },
  );
};
