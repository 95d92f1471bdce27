/**
 * One life of a connection to an MCP server, in either era, over HTTP or a process: opened once, used, closed once.
 *
 * It reports the first sign of trouble before any caller hears of it, and pings only when nothing else is heard. Tool results pass
 * through as they came. Not here: what to do about trouble (`core/machine.ts`), which tools are shown (`core/tool-list.ts`).
 */
import {
  Client,
  InsufficientScopeError,
  type McpSubscription,
  type PriorDiscovery,
  ProtocolError,
} from "@modelcontextprotocol/client";
import { cleanText } from "../core/clean-text.ts";
import { classify, type Fault, type Observed } from "../core/fault.ts";
import type { Target } from "../core/target.ts";
import { asItIs } from "./as-it-is.ts";
import { Askers, capabilities, type Rounds, untilAnswered } from "./asking.ts";
import { CallFailure, type CallParts } from "./call-failure.ts";
import type { Credentials } from "./credentials.ts";
import { HttpTransport, streamEnded } from "./http-transport.ts";
import { BadAnswer, isTimeout, OpenFailure, whyCallFailed, whyNotOpened } from "./observation.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import { listTools, mirroredIn, withoutBadHeaders } from "./tool-pages.ts";
import { Way } from "./way.ts";
import { WebError } from "./web-request.ts";

export type Era = "legacy" | "modern";

/** What is known of an upstream once it is open. */
export interface Opened {
  readonly era: Era;
  /** Protocol revision, like `2025-11-25`. */
  readonly revision: string;
  /** What the upstream calls itself. */
  readonly server: string;
  readonly tools: readonly unknown[];
  /** The verdict on its era, to open the next life faster. */
  readonly prior: PriorDiscovery;
}

/** Whom it tells. */
export interface UpstreamHooks {
  /** It is of no use any more. Told once, and before any caller's call fails for it. */
  lost(fault: Fault): void;
  /** Its list of tools has changed. */
  tools(list: readonly unknown[]): void;
  /** A ping went unanswered; it will be pinged again at once. */
  missed(): void;
  heard(): void;
}

export interface UpstreamOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Set for every program besides what its target says. */
  readonly passed: Readonly<Record<string, string>>;
  readonly version: string;
  readonly times: Times;
  /** What an earlier life found out about the era. */
  readonly prior: PriorDiscovery | undefined;
  /** Where its tokens are, when they are had by OAuth. */
  readonly credentials: Credentials | undefined;
}

/** Milliseconds. */
export interface Times {
  /** Until it must be open, tools listed. */
  readonly connectMs: number;
  /** Of quiet, until a ping. */
  readonly idleMs: number;
  /** Until a ping must be answered. */
  readonly pingMs: number;
}

export const defaultTimes: Times = { connectMs: 10_000, idleMs: 15_000, pingMs: 3_000 };

/** Milliseconds a stdio server may be silent about the new era's question before it is taken for an old one. */
const stdioProbeMs = 2_000;
const listenAgainMs = 5_000;
const partingMs = 1_000;
/** Characters of what an upstream calls itself. */
const longestName = 120;
const longestScope = 300;
/** The SDK wants a time limit; ours is the call's own. */
const noLimitMs = 2_147_483_647;

export class Upstream {
  readonly #target: Target;
  readonly #options: UpstreamOptions;
  readonly #hooks: UpstreamHooks;
  readonly #askers = new Askers();
  #made: Client | undefined;
  readonly #way: Way;
  #transport: HttpTransport | StdioTransport | undefined;
  #subscription: McpSubscription | undefined;
  #opening = true;
  #closing: Promise<void> | undefined;
  #fault: Fault | undefined;
  #lingers = false;
  #inFlight = 0;
  #idle: (() => void) | undefined;
  #heardAt = performance.now();
  #pulse: NodeJS.Timeout | undefined;
  #probing = false;
  #listing = false;
  #listAgain = false;
  #mirrored: ReturnType<typeof mirroredIn> = new Map();

  constructor(target: Target, options: UpstreamOptions, hooks: UpstreamHooks) {
    this.#target = target;
    this.#options = options;
    this.#hooks = hooks;
    this.#way = new Way(target, options);
  }

