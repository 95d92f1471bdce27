/**
 * The MCP transport on stdin and stdout, for clients that start the server themselves. Both protocol eras; the client's opening
 * chooses. One process serves one client, with the rights of whoever started it.
 *
 * Nothing but protocol reaches stdout while this serves. It ends when stdin ends or the process gets a signal to stop: calls under way
 * get a moment to finish, then they are cancelled. Imports no HTTP, since every start pays for what is imported.
 */
import type { Readable, Writable } from "node:stream";
import { didYouMean, FairleadError } from "@fairlead/contracts";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { localPrincipal } from "../../call/call.ts";
import type { Surroundings } from "../transport.ts";
import { type Endpoint, makeEndpoints } from "./endpoint.ts";
import { type LineStreams, LineTransport } from "./lines.ts";
import { Rounds } from "./rounds.ts";
import { type Extension, makeServer } from "./server.ts";
import { throttle } from "./throttle.ts";

export interface StdioOptions {
  /** Offer one service's tools only. */
  readonly service?: string;
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

/** Starts serving; resolves when the first line can be read. Throws a `FairleadError` for an unknown service. */
export const serveStdio = async (surroundings: Surroundings, options: StdioOptions = {}): Promise<StdioServer> => {
  const endpoint = await endpointFor(surroundings, options.service);
  const { streams, restore } = options.streams === undefined ? ownStdout() : callersStreams(options.streams);
  const transport = new LineTransport(streams, endpoint.limits);
  const stdioCaller = () => ({ principal: localPrincipal });
  const rounds = new Rounds();
  let server: Server | undefined;
  const connection = serveConnection(
    () => {
      server = makeServer({ surroundings, endpoint, callerOf: stdioCaller, rounds, extension: options.fixture });
      return server;
    },
    { transport, onerror: (error) => surroundings.log("debug", "mcp", { error: error.message.slice(0, 500) }) },
  );
  const announce = throttle(announceMs, () => void server?.sendToolListChanged().catch(() => {}));
  const leaveCatalog = surroundings.catalog.onChange(announce.now);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;

  const end = async (): Promise<void> => {
    await transport.answered(options.graceMs ?? defaultGraceMs);
    leaveCatalog();
    rounds.close();
    announce.stop();
    await connection.close();
    await transport.close();
    for (const stop of stops) process.off(stop, close);
    restore();
    resolve();
  };
  const close = (): Promise<void> => {
    closing ??= end();
    return closing;
  };

  transport.onend = close;
  if (options.streams === undefined) for (const stop of stops) process.once(stop, close);
  return { done, close };
};

const endpointFor = async (surroundings: Surroundings, service: string | undefined): Promise<Endpoint> => {
  const { at, services } = await makeEndpoints(surroundings);
  const endpoint = at(service === undefined ? "" : `/${service}`);
  if (endpoint !== undefined) return endpoint;
  const meant = didYouMean(service ?? "", services);
  throw new FairleadError({
    code: "not_found",
    message: `there is no service ${service}`,
    hint: meant === undefined ? `there are ${services.join(", ")}` : `did you mean ${meant}?`,
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
