/**
 * Runs the state machine: sends it inputs, carries out its actions, and keeps what else is known of each connection.
 *
 * Nothing here waits for an upstream but a call. Not here: decisions (`machine/machine.ts`), the wire (`upstream/`).
 */
import { cleanText } from "@fairlead/contracts";
import type { ChildStatus, SelfCheck } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { maskVariables } from "../config/variables.ts";
import {
  type Connection,
  type ConnectionEvent,
  type Generation,
  initialState,
  type MachineState,
} from "../machine/connection.ts";
import { type ConnectionFault, connectionRemoved, targetChanged } from "../machine/fault.ts";
import { type MachineAction, type MachineInput, step } from "../machine/machine.ts";
import { isSameTarget, type Target } from "../machine/target.ts";
import { Credentials } from "../oauth/credentials.ts";
import { type Catalogue, createCatalogue, sameTools } from "../tools/catalogue.ts";
import { createOffer, emptyOffer } from "../tools/offer.ts";
import { approvePins } from "../tools/pins.ts";
import { attemptMs } from "../upstream/attempt.ts";
import { OpenFailure } from "../upstream/observation.ts";
import { Upstream } from "../upstream/upstream.ts";
import { attemptFault } from "./attempt-fault.ts";
import { beginAttempt } from "./attempt-span.ts";
import { childStatus, drainingStatus } from "./child-status.ts";
import { connectionCheck } from "./connection-check.ts";
import { connectionLogLine } from "./event-log.ts";
import { offerNews } from "./offer-news.ts";
import type { ConnectionRecord, RegistryOptions } from "./record.ts";

interface Closing {
  readonly name: string;
  readonly since: number;
  readonly done: Promise<void>;
}

/** Characters of a program's line. */
const longestLine = 200;

/** Milliseconds that a verdict on an upstream's era is believed. An old one fails silently once the upstream has moved on. */
const priorMs = 60 * 60_000;

export class ConnectionRegistry {
  readonly #options: RegistryOptions;
  #state: MachineState = initialState;
  #catalogue: Catalogue = createCatalogue(new Map());
  readonly #records = new Map<string, ConnectionRecord>();
  readonly #upstreams = new Map<Generation, Upstream>();
  /** Names of those that were connected when they were last heard of. */
  readonly #connected = new Set<string>();
  readonly #credentials = new Map<string, { readonly target: Target; readonly credentials: Credentials }>();
  readonly #watchers = new Set<(event: ConnectionEvent) => void>();
  /** Upstreams that are being closed. */
  readonly #closing = new Map<Upstream, Closing>();

