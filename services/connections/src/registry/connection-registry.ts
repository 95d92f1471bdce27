/**
 * Runs the state machine: gives it what happens, does what it says, and knows of each connection what the machine need not know.
 *
 * Nothing here waits for an upstream but a call that somebody made. Not here: decisions (`machine/machine.ts`), the wire (`upstream/`).
 */
import type { LogLevel } from "@fairlead/kernel/service";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import { unfilled } from "../config/variables.ts";
import { type Entry, type Event, emptyWorld, type Generation, type World } from "../machine/connection.ts";
import { classify, type Fault, ledElsewhere, removed } from "../machine/fault.ts";
import { type Action, bounds, type Input, step } from "../machine/machine.ts";
import { sameTarget, type Target } from "../machine/target.ts";
import { Credentials } from "../oauth/credentials.ts";
import type { ListStore } from "../store/list-file.ts";
import type { PinStore } from "../store/pin-file.ts";
import { type Catalogue, catalogueOf, sameTools } from "../tools/catalogue.ts";
import type { Change } from "../tools/changes.ts";
import type { Drift } from "../tools/drift.ts";
import { nothing, type Offer, offerOf } from "../tools/offer.ts";
import { approve } from "../tools/pins.ts";
import type { UpstreamTool } from "../tools/tool-list.ts";
import { OpenFailure } from "../upstream/observation.ts";
import { Upstream } from "../upstream/upstream.ts";
import type { Opened, Times } from "../upstream/upstream-client.ts";

/** Beyond the machine's own: what the pins have to tell, and what was expected. */
export type Told =
  | Event
  | { readonly type: "Approved"; readonly name: string; readonly tools: readonly string[] }
  | ({ readonly type: "Drifted"; readonly name: string; readonly importer: string } & Drift)
  | {
      readonly type: "Quarantined";
      readonly name: string;
      readonly tools: readonly string[];
      readonly changes: readonly (Change & { readonly tool: string })[];
    };

/** Changes that one event tells of. */
const mostChanges = 50;

export interface SwitchboardParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Set for every program. */
  readonly passed: Readonly<Record<string, string>>;
  /** Names this kernel to others that relay its tools back. */
  readonly instance: string;
  /** To introduce ourselves with. */
  readonly version: string;
  readonly times: Times;
  /** Milliseconds since the epoch, on a clock that never goes back. */
  readonly now: () => number;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  readonly pins: PinStore;
  /** What lazy upstreams have listed before. */
  readonly lists: ListStore;
  /** The service's own folder, made when it is first needed. */
  readonly folder: () => string;
  readonly tell: (event: Told) => void;
  /** An upstream has told its tools. */
  readonly listed: (name: string, present: readonly UpstreamTool[]) => void;
  /** The list of tools that clients see has changed. */
  readonly toolsChanged: () => void;
  readonly log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What is known of a connection besides its state. */
export interface Knowledge {
  calls: number;
  /** Calls under way. */
  inFlight: number;
  opened?: Pick<Opened, "era" | "revision" | "server">;
  /** The latest trouble, with when. */
  trouble?: { readonly fault: Fault; readonly at: number };
  list: readonly unknown[];
  offer: Offer;
  prior?: { readonly verdict: PriorDiscovery; readonly at: number };
}

/** Milliseconds that a verdict on an upstream's era is believed. An old one fails silently once the upstream has moved on. */
const verdictMs = 60 * 60_000;

export class Switchboard {
  readonly #parts: SwitchboardParts;
  #world: World = emptyWorld;
  #catalogue: Catalogue = catalogueOf(new Map());
  readonly #known = new Map<string, Knowledge>();
  readonly #lives = new Map<Generation, Upstream>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #credentials = new Map<string, { readonly target: Target; readonly credentials: Credentials }>();
  readonly #watchers = new Set<(event: Event) => void>();
  /** Lives that end, with whose they were. */
  readonly #endings = new Map<Upstream, { readonly name: string; readonly done: Promise<void> }>();

