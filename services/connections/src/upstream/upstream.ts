/**
 * One generation of a connection to an MCP server, in either era, over HTTP or a process: opened once, used, closed once.
 *
 * It reports the loss of the connection before any caller's call fails. Not here: the protocol (`upstream-client.ts`), what to do about
 * a loss (`machine/machine.ts`), which tools are shown (`tools/tool-list.ts`).
 */

import { cleanText } from "@fairlead/contracts";
import type { InsufficientScopeError, PriorDiscovery } from "@modelcontextprotocol/client";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { Secrets } from "../config/secrets.ts";
import { type ConnectionFault, type ConnectStep, classify } from "../machine/fault.ts";
import { bounds } from "../machine/machine.ts";
import type { Target } from "../machine/target.ts";
import type { Credentials } from "../oauth/credentials.ts";
import { mayInstall } from "./attempt.ts";
import { CallFailure, type ToolCallRequest } from "./call-failure.ts";
import type { CallResult } from "./call-result.ts";
import { HttpTransport } from "./http-transport.ts";
import { OpenFailure, observeOpenFailure, type RequestFailure, toRequestFailure } from "./observation.ts";
import { isOlderPossible, type SseTransport } from "./sse-transport.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { TransportFactory } from "./transport-factory.ts";
import { type ConnectionTimes, UpstreamClient, type UpstreamInfo } from "./upstream-client.ts";

/** Who is informed of its changes. */
interface UpstreamListener {
  /** The connection is lost. Called once, and before any caller's call fails for it. */
  lost(fault: ConnectionFault): void;
  /** Its list of tools has changed. */
  tools(list: readonly unknown[]): void;
  /** A ping went unanswered; it will be pinged again at once. */
  missed(): void;
  /** A ping was answered again after a miss. */
  heard(): void;
  /** It is not open after `yieldMs`, and still being opened. */
  slow(): void;
  /** The attempt has come to this step. */
  entered(step: ConnectStep): void;
}

interface UpstreamOptions {
  /** What variables stand for. */
  readonly secrets: Secrets;
  /** Variables set for every program, in addition to its target's. */
  readonly childVariables: Readonly<Record<string, string>>;
  /** Folders of the kernel's owner, which no sandbox shows. */
  readonly ownersFolders: () => readonly string[];
  /** Owns what each upstream runs, its process included. */
  readonly scope: Scope.Scope;
  readonly version: string;
  readonly times: ConnectionTimes;
  /** Milliseconds for the attempt to open it. */
  readonly openMs: number;
  /** What an earlier generation found out about the era. */
  readonly prior: PriorDiscovery | undefined;
  /** Where its tokens are, when they are had by OAuth. */
  readonly credentials: Credentials | undefined;
}

const notOpen = classify({ what: "closed" });
const terminateMs = 1_000;
const longestScope = 300;

export class Upstream {
  readonly #target: Target;
  readonly #options: UpstreamOptions;
  readonly #listener: UpstreamListener;
  readonly #factory: TransportFactory;
  #transport: HttpTransport | SseTransport | StdioTransport | undefined;
  /** Once it is connected. */
  #client: UpstreamClient | undefined;
  #opening = true;
  #closing: Promise<void> | undefined;
  #fault: ConnectionFault | undefined;
  #lingers = false;
  #inFlight = 0;
  #idle: (() => void) | undefined;
  /** The heartbeat and the subscription, for as long as the connection is of use. */
  readonly #watching: Scope.Closeable;

  constructor(target: Target, options: UpstreamOptions, hooks: UpstreamListener) {
    this.#target = target;
    this.#options = options;
    this.#listener = hooks;
    const onProgramStep = (step: "started" | "spoke"): void => {
      if (this.#opening) hooks.entered(step === "started" && mayInstall(target) ? "install" : "handshake");
    };
    this.#factory = new TransportFactory(target, { ...options, connectMs: options.openMs, onProgramStep });
    this.#watching = Scope.forkUnsafe(options.scope);
  }

  /** The process that it talks to, while there is one. */
  get pid(): number | undefined {
    return this.#transport instanceof StdioTransport ? (this.#transport.pid ?? undefined) : undefined;
  }

  /** The last line that its program wrote to its error stream. */
  get lastLine(): string | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.lastLine : undefined;
  }

