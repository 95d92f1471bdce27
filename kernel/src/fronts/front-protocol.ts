/**
 * What the kernel and a front, a process that answers requests at the kernel's port, say to each other over their link. Types and one
 * rule: which procedures a front may answer.
 *
 * Not here: the two sides (`fronts.ts`, `boot/front-kernel.ts`).
 */
import { deprecatedFields, type Procedure } from "@fairlead/contracts";
import type { Config } from "../config/config.ts";
import type { Repayment } from "../policy/rate.ts";

/** What a front is started with. */
export interface FrontStart {
  /** The kernel's. */
  readonly config: Config;
  /** Those that it answers for, with the address of their module. */
  readonly services: readonly { readonly id: string; readonly module: string }[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Texts to be taken out of errors beside those of the configuration. */
  readonly secrets: readonly string[];
  /** The kernel's Unix socket for requests that a front does not answer. */
  readonly socketPath: string;
  /** Prefixes below which a request may become a WebSocket, in the kernel. */
  readonly upgrades: readonly string[];
  readonly tokenFile: string;
  /** True where a caller needs no token now. */
  readonly isOpen: boolean;
  /** The folder that all folders of its services are in. */
  readonly stateDir: string;
  /** How many fronts there are: each may have that part of what the kernel may. */
  readonly fronts: number;
}

/** An event, as the kernel is to number it. */
export type FrontEvent = readonly [type: string, service: string, data: Readonly<Record<string, unknown>>];

/** What happened in a front since it last said so: the note `records`. */
export interface RecordsNote {
  /** JSON of a list of `FrontEvent`: there is one for each call, and a text costs a fraction of what so many objects do. */
  readonly events: string;
  /** Requests that were refused before they were calls, by why. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Connections that have closed. */
  readonly closed: number;
}

/** What a front has spent or gives back of callers' rates: the note `repay`. */
export interface RepayNote extends Repayment {
  readonly principal: string;
}

/** The services that are ready in the kernel: the note `ready`. Requests for others are the kernel's to answer. */
export type ReadyNote = readonly string[];

/**
 * Whether a front may answer calls of it: it may run anywhere, its answer is one document, and none of its limits are counted over all
 * calls of the kernel.
 */
export const isForFronts = (procedure: Procedure): boolean =>
  procedure.placement === "stateless" &&
  procedure.renamedTo === undefined &&
  procedure.kind !== "subscription" &&
  !("upload" in procedure) &&
  !("download" in procedure) &&
  procedure.deprecated === undefined &&
  deprecatedFields(procedure.input).length === 0 &&
  procedure.policy?.concurrency === undefined &&
  procedure.policy?.queue === undefined &&
  procedure.policy?.breaker === undefined;