  constructor(parts: SwitchboardParts) {
    this.#parts = parts;
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  get names(): readonly string[] {
    return [...this.#world.entries.keys()].toSorted();
  }

  entry(name: string): Entry | undefined {
    return this.#world.entries.get(name);
  }

  knowledge(name: string): Knowledge {
    const known = this.#known.get(name) ?? { calls: 0, inFlight: 0, list: [], offer: nothing };
    this.#known.set(name, known);
    return known;
  }

  /** The life that serves a connection now, when it is connected. */
  life(name: string): Upstream | undefined {
    const entry = this.#world.entries.get(name);
    return entry?.phase.tag === "connected" ? this.#lives.get(entry.generation) : undefined;
  }

  add(name: string, target: Target): void {
    const before = this.entry(name);
    const list = target.lazy ? this.#parts.lists.of(name, target) : undefined;
    this.#send({ on: "add", name, target, rests: list !== undefined });
    if (list !== undefined && this.entry(name) !== before) this.#takeList(name, list);
  }

  /** False when there was none. */
  remove(name: string): boolean {
    const had = this.#world.entries.has(name);
    this.#send({ on: "remove", name });
    return had;
  }

  reconnect(name: string): void {
    this.#send({ on: "reconnect", name });
  }

  demand(name: string): void {
    this.#send({ on: "demand", name });
  }

  /** What OAuth has given for a connection that wants it. */
  credentials(name: string, target: Target): Credentials | undefined {
    if (target.transport !== "http" || target.oauth === undefined) return undefined;
    const known = this.#credentials.get(name);
    if (known !== undefined && sameTarget(known.target, target)) return known.credentials;
    const { folder, env } = this.#parts;
    const credentials = new Credentials({ folder: folder(), name, url: target.url, client: target.oauth, env });
    this.#credentials.set(name, { target, credentials });
    return credentials;
  }

  /** Approves what is kept back; gives the names of what was. */
  approve(name: string, tools: readonly string[] | undefined): readonly string[] {
    const { offer, list } = this.knowledge(name);
    const chosen = offer.quarantined.filter(({ tool }) => tools === undefined || tools.includes(tool));
    if (chosen.length === 0) return [];
    this.#parts.pins.keep(name, approve(offer.pins, chosen));
    const approved = chosen.map(({ tool }) => tool);
    this.#parts.tell({ type: "Approved", name, tools: approved });
    this.#takeList(name, list);
    return approved;
  }

  /** Calls back for every event of the machine until the function it gives is called. */
  watch(watcher: (event: Event) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Removes everything; resolves when no socket and no process is left. */
  async close(): Promise<void> {
    for (const name of this.names) this.remove(name);
    while (this.#endings.size > 0) await Promise.allSettled([...this.#endings.values()].map(({ done }) => done));
  }

  #send(input: Input): void {
    const { now, random } = this.#parts;
    const { world, actions } = step(this.#world, input, { at: now(), chance: random() });
    this.#world = world;
    for (const action of actions) this.#do(action);
  }

  #do(action: Action): void {
    switch (action.do) {
      case "open":
        this.#stopTimer(action.name);
        void this.#open(action);
        return;
      case "close": {
        const life = this.#lives.get(action.generation);
        this.#lives.delete(action.generation);
        if (life !== undefined) this.#end(action.name, life);
        return;
      }
      case "wake": {
        this.#stopTimer(action.name);
        const { generation } = action;
        const wake = (): void => this.#send({ on: "awake", generation });
        this.#timers.set(action.name, setTimeout(wake, Math.ceil(Math.max(0, action.at - this.#parts.now()))).unref());
        return;
      }
      case "tell":
        this.#tell(action.event);
    }
  }

  async #open({ generation, name, target }: Extract<Action, { do: "open" }>): Promise<void> {
    const { env, passed, version, times, now } = this.#parts;
    const known = this.knowledge(name);
    const prior = known.prior !== undefined && now() - known.prior.at < verdictMs ? known.prior.verdict : undefined;
    const life = new Upstream(
      target,
      { env, passed, version, times, prior, credentials: this.credentials(name, target) },
      {
        lost: (fault) => this.#send({ on: "lost", generation, fault }),
        missed: () => this.#send({ on: "missed", generation }),
        heard: () => this.#send({ on: "heard", generation }),
        tools: (list) => {
          if (this.#lives.get(generation) !== life) return;
          const tools = this.#learn(name, target, list);
          this.#send({ on: "refreshed", generation, tools });
        },
      },
    );
    this.#lives.set(generation, life);
    const yielding = setTimeout(() => this.#send({ on: "yield", generation }), bounds.yieldMs).unref();
    try {
      const opened = await life.open();
      if (this.#lives.get(generation) !== life) return;
      known.opened = opened;
      known.prior = { verdict: opened.prior, at: prior === undefined ? now() : (known.prior?.at ?? now()) };
      const tools = this.#learn(name, target, opened.tools);
      this.#send({ on: "opened", generation, tools });
    } catch (error) {
      // A verdict on the era may be what was wrong; a process that died of the question may take the old opening.
      const seen = error instanceof OpenFailure ? error.seen : ({ what: "closed" } as const);
      delete known.prior;
      if (target.transport === "stdio" && seen.what === "exit" && prior === undefined) {
        known.prior = { verdict: { kind: "legacy" }, at: now() };
      }
      const fault = classify(seen);
      const shown = unfilled(target, env);
      this.#send({ on: "failed", generation, fault: { ...fault, message: shown(fault.message) } });
    } finally {
      clearTimeout(yielding);
    }
  }

  /** Takes a list that the upstream itself has given. */
  #learn(name: string, target: Target, list: readonly unknown[]): number {
    if (target.lazy) this.#parts.lists.keep(name, target, list);
    return this.#takeList(name, list);
  }

  /** Judges a list and shows what may be shown; gives how many those are. */
  #takeList(name: string, list: readonly unknown[]): number {
    const { pins, tell, log, instance } = this.#parts;
    const entry = this.#world.entries.get(name);
    if (entry === undefined) return 0;
    const known = this.knowledge(name);
    const before = known.offer;
    const offer = offerOf({ connection: name, rules: entry.target.tools, instance }, pins.of(name), list);
    known.list = list;
    known.offer = offer;
    if (Object.keys(offer.pins).length !== Object.keys(pins.of(name)).length) pins.keep(name, offer.pins);
    const waiting = new Set(before.quarantined.map(({ found }) => found));
    const fresh = offer.quarantined.filter(({ found }) => !waiting.has(found));
    if (fresh.length > 0) {
      const tools = fresh.map(({ tool }) => tool);
      log("warn", "tool definitions changed and are kept back", { connection: name, tools });
      const changes = fresh.flatMap((each) => each.changes.map((change) => ({ tool: each.tool, ...change })));
      tell({ type: "Quarantined", name, tools, changes: changes.slice(0, mostChanges) });
    }
    for (const { name: tool, why } of offer.left) log("info", "tool not shown", { connection: name, tool, why });
    if (!sameTools(before.tools, offer.tools)) this.#recatalogue();
    this.#parts.listed(name, offer.present);
    return offer.tools.length;
  }

  #recatalogue(): void {
    this.#catalogue = catalogueOf(new Map(this.names.map((name) => [name, this.knowledge(name).offer.tools])));
    this.#parts.toolsChanged();
  }

  #tell(event: Event): void {
    switch (event.type) {
      case "Connecting": {
        this.#abandon(event.name, ledElsewhere);
        const { calls, inFlight, offer } = this.knowledge(event.name);
        this.#known.set(event.name, { calls, inFlight, list: [], offer: nothing });
        if (offer.tools.length > 0) this.#recatalogue();
        break;
      }
      case "Reconnecting":
      case "Blocked":
        this.knowledge(event.name).trouble = { fault: event.fault, at: this.#parts.now() };
        break;
      case "Removed": {
        this.#abandon(event.name, removed);
        const { offer } = this.knowledge(event.name);
        this.#known.delete(event.name);
        this.#stopTimer(event.name);
        if (offer.tools.length > 0) this.#recatalogue();
        break;
      }
      case "Connected":
      case "ToolsRefreshed":
    }
    this.#parts.tell(event);
    for (const watcher of this.#watchers) watcher(event);
  }

  #stopTimer(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  #end(name: string, life: Upstream): void {
    const over = (): void => void this.#endings.delete(life);
    this.#endings.set(life, { name, done: life.close().then(over, over) });
  }

  /** Nothing of what a connection was is left, not even calls that might still be answered. */
  #abandon(name: string, why: Fault): void {
    for (const [life, ending] of this.#endings) if (ending.name === name) life.abandon(why);
  }
}