  /** Connects and lists the tools. Rejects with what was seen; then it must still be closed. */
  open(): Promise<UpstreamInfo> {
    const { openMs } = this.#options;
    const connecting = Effect.tryPromise({ try: () => this.#connect(), catch: (error) => this.#toOpenFailure(error) });
    const orElse = () => Effect.fail(new OpenFailure({ what: "timeout", ms: openMs, opening: true }));
    const opened = Effect.timeoutOrElse(connecting, { duration: openMs, orElse });
    const slow = Effect.delay(Effect.sync(this.#listener.slow), bounds.yieldMs);
    return Effect.runPromise(Effect.raceFirst(opened, Effect.andThen(slow, Effect.never)));
  }

  #toOpenFailure(error: unknown): OpenFailure {
    if (error instanceof OpenFailure) return error;
    const failure = toRequestFailure(error);
    if (failure.kind === "scope") return new OpenFailure({ what: "scope", scope: this.#wider(failure.error) });
    return new OpenFailure(observeOpenFailure(error, this.#transport?.lastSeen, this.#options.openMs));
  }

  async #connect(): Promise<UpstreamInfo> {
    const hooks = this.#listener;
    hooks.entered(this.#target.transport === "http" ? "connect" : "start");
    const transport = await this.#factory.open(() => this.#opening);
    if (transport instanceof HttpTransport) hooks.entered("handshake");
    const { era } = this.#target;
    try {
      return await this.#talkOver(transport, this.#target);
    } catch (error) {
      const older = era === "modern" || !isOlderPossible(transport.lastSeen) ? undefined : this.#factory.openOlder();
      if (older === undefined) throw error;
      const seen = transport.lastSeen;
      await this.#client?.close();
      // What the newer transport has seen says more, where the older one is not there either.
      return await this.#talkOver(older, { ...this.#target, era: "legacy" }).catch((second: unknown) => {
        throw older.isFound || seen === undefined ? second : new OpenFailure(seen);
      });
    }
  }

  async #talkOver(transport: HttpTransport | SseTransport | StdioTransport, target: Target): Promise<UpstreamInfo> {
    const { times, openMs, prior, version } = this.#options;
    const hooks = this.#listener;
    this.#transport = transport;
    const talk = new UpstreamClient({
      target,
      times,
      openMs,
      version,
      agreed: () => hooks.entered("tools"),
      tools: (list) => hooks.tools(list),
      missed: () => hooks.missed(),
      heard: () => hooks.heard(),
      broken: (end) => this.#lose(this.#faultIn(end)),
      closed: () => this.#lose(classify(transport.lastSeen ?? { what: "closed" })),
      fork: (work) => void Effect.runFork(Effect.forkIn(work, this.#watching)),
    });
    this.#client = talk;
    const opened = await talk.open(transport, target.era === "auto" ? prior : undefined);
    this.#opening = false;
    talk.start();
    return opened;
  }

  /** Calls a tool. Rejects with a `CallFailure`, or with the signal's reason. */
  async call(parts: ToolCallRequest): Promise<CallResult> {
    const talk = this.#client;
    if (talk === undefined || this.#fault !== undefined) {
      throw new CallFailure({ kind: "transport", fault: this.#fault ?? notOpen, sent: false });
    }
    this.#inFlight += 1;
    try {
      const result = await talk.call(parts);
      talk.heard();
      return result;
    } catch (error) {
      throw this.#toCallFailure(error, talk, parts.signal);
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#idle?.();
    }
  }

  #toCallFailure(error: unknown, talk: UpstreamClient, signal: AbortSignal): unknown {
    if (signal.aborted) {
      if (isDeadlineExceeded(signal.reason)) talk.checkAlive();
      return signal.reason;
    }
    const end = toRequestFailure(error);
    if (end.kind === "answer" || end.kind === "scope" || end.kind === "question") talk.heard();
    if (end.kind === "answer" || end.kind === "question") return new CallFailure(end);
    if (end.kind === "scope") return new CallFailure({ kind: "scope", scope: this.#wider(end.error) });
    const fault = this.#faultIn(end);
    // What breaks one exchange need not break the others: they end by themselves.
    this.#lingers = this.#transport instanceof HttpTransport;
    this.#lose(fault);
    const sent = end.kind !== "broken" || end.sent;
    return new CallFailure({ kind: "transport", fault: this.#fault ?? fault, sent });
  }

  /** The scope that the upstream requires in addition; the next login requests it. */
  #wider({ requiredScope: scope = "", resourceMetadataUrl }: InsufficientScopeError): string {
    const { credentials } = this.#options;
    if (credentials !== undefined) {
      credentials.challenge = { scope, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
    }
    return cleanText(scope, longestScope);
  }

  /** Inside a session a status has another meaning. */
  #faultIn(end: RequestFailure): ConnectionFault {
    if (end.kind !== "broken") return classify({ what: "closed" });
    const { seen } = end;
    if (seen.what !== "status") return classify(seen);
    const session = this.#transport instanceof HttpTransport && this.#transport.sessionId !== undefined;
    const last = this.#transport?.lastSeen;
    const more = last?.what === "status" && last.status === seen.status ? last : {};
    return classify({ ...more, ...seen, session });
  }

  /** Does not wait any more for calls that may still be answered: they fail for that reason. */
  abandon(why: ConnectionFault): void {
    this.#fault = why;
    this.#lingers = false;
    this.#idle?.();
  }

  /** Ends it. With calls of its own under way that may still be answered, when the last of them is. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#stopWatching();
    if (this.#lingers && this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    const transport = this.#transport;
    this.#fault ??= classify({ what: "closed" });
    if (transport instanceof HttpTransport && transport.sessionId !== undefined && !this.#lingers) {
      const terminated = Effect.ignore(Effect.tryPromise(() => transport.terminateSession()));
      await Effect.runPromise(Effect.timeoutOption(terminated, terminateMs));
    }
    await this.#client?.close();
    await transport?.close().catch(() => undefined);
    this.#factory.close();
  }

  #lose(fault: ConnectionFault): void {
    if (this.#fault !== undefined || this.#opening) return;
    this.#fault = fault;
    void this.#stopWatching();
    this.#listener.lost(fault);
  }

  /** No more pings and no more changes of the list; open calls go on. */
  #stopWatching(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#watching, Exit.void));
  }
}

/** The call's time ran out, which may be the upstream's fault; that its caller gave up is not. */
const isDeadlineExceeded = (reason: unknown): boolean =>
  (reason instanceof Error && reason.name === "TimeoutError") ||
  (typeof reason === "object" && reason !== null && "code" in reason && reason.code === "deadline_exceeded");
