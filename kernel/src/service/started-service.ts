/**
 * A started service: its handlers, and what it says about itself while it runs.
 *
 * Not here: how it is started and stopped (`host/`).
 */
import type { Contract, ProcedureName } from "@fairlead/contracts";
import type * as Context from "effect/Context";
import type { Principal } from "../call/call.ts";
import type { ChildStatus } from "../supervision/child-state.ts";
import type { Handlers } from "./handler.ts";

/** How well a service works, as it reports itself. `degraded`: some procedures work; `why` says what does not, `fix` what to do. */
export type Condition =
  | { readonly state: "ready" }
  | { readonly state: "degraded"; readonly why: string; readonly fix: string };

/** A tool as MCP lists it. Whoever makes it answers for its shape. */
export type ToolDefinition = Readonly<Record<string, unknown>> & { readonly name: string };

/** Tools that a service finds while it runs. Each is called as `<service>.<name>`, on every transport. */
export interface Relay<Through extends string = string> {
  /** The procedure that takes the calls: its input is `{ tool, arguments }`, its output an MCP tool result that goes out as it is. */
  readonly through: Through;
  /** In the order to list them. */
  list(): readonly ToolDefinition[];
  /** The tool of that name; its name alone for one that is not listed now, but whose calls the procedure answers all the same. */
  find(name: string): ToolDefinition | undefined;
  /** Calls back whenever the list has changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** One requirement of this machine, as the service finds it: a row of `fairlead doctor`. */
export interface SelfCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, or what is missing. */
  readonly detail: string;
  /** The command or the setting that fixes it. */
  readonly fix?: string;
}

/** What a service may offer in addition to its handlers. Every member is optional; what one throws is reported as a degraded service. */
export interface ServiceDetails<C extends Contract> {
  /** Tools in addition to the contract's procedures. */
  readonly relay?: Relay<ProcedureName<C>>;
  /** Procedures that are switched off, with the reason: not listed anywhere, refused with `unimplemented`. Read at each listing. */
  off?(): Readonly<Partial<Record<ProcedureName<C>, string>>>;
  /** Refuses a decoded input that this principal may not send, with the reason. */
  authorise?(attempt: {
    readonly procedure: string;
    readonly input: unknown;
    readonly principal: Principal;
  }): string | undefined;
  /** Read by `kernel.services` and `/readyz`. Default: `ready`. */
  condition?(): Condition;
  /** The service's own children, like subprocesses, for the supervision tree. */
  children?(): readonly ChildStatus[];
  /** More about the service for `kernel.info`: versions found, paths used. Never secrets. */
  info?(): Readonly<Record<string, unknown>>;
  /** What the service needs of this machine; `kernel.info` shows it as `checks`, and `fairlead doctor` row by row. */
  checks?(): readonly SelfCheck[] | Promise<readonly SelfCheck[]>;
}

/** A started service, as a plain `start` returns it. */
export interface StartedService<C extends Contract> extends ServiceDetails<C> {
  /** The handlers, or how to read them when a call first needs one: `start` then costs only what must be there from the start. */
  readonly handlers: Handlers<C> | (() => Promise<Handlers<C>>);
  /**
   * Releases what `start` acquired, like a database. Called once, when the service stops or before it is started again, after its
   * calls have ended; the kernel waits 5 seconds for it. What it throws is logged.
   */
  stop?(): void | Promise<void>;
  /** What the handlers' Effects find in their context in addition to `Call`. Default: nothing. `defineService` fills it from a layer. */
  readonly context?: Context.Context<never>;
}