  /** Made once somebody is there to talk to. */
  get #client(): Client {
    this.#made ??= this.#makeClient();
    return this.#made;
  }

  #makeClient(): Client {
    const { era, transport } = this.#target;
    const mode = era === "modern" ? { pin: "2026-07-28" } : era;
    const probe = transport === "stdio" ? { probe: { timeoutMs: stdioProbeMs } } : {};
    const client = new Client(
      { name: "fairlead", version: this.#options.version },
      { capabilities, versionNegotiation: { mode, ...probe }, inputRequired: { autoFulfill: false } },
    );
    client.onclose = () => this.#lose(classify(this.#transport?.lastSeen ?? { what: "closed" }));
    client.onerror = (error) => {
      if (/^SSE stream disconnected/.test(error.message)) void this.suspect();
    };
    this.#askers.serve(client);
    client.setNotificationHandler("notifications/tools/list_changed", () => this.#refresh());
    return client;
  }

  /** Connects and lists the tools. Rejects with what was seen; then it must still be closed. */
  async open(): Promise<Opened> {
    const { connectMs } = this.#options.times;
    const expired = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => expired.reject(new OpenFailure({ what: "timeout", ms: connectMs, opening: true })),
      connectMs,
    );
    try {
      return await Promise.race([this.#connect(), expired.promise]);
    } catch (error) {
      if (error instanceof OpenFailure) throw error;
      const scope = this.#wider(error);
      if (scope !== undefined) throw new OpenFailure({ what: "scope", scope });
      throw new OpenFailure(whyNotOpened(error, this.#transport?.lastSeen, connectMs));
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(): Promise<Opened> {
    const { times, prior } = this.#options;
    const transport = await this.#way.open(() => this.#opening);
    this.#transport = transport;
    const client = this.#client;
    const known = this.#target.era === "auto" ? prior : undefined;
    await client.connect(transport, { timeout: times.connectMs, ...(known !== undefined && { prior: known }) });
    const tools = await this.#list();
    // Known from before and without tools: nobody has answered yet.
    if (known?.kind === "modern" && tools.length === 0) await client.discover({ timeout: times.connectMs });
    this.#opening = false;
    this.#pulse = setInterval(() => this.#beat(), times.idleMs).unref();
    const era = client.getProtocolEra() ?? "legacy";
    if (era === "modern") void this.#listen();
    const discover = client.getDiscoverResult();
    const server = client.getServerVersion();
    return {
      era,
      revision: client.getNegotiatedProtocolVersion() ?? "",
      server: server === undefined ? "" : cleanText(`${server.name} ${server.version}`, longestName),
      tools,
      prior: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover },
    };
  }

  /** Calls a tool. Rejects with a `CallFailure`, or with the signal's reason. */
  async call({ tool, input, meta, signal, onProgress, ask }: CallParts): Promise<unknown> {
    if (this.#fault !== undefined) throw new CallFailure({ kind: "transport", fault: this.#fault, sent: false });
    this.#inFlight += 1;
    const options = {
      signal,
      timeout: noLimitMs,
      allowInputRequired: true,
      ...(onProgress !== undefined && { onprogress: passing(onProgress) }),
    };
    const mirrored = this.#mirrored.get(tool);
    const send = (rounds: Rounds): Promise<unknown> => {
      const params = { name: tool, arguments: { ...input }, _meta: meta, ...rounds };
      if (mirrored === undefined) return this.#client.request({ method: "tools/call", params }, asItIs, options);
      const toolDefinition = { name: tool, inputSchema: { ...mirrored, type: "object" as const } };
      return this.#client.callTool(params, { ...options, toolDefinition });
    };
    try {
      const result = await this.#askers.during(ask, () => untilAnswered(ask, send));
      this.#heard();
      return result;
    } catch (error) {
      throw this.#failureOf(error, signal);
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#idle?.();
    }
  }

  #failureOf(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) {
      if (isLate(signal.reason)) void this.suspect();
      return signal.reason;
    }
    const scope = this.#wider(error);
    if (scope !== undefined) {
      this.#heard();
      return new CallFailure({ kind: "scope", scope });
    }
    const ended = error instanceof ProtocolError && error.data === streamEnded;
    if (error instanceof ProtocolError && !ended) {
      this.#heard();
      return new CallFailure({ kind: "answer", code: error.code, message: error.message });
    }
    const seen: Observed | undefined = ended ? { what: "closed" } : whyCallFailed(error);
    if (seen === undefined) {
      return new CallFailure({ kind: "answer", code: -32_603, message: "the upstream's result could not be read" });
    }
    const fault = classify(this.#placed(seen));
    // What breaks one exchange need not break the others: they end by themselves.
    this.#lingers = this.#target.transport === "http";
    this.#lose(fault);
    return new CallFailure({ kind: "transport", fault: this.#fault ?? fault, sent: wasSent(error) });
  }

  /** The rights that an upstream has said it wants besides; the next login asks for them. */
  #wider(error: unknown): string | undefined {
    if (!(error instanceof InsufficientScopeError)) return undefined;
    const { requiredScope: scope = "", resourceMetadataUrl } = error;
    const { credentials } = this.#options;
    if (credentials !== undefined) {
      credentials.challenge = { scope, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
    }
    return cleanText(scope, longestScope);
  }

  /** A status means another thing inside a session. */
  #placed(seen: Observed): Observed {
    const session = this.#transport instanceof HttpTransport && this.#transport.sessionId !== undefined;
    return seen.what === "status" ? { ...seen, session } : seen;
  }

  /** Asks whether it is still there, as often as the machine wants to know. */
  async suspect(): Promise<void> {
    if (this.#probing || this.#opening) return;
    this.#probing = true;
    try {
      while (this.#fault === undefined && this.#closing === undefined) {
        if (await this.#ping()) return;
        if (this.#fault === undefined) this.#hooks.missed();
      }
    } finally {
      this.#probing = false;
    }
  }

  async #ping(): Promise<boolean> {
    const options = { timeout: this.#options.times.pingMs };
    try {
      if (this.#client.getProtocolEra() === "modern") await this.#client.discover(options);
      else await this.#client.request({ method: "ping" }, asItIs, options);
      this.#heard();
      return true;
    } catch (error) {
      if (error instanceof ProtocolError && error.data !== streamEnded) {
        this.#heard();
        return true;
      }
      if (isTimeout(error)) return false;
      const seen = whyCallFailed(error) ?? { what: "closed" };
      this.#lose(classify(this.#placed(seen)));
      return false;
    }
  }

  #beat(): void {
    if (this.#inFlight > 0 || performance.now() - this.#heardAt < this.#options.times.idleMs) return;
    void this.suspect();
  }

  #heard(): void {
    this.#heardAt = performance.now();
    this.#hooks.heard();
  }

  /** Does not wait any more for calls that may still be answered. */
  abandon(): void {
    this.#lingers = false;
    this.#idle?.();
  }

  /** Ends it. With calls of its own under way that may still be answered, when the last of them is. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#pulse);
    if (this.#lingers && this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    const transport = this.#transport;
    this.#fault ??= classify({ what: "closed" });
    if (transport instanceof HttpTransport && transport.sessionId !== undefined && !this.#lingers) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, partingMs).unref());
      await Promise.race([transport.terminateSession().catch(() => undefined), late]);
    }
    await this.#subscription?.close().catch(() => undefined);
    await this.#made?.close().catch(() => undefined);
    await transport?.close().catch(() => undefined);
    this.#way.close();
  }

  #lose(fault: Fault): void {
    if (this.#fault !== undefined || this.#opening) return;
    this.#fault = fault;
    this.#hooks.lost(fault);
  }

  async #list(): Promise<readonly unknown[]> {
    const { connectMs } = this.#options.times;
    const listed = await listTools(this.#client, connectMs);
    const isHttp = this.#target.transport === "http";
    const tools = isHttp ? await withoutBadHeaders(this.#client, listed, connectMs) : listed;
    this.#mirrored = mirroredIn(tools);
    return tools;
  }

  /** Lists the tools again; a change meanwhile means once more. */
  async #refresh(): Promise<void> {
    this.#listAgain = true;
    if (this.#listing || this.#opening) return;
    this.#listing = true;
    try {
      while (this.#listAgain && this.#fault === undefined) {
        this.#listAgain = false;
        this.#hooks.tools(await this.#list());
      }
    } catch (error) {
      if (!(error instanceof BadAnswer)) void this.suspect();
    } finally {
      this.#listing = false;
    }
  }

  /** In the new era changes are told on a stream that has to be asked for. */
  async #listen(): Promise<void> {
    if (this.#client.getServerCapabilities()?.tools?.listChanged !== true || this.#fault !== undefined) return;
    try {
      this.#subscription = await this.#client.listen({ toolsListChanged: true });
      const how = await this.#subscription.closed;
      if (how === "local") return;
      await this.suspect();
    } catch {
      await this.suspect();
    }
    if (this.#fault === undefined && this.#closing === undefined) {
      setTimeout(() => void this.#listen(), listenAgainMs).unref();
    }
  }
}

/** The call's time ran out, which may be the upstream's fault; that its caller gave up is not. */
const isLate = (reason: unknown): boolean =>
  typeof reason === "object" && reason !== null && "code" in reason && reason.code === "deadline_exceeded";

const passing =
  (to: NonNullable<CallParts["onProgress"]>) =>
  ({
    progress,
    total,
    message,
  }: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }): void =>
    to({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });

const wasSent = (error: unknown): boolean => !(error instanceof WebError) || error.sent;
