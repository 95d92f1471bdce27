/**
 * The MCP client of one connection. The SDK's client opens it, agrees on the era, lists the tools and their changes, and answers the
 * upstream's questions. It also makes the calls to a process; over HTTP they go past it, on the same transport (`tool-calls.ts`).
 *
 * Not here: the transport (`transport-factory.ts`), what a failure means for the connection (`upstream.ts`).
 */

import { cleanText } from "@fairlead/contracts";
import { type ClientLog, type LogSeverity, logSeverities } from "@fairlead/kernel/service";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type PriorDiscovery,
  type Transport,
} from "@modelcontextprotocol/client";
import type * as Effect from "effect/Effect";
import type { Target } from "../machine/target.ts";
import type { ToolCallRequest } from "./call-failure.ts";
import type { CallResult } from "./call-result.ts";
import { CallerQuestions, callUntilComplete, capabilities } from "./caller-questions.ts";
import { ClientCalls } from "./client-calls.ts";
import { Heartbeat, type PingResult } from "./heartbeat.ts";
import { type RequestFailure, toRequestFailure } from "./observation.ts";
import { passThroughSchema } from "./pass-through-schema.ts";
import { type CallChannel, type CallTransport, type Envelope, ToolCalls } from "./tool-calls.ts";
import { ToolFeed } from "./tool-feed.ts";

type Era = "legacy" | "modern";

/** What is known of an upstream once its connection is open. */
export interface UpstreamInfo {
  readonly era: Era;
  /** Protocol revision, like `2025-11-25`. */
  readonly revision: string;
  /** What the upstream calls itself. */
  readonly server: string;
  readonly tools: readonly unknown[];
  /** What was found out about its era: the next connection opens faster with it. */
  readonly prior: PriorDiscovery;
}

/** Milliseconds. */
export interface ConnectionTimes {
  /** Until it must be open, tools listed. */
  readonly connectMs: number;
  /** Of quiet, until a ping. */
  readonly idleMs: number;
  /** Until a ping must be answered. */
  readonly pingMs: number;
}

interface UpstreamClientOptions {
  readonly target: Pick<Target, "era" | "transport">;
  /** To introduce ourselves with. */
  readonly version: string;
  readonly times: ConnectionTimes;
  /** Milliseconds for each request until it is open. */
  readonly openMs: number;
  /** The revision is agreed on, and the tools are listed. */
  readonly agreed: () => void;
  /** The list of tools has changed. */
  readonly tools: (list: readonly unknown[]) => void;
  /** A ping went unanswered; the next goes out at once. */
  readonly missed: () => void;
  /** A ping was answered again after a miss. */
  readonly heard: () => void;
  /** A ping could not be sent, or was refused. */
  readonly broken: (end: RequestFailure) => void;
  /** The transport has closed. Open calls fail after this. */
  readonly closed: () => void;
  /** Runs an Effect for as long as the connection is of use. */
  readonly fork: (work: Effect.Effect<void>) => void;
}

/**
 * Milliseconds a stdio server may be silent about the new era's question before it is taken for an old one: a quarter of the time to
 * connect, since a program that is only slow to start would be taken for one as well.
 */
const stdioProbeMs = (connectMs: number): number => Math.max(2_000, connectMs / 4);
/** Characters of what an upstream calls itself. */
const longestName = 120;

export class UpstreamClient {
  readonly #parts: UpstreamClientOptions;
  readonly #client: Client;
  readonly #callerQuestions = new CallerQuestions();
  readonly #heartbeat: Heartbeat;
  readonly #feed: ToolFeed;
  #calls: CallChannel | undefined;
  #isHostThere: CallTransport["isHostThere"] | undefined;
  #isStarted = false;
  /** What the upstream of a session was asked to send at least. */
  #logLevel: LogSeverity | undefined;

