/**
 * What every transport is made from: dispatch, through which alone it reaches services, and the catalog of what there is to call.
 *
 * What the server mounts, and requests that have passed its guard, are in `server/mount.ts`.
 */
import type { AccessLevel, Contract, Limits, Procedure, WireError } from "@fairlead/contracts";
import type { Dispatch } from "../call/call.ts";
import type { Manifest, ToolEntry } from "../host/manifest.ts";
import type { Log } from "../observe/log.ts";

/** A procedure as the registry knows it. */
export interface CatalogEntry {
  /** Full name, like `rules.resolveAttack`. */
  readonly name: string;
  readonly service: string;
  readonly contract: Contract;
  readonly procedure: Procedure;
  /** What a caller needs. */
  readonly access: AccessLevel;
  /** `defaultLimits` with the procedure's own on top. */
  readonly limits: Limits;
}

/** Which procedures there are. */
export interface Catalog {
  /** The contracts' procedures that are offered right now: without those that their services switched off. */
  list(): readonly CatalogEntry[];
  /** Grows when the contracts change while the kernel runs, which they do under `fairlead dev` alone. */
  readonly revision: number;
  /** The contracts' tools since they have changed; `undefined` while they are those of the manifest that the kernel was opened with. */
  readonly ownTools: readonly ToolEntry[] | undefined;
  /** The contracts' procedures, switched off or not; the same for as long as they do not change. */
  all(): readonly CatalogEntry[];
  /** A procedure that is offered right now, or a tool that a service relays. */
  find(name: string): CatalogEntry | undefined;
  /** Why `find` knows none of that name; what a call of it would be answered. */
  explain(name: string): WireError;
  /** Tools that services relay; see `relays.ts`. */
  relayed(): readonly ToolEntry[];
  /** The relayed tool of that name, one that is not listed at the moment included. */
  tool(name: string): ToolEntry | undefined;
  /** Calls back when any of this has changed, until the function it gives is called. */
  onChange(listener: () => void): () => void;
}

/** A choice of tools that has a name: what is left out does not limit it. */
export interface ToolProfile {
  /** Ids of services. */
  readonly services?: readonly string[] | undefined;
  /** Names of tools. */
  readonly tools?: readonly string[] | undefined;
  /** Only tools that say they change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Lists every tool, with all that its contract says. */
  readonly full?: boolean | undefined;
}

/** What a transport is built from. */
export interface Surroundings {
  readonly dispatch: Dispatch;
  readonly catalog: Catalog;
  readonly manifest: Manifest;
  /** Name and version to introduce the server with. */
  readonly server: { readonly name: string; readonly version: string };
  readonly log: Log;
  /** Choices of tools that the configuration has names for. */
  readonly profiles?: Readonly<Record<string, ToolProfile>> | undefined;
}
