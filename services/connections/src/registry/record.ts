/** What the registry keeps of each connection, what it is made with, and the events that it publishes. Not here: what it does (`connection-registry.ts`). */
import type { Host, LogLevel } from "@fairlead/kernel/service";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import type { Secrets } from "../config/secrets.ts";
import type { ConnectionEvent } from "../machine/connection.ts";
import type { ConnectionFault, ConnectStep } from "../machine/fault.ts";
import type { ListStore } from "../store/list-file.ts";
import type { PinStore } from "../store/pin-file.ts";
import type { Drift } from "../tools/drift.ts";
import type { ToolOffer } from "../tools/offer.ts";
import type { UpstreamTool } from "../tools/tool-list.ts";
import type { ConnectionTimes, UpstreamInfo } from "../upstream/upstream-client.ts";
import type { OfferEvent } from "./offer-news.ts";

/** The machine's events, and more: what the pins have to publish, and what was expected. */
export type RegistryEvent =
  | ConnectionEvent
  | OfferEvent
  | { readonly type: "Approved"; readonly name: string; readonly tools: readonly string[] }
  | ({ readonly type: "Drifted"; readonly name: string; readonly importer: string } & Drift);

export interface RegistryOptions {
  readonly secrets: Secrets;
  /** Set for every program. */
  readonly childVariables: Readonly<Record<string, string>>;
  /** Folders of the kernel's owner, which no sandbox shows. */
  readonly ownersFolders: () => readonly string[];
  /** Owns what upstreams run: the service's run, when it ends, leaves no process. */
  readonly scope: Scope;
  /** Runs an Effect for a connection in place of the one that was run for it before. */
  readonly replace: (name: string, work: Effect.Effect<void>) => void;
  /** Names this kernel to others that relay its tools back. */
  readonly instance: string;
  /** To introduce ourselves with. */
  readonly version: string;
  readonly times: ConnectionTimes & { readonly firstConnectMs: number };
  /** Milliseconds since the epoch, on a clock that never goes back. */
  readonly now: () => number;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  readonly pins: PinStore;
  /** What upstreams have listed before. */
  readonly lists: ListStore;
  /** The service's own folder, made when it is first needed. */
  readonly folder: () => string;
  readonly publish: (event: RegistryEvent) => void;
  /** An upstream has listed its tools. */
  readonly onToolsListed: (name: string, present: readonly UpstreamTool[]) => void;
  /** The list of tools that clients see has changed. */
  readonly toolsChanged: () => void;
  /** Begins a span that is of no call; nothing while no one wants spans. */
  readonly span: Host["span"];
  readonly log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What is known of a connection in addition to its state. */
export interface ConnectionRecord {
  calls: number;
  /** Calls under way. */
  inFlight: number;
  /** Tools that a person has hidden; the upstream's names. */
  disabled: readonly string[];
  opened?: Pick<UpstreamInfo, "era" | "revision" | "server">;
  /** The latest fault, and when it happened. */
  lastProblem?: { readonly fault: ConnectionFault; readonly at: number };
  /** The latest attempt to connect: the step that it has come to, since when, and the milliseconds that it has in all. */
  attempt?: { readonly step: ConnectStep; readonly since: number; readonly limitMs: number };
  list: readonly unknown[];
  offer: ToolOffer;
  prior?: { readonly verdict: PriorDiscovery; readonly at: number };
}