  constructor(parts: UpstreamClientOptions) {
    const { target, times, tools, missed, heard, closed } = parts;
    this.#parts = parts;
    const client = new Client(this.#introduction, { capabilities, ...negotiation(target, parts) });
    this.#client = client;
    this.#heartbeat = new Heartbeat({
      idleMs: times.idleMs,
      ping: () => this.#ping(),
      isBusy: () => this.#calls?.isIdle === false,
      ...(target.transport === "http" && { isHostThere: async () => (await this.#isHostThere?.()) ?? true }),
      missed,
      heard,
    });
    this.#feed = new ToolFeed({
      client,
      pageMs: times.connectMs,
      hasHeaders: target.transport === "http",
      changed: tools,
      checkAlive: () => this.checkAlive(),
    });
    client.onclose = () => {
      closed();
      this.#calls?.end(new Error("the connection was closed"));
    };
    client.onerror = (error) => {
      if (/^SSE stream disconnected/.test(error.message)) this.checkAlive();
    };
    client.setNotificationHandler("notifications/tools/list_changed", () => this.#feed.refresh());
    client.setNotificationHandler("notifications/message", ({ params }) => {
      const { level, logger, data } = params;
      this.#callerQuestions.findLog()?.send({ level, data, ...(logger !== undefined && { logger }) });
    });
    this.#callerQuestions.serve(client);
  }

  /** @param prior what an earlier connection found out about the era */
  async open(transport: CallTransport | Transport, prior: PriorDiscovery | undefined): Promise<UpstreamInfo> {
    const client = this.#client;
    const timeout = this.#parts.openMs;
    await client.connect(transport, { timeout, ...(prior !== undefined && { prior }) });
    this.#parts.agreed();
    const tools = await this.#feed.list(timeout);
    // With an era known from before and no tools to list, the upstream has not answered anything yet.
    if (prior?.kind === "modern" && tools.length === 0) await client.discover({ timeout });
    const revision = client.getNegotiatedProtocolVersion() ?? "";
    const era = client.getProtocolEra() ?? "legacy";
    this.#calls =
      "sendCall" in transport
        ? new ToolCalls(transport, era === "modern" ? this.#envelope(revision) : undefined)
        : new ClientCalls(client);
    if ("sendCall" in transport) this.#isHostThere = () => transport.isHostThere();
    else this.#callerQuestions.follow(transport);
    const discover = client.getDiscoverResult();
    const server = client.getServerVersion();
    return {
      era,
      revision,
      server: server === undefined ? "" : cleanText(`${server.name} ${server.version}`, longestName),
      tools,
      prior: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover },
    };
  }

  /** Starts the heartbeat and reports changes of the tool list from now on. */
  start(): void {
    this.#isStarted = true;
    this.#parts.fork(this.#heartbeat.run);
    this.#parts.fork(this.#feed.run);
  }

  /** Rejects as `ToolCalls` does. */
  async call({ tool, input, meta, signal, onProgress, ask, client, clientLog }: ToolCallRequest): Promise<CallResult> {
    const calls = this.#calls;
    if (calls === undefined) throw new Error("the connection is not open yet");
    const options = { signal, onProgress, headers: this.#feed.headers(tool, input) };
    const logging = clientLog === undefined ? {} : await this.#askForLog(clientLog, signal);
    const params = { name: tool, arguments: input, _meta: { ...meta, ...logging } };
    return this.#callerQuestions.runCall({ tool, client, ask, signal, clientLog }, () =>
      callUntilComplete(ask, (rounds) => calls.call({ ...params, ...rounds }, options)),
    );
  }

  /** Has the upstream send log messages of that level: for a session once, and in the stateless era by what goes with the call. */
  async #askForLog({ level }: ClientLog, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const client = this.#client;
    if (client.getProtocolEra() === "modern") return { [LOG_LEVEL_META_KEY]: level };
    const before = this.#logLevel;
    const isEnough = before !== undefined && logSeverities.indexOf(before) <= logSeverities.indexOf(level);
    if (isEnough || client.getServerCapabilities()?.logging === undefined) return {};
    this.#logLevel = level;
    const options = { signal, timeout: this.#parts.times.pingMs };
    // One that refuses is not asked with every call; one whose caller has gone was not asked.
    await client.request({ method: "logging/setLevel", params: { level } }, passThroughSchema, options).catch(() => {
      if (signal.aborted) this.#logLevel = before;
    });
    return {};
  }

  heard(): void {
    this.#heartbeat.heard();
  }

  /** Pings it until it answers or is lost. Nothing before it is started. */
  checkAlive(): void {
    if (this.#isStarted) this.#parts.fork(this.#heartbeat.probe);
  }

  close(): Promise<void> {
    return this.#client.close().catch(() => undefined);
  }

  async #ping(): Promise<PingResult> {
    const client = this.#client;
    const options = { timeout: this.#parts.times.pingMs };
    try {
      if (client.getProtocolEra() === "modern") await client.discover(options);
      else await client.request({ method: "ping" }, passThroughSchema, options);
      return "answered";
    } catch (error) {
      const end = toRequestFailure(error);
      if (end.kind === "answer") return "answered";
      if (end.kind === "silence") return "silent";
      this.#parts.broken(end);
      return "broken";
    }
  }

  get #introduction(): { name: string; version: string } {
    return { name: "fairlead", version: this.#parts.version };
  }

  #envelope(revision: string): Envelope {
    return {
      [PROTOCOL_VERSION_META_KEY]: revision,
      [CLIENT_INFO_META_KEY]: this.#introduction,
      [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    };
  }
}

const negotiation = (
  { era, transport }: UpstreamClientOptions["target"],
  { openMs, times }: Pick<UpstreamClientOptions, "openMs" | "times">,
) => ({
  versionNegotiation: {
    mode: era === "modern" ? { pin: "2026-07-28" } : era,
    ...(transport === "stdio" && { probe: { timeoutMs: era === "modern" ? openMs : stdioProbeMs(times.connectMs) } }),
  },
  inputRequired: { autoFulfill: false },
});
