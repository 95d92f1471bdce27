/**
 * The MCP transport on stdin and stdout, for clients that start the server themselves. Both protocol eras; the client's opening
 * chooses. One connection serves one client, with the rights of whoever started it.
 *
 * Nothing but protocol reaches stdout while this serves. It ends when stdin ends or the process gets a signal to stop: calls under way
 * get a moment to finish, then they are cancelled. Imports no HTTP, since every start pays for what is imported.
 */
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { didYouMean, FairleadError } from "@fairlead/contracts";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { localPrincipal } from "../../call/call.ts";
import { loadOnce } from "../../call/load-once.ts";
import { throttle } from "../../call/throttle.ts";
import type { ResourceSource } from "../../resources/resources.ts";
import type { Surroundings } from "../transport.ts";
import { type Endpoint, type Endpoints, makeEndpoints } from "./endpoint.ts";
import { type LineStreams, LineTransport } from "./lines.ts";
import { Rounds } from "./rounds.ts";
import { type Extension, makeServer } from "./server.ts";

export interface StdioOptions {
  /** Offer the tools of these services only, the kernel's beside those of several. One alone introduces itself. */
  readonly services?: readonly string[];
  /** A choice among their tools, as an address has it in its query: `profile=full&read-only=1`. */
  readonly choice?: string;
  /** Other streams than the process's own; then signals are left alone too. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
  /** Milliseconds that calls under way have to finish when the connection ends. */
  readonly graceMs?: number;
  /** Only for the public conformance fixture. */
  readonly fixture?: Extension;
}

export interface StdioServer {
  /** Resolves when the connection has ended, from whichever side. */
  readonly done: Promise<void>;
  /** Ends it: lets calls under way finish for a moment, then cancels them. */
  close(): Promise<void>;
}

/** Shorter than the two seconds that clients wait for a server to leave by itself. */
const defaultGraceMs = 1_500;
const announceMs = 250;
const stops = ["SIGTERM", "SIGINT"] as const;

/** Starts serving; resolves when the first line can be read. Rejects with a `FairleadError` for an unknown service. */
export const serveStdio = (surroundings: Surroundings, options: StdioOptions = {}): Promise<StdioServer> => {
  const scope = Scope.makeUnsafe();
  const ended = Deferred.makeUnsafe<void>();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= Effect.runPromise(Effect.ensuring(Scope.close(scope, Exit.void), Deferred.succeed(ended, undefined)));
    return closing;
  };
  const served = Scope.provide(serve(surroundings, options, close), scope);
  return Effect.runPromise(Effect.as(served, { done: Effect.runPromise(Deferred.await(ended)), close }));
};