  constructor(parts: RegistryOptions) {
    this.#options = parts;
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  get names(): readonly string[] {
    return [...this.#state.connections.keys()].toSorted();
  }

  connection(name: string): Connection | undefined {
    return this.#state.connections.get(name);
  }

  record(name: string): ConnectionRecord {
    const known = this.#records.get(name) ?? { calls: 0, inFlight: 0, disabled: [], list: [], offer: emptyOffer };
    this.#records.set(name, known);
    return known;
  }

  /** The upstream of a connection, when it is connected. */
  upstream(name: string): Upstream | undefined {
    const connection = this.#state.connections.get(name);
    return connection?.phase.tag === "connected" ? this.#upstreams.get(connection.generation) : undefined;
  }

  /** What `fairlead doctor` says of connections that are not up. */
  checks(): readonly SelfCheck[] {
    return [...this.#state.connections.values()].flatMap((one) => connectionCheck(one, this.record(one.name).attempt));
  }

  /** The last line that the program of a connection wrote to its error stream, while it runs. */
  lastLine(name: string): string | undefined {
    const connection = this.#state.connections.get(name);
    const line = connection === undefined ? undefined : this.#upstreams.get(connection.generation)?.lastLine;
    return line === undefined ? undefined : cleanText(line, longestLine);
  }

  /** The processes of the upstreams, those that are still ending included. */
  children(): readonly ChildStatus[] {
    const current = this.names.flatMap((name) => {
      const connection = this.connection(name);
      if (connection?.target.transport !== "stdio") return [];
      return [childStatus(connection, this.#upstreams.get(connection.generation)?.pid)];
    });
    const ending = [...this.#closing].flatMap(([upstream, { name, since }]) =>
      upstream.pid === undefined || this.#state.connections.has(name)
        ? []
        : [drainingStatus(name, since, upstream.pid)],
    );
    return [...current, ...ending];
  }

  /** @param when `called`: not before one of its tools is */
  add(name: string, target: Target, when: "now" | "called" = "now"): void {
    const before = this.connection(name);
    const list = this.#options.lists.read(name, target);
    const isLazy = target.lazy === true && list !== undefined;
    this.#send({ on: "add", name, target, waitsForDemand: isLazy || when === "called" });
    if (list !== undefined && this.connection(name) !== before) this.#applyList(name, list);
  }

  /** False when there was none. */
  remove(name: string): boolean {
    const had = this.#state.connections.has(name);
    this.#send({ on: "remove", name });
    return had;
  }

  reconnect(name: string): void {
    this.#send({ on: "reconnect", name });
  }

  demand(name: string): void {
    this.#send({ on: "demand", name });
  }

  /** The OAuth credentials of a connection that uses them. */
  credentials(name: string, target: Target): Credentials | undefined {
    if (target.transport !== "http" || target.oauth === undefined) return undefined;
    const known = this.#credentials.get(name);
    if (known !== undefined && isSameTarget(known.target, target)) return known.credentials;
    const { folder, secrets } = this.#options;
    const credentials = new Credentials({
      folder: folder(),
      name,
      url: target.url,
      client: target.oauth,
      env: secrets.known,
    });
    this.#credentials.set(name, { target, credentials });
    return credentials;
  }

  /** Approves quarantined tools; returns their names. */
  approve(name: string, tools: readonly string[] | undefined): readonly string[] {
    const { offer, list } = this.record(name);
    const chosen = offer.quarantined.filter(({ tool }) => tools === undefined || tools.includes(tool));
    if (chosen.length === 0) return [];
    this.#options.pins.write(name, approvePins(offer.pins, chosen));
    const approved = chosen.map(({ tool }) => tool);
    this.#options.publish({ type: "Approved", name, tools: approved });
    this.#applyList(name, list);
    return approved;
  }

  /** Hides those tools, and no others that are not hidden by rules; the upstream's names. */
  disableTools(name: string, tools: readonly string[]): void {
    const known = this.record(name);
    known.disabled = tools;
    this.#applyList(name, known.list);
  }

  /** Calls back for every event of the machine until the returned function is called. */
  watch(watcher: (event: ConnectionEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Removes everything; resolves when no socket and no process is left. */
  async close(): Promise<void> {
    for (const name of this.names) this.remove(name);
    while (this.#closing.size > 0) await Promise.allSettled([...this.#closing.values()].map(({ done }) => done));
  }

  #send(input: MachineInput): void {
    const { now, random } = this.#options;
    const { state: world, actions } = step(this.#state, input, { at: now(), chance: random() });
    this.#state = world;
    for (const action of actions) this.#do(action);
  }

  #do(action: MachineAction): void {
    switch (action.do) {
      case "open":
        this.#options.replace(action.name, Effect.void);
        void this.#open(action);
        return;
      case "close": {
        const upstream = this.#upstreams.get(action.generation);
        this.#upstreams.delete(action.generation);
        if (upstream !== undefined) this.#end(action.name, upstream);
        return;
      }
      case "wake": {
        const { name, generation, at } = action;
        const wake = Effect.sync(() => this.#send({ on: "awake", generation }));
        this.#options.replace(name, Effect.delay(wake, Math.ceil(Math.max(0, at - this.#options.now()))));
        return;
      }
      case "publish":
        this.#publish(action.event);
    }
  }

  async #open({ generation, name, target }: Extract<MachineAction, { do: "open" }>): Promise<void> {
    const { secrets, childVariables, ownersFolders, scope, version, times, now } = this.#options;
    const known = this.record(name);
    const prior = known.prior !== undefined && now() - known.prior.at < priorMs ? known.prior.verdict : undefined;
    const openMs = attemptMs(target, times, known.opened !== undefined);
    const own = { ...times, connectMs: target.limits?.connectMs ?? times.connectMs };
    const span = beginAttempt(this.#options.span, { name, target, attempt: this.connection(name)?.attempt ?? 0 });
    const upstream = new Upstream(
      target,
      {
        secrets,
        childVariables,
        ownersFolders,
        scope,
        version,
        times: own,
        openMs,
        prior,
        credentials: this.credentials(name, target),
      },
      {
        lost: (fault) => this.#send({ on: "lost", generation, fault }),
        missed: () => this.#send({ on: "missed", generation }),
        heard: () => this.#send({ on: "heard", generation }),
        slow: () => this.#send({ on: "yield", generation }),
        entered: (step) => {
          if (this.connection(name)?.generation !== generation) return;
          known.attempt = { step, since: now(), limitMs: openMs };
          span?.entered(step);
        },
        tools: (list) => {
          if (this.#upstreams.get(generation) !== upstream) return;
          const tools = this.#takeUpstreamList(name, target, list);
          this.#send({ on: "refreshed", generation, tools });
        },
      },
    );
    this.#upstreams.set(generation, upstream);
    try {
      const opened = await upstream.open();
      if (this.#upstreams.get(generation) !== upstream) return span?.dropped();
      span?.connected(opened);
      known.opened = opened;
      known.prior = { verdict: opened.prior, at: prior === undefined ? now() : (known.prior?.at ?? now()) };
      const tools = this.#takeUpstreamList(name, target, opened.tools);
      this.#send({ on: "opened", generation, tools });
    } catch (error) {
      // A verdict on the era may be what was wrong; a process that died of the question may take the old opening.
      const seen = error instanceof OpenFailure ? error.seen : ({ what: "closed" } as const);
      delete known.prior;
      if (target.transport === "stdio" && seen.what === "exit" && prior === undefined) {
        known.prior = { verdict: { kind: "legacy" }, at: now() };
      }
      const failed = attemptFault(seen, known.attempt?.step, maskVariables(target, secrets.known));
      if (this.#upstreams.get(generation) === upstream) span?.failed(failed);
      else span?.dropped();
      this.#send({ on: "failed", generation, fault: failed });
    }
  }

  /** Takes a list from the upstream itself. */
  #takeUpstreamList(name: string, target: Target, list: readonly unknown[]): number {
    this.#options.lists.write(name, target, list);
    return this.#applyList(name, list);
  }

  /** Checks a list against rules and pins, and shows what passes; returns how many tools it has. */
  #applyList(name: string, list: readonly unknown[]): number {
    const { pins, publish, log, instance } = this.#options;
    const connection = this.#state.connections.get(name);
    if (connection === undefined) return 0;
    const known = this.record(name);
    const before = known.offer;
    const { tools, limits, group } = connection.target;
    const rules = { ...tools, deny: [...(tools.deny ?? []), ...known.disabled] };
    const pinned = pins.read(name);
    const offer = createOffer({ connection: name, rules, group, instance, most: limits?.tools }, pinned, list);
    known.list = list;
    known.offer = offer;
    if (Object.keys(offer.pins).length !== Object.keys(pinned).length) pins.write(name, offer.pins);
    for (const { message, tools, event } of offerNews(name, { offer: before, pins: pinned }, offer)) {
      log("warn", message, { connection: name, tools });
      publish(event);
    }
    for (const { name: tool, why } of offer.unusable) log("info", "tool not shown", { connection: name, tool, why });
    if (!sameTools(before.tools, offer.tools)) this.#rebuildCatalogue();
    this.#options.onToolsListed(name, offer.all);
    return offer.offered;
  }

  #rebuildCatalogue(): void {
    this.#catalogue = createCatalogue(new Map(this.names.map((name) => [name, this.record(name).offer.tools])));
    this.#options.toolsChanged();
  }

  #publish(event: ConnectionEvent): void {
    const { level, message, fields } = connectionLogLine(event, this.#connected.has(event.name));
    this.#options.log(level, message, fields);
    if (event.type === "Connected") this.#connected.add(event.name);
    else if (event.type !== "ToolsRefreshed") this.#connected.delete(event.name);
    switch (event.type) {
      case "Connecting": {
        this.#abandon(event.name, targetChanged);
        const { calls, inFlight, disabled, offer } = this.record(event.name);
        this.#records.set(event.name, { calls, inFlight, disabled, list: [], offer: emptyOffer });
        if (offer.tools.length > 0) this.#rebuildCatalogue();
        break;
      }
      case "Reconnecting":
      case "Blocked":
        this.record(event.name).lastProblem = { fault: event.fault, at: this.#options.now() };
        break;
      case "Removed": {
        this.#abandon(event.name, connectionRemoved);
        const { offer } = this.record(event.name);
        this.#records.delete(event.name);
        this.#options.replace(event.name, Effect.void);
        if (offer.tools.length > 0) this.#rebuildCatalogue();
        break;
      }
      case "Connected":
      case "ToolsRefreshed":
    }
    this.#options.publish(event);
    for (const watcher of this.#watchers) watcher(event);
  }

  #end(name: string, upstream: Upstream): void {
    const over = (): void => void this.#closing.delete(upstream);
    this.#closing.set(upstream, { name, since: this.#options.now(), done: upstream.close().then(over, over) });
  }

  /** Fails the open calls of upstreams that are closing. */
  #abandon(name: string, why: ConnectionFault): void {
    for (const [upstream, ending] of this.#closing) if (ending.name === name) upstream.abandon(why);
  }
}
