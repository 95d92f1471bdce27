/**
 * A stdio server that is attached to the process that owns its project's state folder: hands lines on between its client and the owner. When
 * the owner is gone it attaches to the next one, or becomes it and goes on with a kernel in this process.
 *
 * Loads no kernel while there is an owner.
 */
import { connect } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { attachProtocol, type OwnerRecord, type RepeatableTools } from "@fairlead/kernel/owner";
import type { Context } from "../command/context.ts";
import { lineWriter, readLines } from "./lines.ts";
import { type Ownership, type OwnFolder, settleOwnership } from "./ownership.ts";
import { ClientRelay } from "./relay.ts";

/** A kernel in this process, as far as a relay uses it. */
export interface RelayKernel {
  ownerSocket(key: string): (socket: Duplex) => void;
  /** Resolves with an error that it cannot go on from. */
  readonly fatal: Promise<unknown>;
  close(): Promise<void>;
}

interface AttachOptions {
  /** The only services whose tools are offered; none for all. */
  readonly services: readonly string[];
  /** A choice among their tools, like `profile=full&read-only=1`. */
  readonly choice: string;
  /** Opens a kernel on a folder of this process's own. */
  readonly open: (own: OwnFolder) => Promise<RelayKernel>;
}

/** A connection over which MCP goes line by line. */
interface OwnerLink {
  readonly stream: Duplex;
  readonly repeatable: RepeatableTools;
  /** Of a kernel in this process. */
  readonly close: () => Promise<void>;
  /** Never resolves for an owner in another process. */
  readonly fatal: Promise<unknown>;
}

/** Milliseconds that an owner may take to answer the first line: its services may still be loading. */
const helloMs = 60_000;
/** Milliseconds that calls may take to finish once the client is gone or the process is to stop. */
const graceMs = 1_500;
/** Milliseconds between two attempts where an owner went away while this process attached. */
const pauseMs = 20;

/** Serves the client on stdin and stdout until it goes away or the process is to stop. */
export const serveAttached = async (context: Context, first: Ownership, options: AttachOptions): Promise<void> => {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // Whatever else is written there meanwhile is not a protocol.
  stdout.write = stderr.write.bind(stderr);
  let link: OwnerLink | undefined;
  let toOwner: ((line: string) => void) | undefined;
  const relay = new ClientRelay({ toClient: lineWriter(stdout, stdin, write), toOwner: (line) => toOwner?.(line) });
  const client = new AbortController();
  const leave = (): void => {
    client.abort();
    link?.stream.end();
  };
  stdin.once("end", leave).once("close", leave).once("error", leave);
  const readOn = (): void => void link?.stream.resume();
  stdout.on("drain", readOn);
  context.io.signal.addEventListener("abort", leave, { once: true });
  readLines(stdin, (line) => relay.fromClient(line));
  // A kernel in this process, and a pair of streams to it, keep no process alive.
  const alive = setInterval(() => undefined, 60_000);
  try {
    for (let settled = first; ; settled = await settleOwnership(context, request(context))) {
      if (client.signal.aborted) {
        letGo(settled);
        return;
      }
      link = await openLink(settled, options);
      if (link === undefined) {
        await pause(pauseMs);
        continue;
      }
      const { stream } = link;
      toOwner = lineWriter(stream, stdin);
      readLines(stream, (line) => {
        relay.fromOwner(line);
        if (stdout.writableNeedDrain) stream.pause();
      });
      relay.attached(link.repeatable);
      if (client.signal.aborted) stream.end();
      const failure = await Promise.race([ended(stream, client.signal), link.fatal]);
      toOwner = undefined;
      relay.lost();
      await link.close();
      link = undefined;
      if (failure !== undefined) throw failure;
      if (client.signal.aborted) return;
      stdin.resume();
    }
  } finally {
    await link?.close();
    clearInterval(alive);
    stdout.off("drain", readOn);
    stdout.write = write;
    stdin.pause();
  }
};

/** Of a folder that nothing was opened on. */
const letGo = (settled: Ownership): void => {
  if (settled.kind !== "own") return;
  settled.end();
  settled.release();
};

const request = ({ local }: Context) => ({ command: "mcp serve", local }) as const;

const never = new Promise<never>(() => undefined);

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** `undefined` when the owner went away meanwhile. Throws what the owner says where it refuses. */
const openLink = async (
  settled: Ownership,
  { services, choice, open }: AttachOptions,
): Promise<OwnerLink | undefined> => {
  if (settled.kind === "attach") {
    const stream = connect({ path: settled.owner.socket, allowHalfOpen: true });
    const repeatable = await greet(stream, { key: settled.owner.key, services, choice });
    return repeatable && { stream, repeatable, close: async () => void stream.destroy(), fatal: never };
  }
  const kernel = await open(settled);
  const [stream, far] = duplexPair();
  const key = settled.key ?? "local";
  kernel.ownerSocket(key)(far);
  try {
    const repeatable = await greet(stream, { key, services, choice });
    return repeatable && { stream, repeatable, close: () => kernel.close(), fatal: kernel.fatal };
  } catch (error) {
    await kernel.close();
    throw error;
  }
};

/** Sends the first line and reads the answer. */
const greet = async (
  stream: Duplex,
  hello: Pick<OwnerRecord, "key"> & Pick<AttachOptions, "services" | "choice">,
): Promise<RepeatableTools | undefined> => {
  const { formatHello, parseAttachReply } = await attachProtocol();
  const line = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => stream.destroy(), helloMs);
    const settle = (found: string | undefined): void => {
      clearTimeout(timer);
      stop();
      resolve(found);
    };
    const stop = readLines(stream, settle);
    stream.once("close", () => settle(undefined)).once("end", () => settle(undefined));
    stream.on("error", () => stream.destroy());
    stream.write(formatHello(hello));
  });
  const reply = line === undefined ? undefined : parseAttachReply(line);
  if (reply === undefined) {
    stream.destroy();
    return undefined;
  }
  if (reply.ok) return reply.repeatable;
  stream.destroy();
  throw new (await import("@fairlead/contracts")).FairleadError(reply.error);
};

/** Resolves when the stream is over; soon after the client is gone in any case. */
const ended = (stream: Duplex, gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => resolve();
    stream.once("end", finish).once("close", finish);
    if (stream.destroyed || stream.readableEnded) finish();
    const finishSoon = (): void => void setTimeout(finish, graceMs + 500);
    if (gone.aborted) finishSoon();
    else gone.addEventListener("abort", finishSoon, { once: true });
  });