/** What it takes is given back in reverse when its scope closes. */
const serve = Effect.fnUntraced(function* (surroundings: Surroundings, options: StdioOptions, close: () => void) {
  const { services = [], choice = "" } = options;
  const endpoint = yield* Effect.tryPromise({
    try: () => endpointFor(surroundings, services.length === 1 ? services[0] : undefined, choice),
    catch: (cause) => cause,
  });
  const { streams } = yield* Effect.acquireRelease(
    Effect.sync(() => (options.streams === undefined ? ownStdout() : callersStreams(options.streams))),
    ({ restore }) => Effect.sync(restore),
  );
  if (options.streams === undefined) yield* closeOnSignal(close);
  const transport = yield* Effect.acquireRelease(
    Effect.sync(() => new LineTransport(streams, endpoint.limits)),
    (opened) => Effect.promise(() => opened.close()),
  );
  const principal = services.length < 2 ? localPrincipal : { ...localPrincipal, services: [...services, "kernel"] };
  // A kernel serves many of these: each server that attaches to it brings a client of its own.
  const client = `stdio ${randomUUID()}`;
  const stdioCaller = () => ({ principal, client, isLocal: true as const });
  const rounds = new Rounds();
  const held = { bytes: 0 };
  let server: Server | undefined;
  const create = () => {
    server = makeServer({
      surroundings,
      endpoint,
      principal,
      callerOf: stdioCaller,
      rounds,
      held,
      extension: options.fixture,
    });
    return server;
  };
  const onerror = (error: Error) => surroundings.log("debug", "mcp", { error: error.message.slice(0, 500) });
  yield* Effect.acquireRelease(
    Effect.sync(() => serveConnection(create, { transport, onerror })),
    (connection) => Effect.promise(() => connection.close()),
  );
  const updated = (uri: string): void => void server?.sendResourceUpdated({ uri }).catch(() => {});
  const readSource = (): ResourceSource => ({
    contracts: endpoint.contracts(principal),
    dispatch: surroundings.dispatch,
    terms: { principal, client, transport: "mcp" },
  });
  yield* Effect.acquireRelease(
    Effect.sync(() => followListened(transport, readSource, updated)),
    (stop) => Effect.sync(stop),
  );
  const announce = throttle(announceMs, () => void server?.sendToolListChanged().catch(() => {}));
  yield* Effect.addFinalizer(() => Effect.sync(announce.stop));
  yield* Effect.addFinalizer(() => Effect.sync(() => rounds.close()));
  yield* Effect.acquireRelease(
    Effect.sync(() => surroundings.catalog.onChange(announce.now)),
    (leave) => Effect.sync(leave),
  );
  const grace = options.graceMs ?? defaultGraceMs;
  yield* Effect.addFinalizer(() => Effect.asVoid(Effect.timeoutOption(transport.answered, grace)));
  transport.onend = close;
});

/** Resources that the client's requests to listen name are followed while those stand. Gives what ends all of it. */
const followListened = (
  transport: LineTransport,
  readSource: () => ResourceSource,
  updated: (uri: string) => void,
): (() => void) => {
  const load = loadOnce(() =>
    import("./resources/listen.ts").then(({ LineFollows }) => new LineFollows(readSource, updated)),
  );
  let isUsed = false;
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    receive?.(message);
    if (!("method" in message)) return;
    isUsed ||= message.method === "subscriptions/listen";
    if (isUsed) void load().then((listening) => listening.take(message));
  };
  return () => {
    if (isUsed) void load().then((listening) => listening.close());
  };
};

const closeOnSignal = (close: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => stops.map((stop) => process.once(stop, close))),
    () => Effect.sync(() => stops.map((stop) => process.off(stop, close))),
  );

const endpointFor = (surroundings: Surroundings, service: string | undefined, choice: string): Promise<Endpoint> =>
  makeEndpoints(surroundings).then((endpoints) => findEndpoint(endpoints, service, choice));

const findEndpoint = ({ at, services }: Endpoints, service: string | undefined, choice: string): Promise<Endpoint> => {
  if (service !== undefined && !services.includes(service)) {
    const meant = didYouMean(service, services);
    throw new FairleadError({
      code: "not_found",
      message: `there is no service ${service}`,
      hint: meant === undefined ? `there are ${services.join(", ")}` : `did you mean ${meant}?`,
    });
  }
  const address = { path: service === undefined ? "" : `/${service}`, query: choice };
  return Promise.resolve(at(address)).then((found) => {
    if (!("status" in found)) return found;
    throw new FairleadError({ code: "invalid_argument", message: found.message });
  });
};

interface StdioStreams {
  readonly streams: LineStreams;
  readonly restore: () => void;
}

const callersStreams = ({ input, output }: { readonly input: Readable; readonly output: Writable }): StdioStreams => ({
  streams: { input, output, write: (text) => output.write(text) },
  restore: () => {},
});

/** Takes stdout for the protocol alone: whatever else is written there meanwhile goes to stderr. */
const ownStdout = (): StdioStreams => {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const original = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  return {
    streams: { input: stdin, output: stdout, write: (text) => write(text) },
    restore: () => {
      stdout.write = original;
    },
  };
};
