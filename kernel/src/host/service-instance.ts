/**
 * A service as dispatch sees it, over all its starts: its state as the supervisor reports it, and its handlers while it runs. They
 * are there from its start, or read when a call first needs one.
 *
 * Not here: starting and stopping it (`lifecycle.ts`, `start-service.ts`).
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import * as Context from "effect/Context";
import { type AnyHandler, findHandler } from "../service/handler.ts";
import type { Condition, StartedService } from "../service/started-service.ts";
import type { ChildState } from "../supervision/child-state.ts";
import { checkHandlers } from "./check-handlers.ts";

/** How much of a service's code is read when it starts: all of it, or what its start needs and the rest at the first call. */
export type CodeLoading = "all" | "needed";

type SelfReport<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** What a service says about itself: what it throws must not reach the others. */
const report = <T>(question: () => T): SelfReport<T> => {
  try {
    return { ok: true, value: question() };
  } catch (cause) {
    return { ok: false, why: cause instanceof Error ? cause.message : String(cause) };
  }
};

const broken = (member: string, why: string): Condition => ({
  state: "degraded",
  why: `the service's \`${member}\` throws: ${why}`,
  fix: "fix the service",
});

/** A start that waits for a service that is down may take long. */
const isPending = (state: ChildState): boolean =>
  state.tag === "Draining" || (state.tag === "Starting" && state.waitsFor?.error === undefined);

const nothing = Context.empty();
const ready: Condition = { state: "ready" };

export class ServiceInstance {
  readonly id: string;
  readonly contract: Contract;
  #state: ChildState;
  #running: StartedService<Contract> | undefined;
  #handlers: ReadonlyMap<string, AnyHandler> | undefined;
  #reading: Promise<void> | undefined;
  #broken = Promise.withResolvers<FairleadError>();
  #leaveRelay: (() => void) | undefined;
  readonly #relayListeners = new Set<() => void>();
  #settled = Promise.withResolvers<void>();
  #hasSettled = false;

  /** `now` is in milliseconds since the epoch. */
  constructor(contract: Contract, now: number) {
    this.id = contract.id;
    this.contract = contract;
    this.#state = { tag: "Starting", since: now, life: 0 };
  }

  get state(): ChildState {
    return this.#state;
  }

  /** True while waiting for it is worth it: it is starting, or being restarted. */
  get isPending(): boolean {
    return isPending(this.#state);
  }

  /** True once its first start has come to an end, however that went. */
  get hasSettled(): boolean {
    return this.#hasSettled;
  }

  /** Resolves once it is no longer pending, however that ended. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** What its start returned; `undefined` while it has not started or has stopped. */
  get running(): StartedService<Contract> | undefined {
    return this.#running;
  }

  /** False until its handlers have been read. */
  get hasHandlers(): boolean {
    return this.#handlers !== undefined;
  }

  /** Resolves when the handlers of this start turn out to be broken. */
  get broken(): Promise<FairleadError> {
    return this.#broken.promise;
  }

  /** The handler of a procedure; `undefined` unless its handlers have been read and its resources are there, as they are while it drains. */
  handler(procedure: string): AnyHandler | undefined {
    const { tag } = this.#state;
    return tag === "Ready" || tag === "Draining" ? this.#handlers?.get(procedure) : undefined;
  }

  /** What its handlers' Effects find in their context besides their call. */
  get context(): Context.Context<never> {
    return this.#running?.context ?? nothing;
  }

  /** Reads the handlers, once for all who wait. Rejects with a `FairleadError` (`failed_precondition`) when the code is broken. */
  readHandlers(): Promise<void> {
    this.#reading ??= this.#read(this.#running?.handlers);
    return this.#reading;
  }

  get condition(): Condition {
    const { tag } = this.#state;
    if (tag === "Failed" || tag === "Backoff") {
      const { message, hint } = this.#state.error;
      return { state: "degraded", why: message, fix: hint ?? "see the kernel's log" };
    }
    if (tag === "Starting" && this.#state.waitsFor?.error !== undefined) {
      const { message, hint } = this.#state.waitsFor.error;
      return { state: "degraded", why: message, fix: hint ?? "see the kernel's log" };
    }
    const off = report(() => this.#running?.off?.() ?? {});
    if (!off.ok) return broken("off", off.why);
    const condition = report(() => this.#running?.condition?.() ?? ready);
    return condition.ok ? condition.value : broken("condition", condition.why);
  }

  /** Why a procedure is switched off, if it is. A service that cannot say has none switched off. */
  off(procedure: string): string | undefined {
    const running = this.#running;
    if (running?.off === undefined) return undefined;
    const off = report(() => running.off?.() ?? {});
    return off.ok ? off.value[procedure] : undefined;
  }

  /** Takes what a start returned. Throws when its handlers do not match the contract. */
  attach(running: StartedService<Contract>): void {
    this.#handlers = typeof running.handlers === "function" ? undefined : this.#checked(running.handlers);
    this.#reading = undefined;
    this.#broken = Promise.withResolvers();
    this.#change(running);
  }

  /** Drops what the last start returned. */
  detach(): void {
    this.#handlers = undefined;
    this.#change(undefined);
  }

  /** Calls back when the tools it relays have changed, over all its starts. */
  onRelayChange(listener: () => void): () => void {
    this.#relayListeners.add(listener);
    return () => void this.#relayListeners.delete(listener);
  }

  /** Follows the supervisor. */
  follow(state: ChildState): void {
    if (isPending(state) && !this.isPending) this.#settled = Promise.withResolvers();
    this.#state = state;
    if (isPending(state)) return;
    this.#hasSettled = true;
    this.#settled.resolve();
  }

  async #read(handlers: StartedService<Contract>["handlers"] | undefined): Promise<void> {
    if (typeof handlers !== "function") return;
    const { resolve } = this.#broken;
    try {
      const read = this.#checked(await handlers());
      if (this.#running?.handlers === handlers) this.#handlers = read;
    } catch (cause) {
      const { brokenCode } = await import("./broken-code.ts");
      const error =
        cause instanceof FairleadError ? cause : brokenCode(`the service ${this.id}`, cause, "install it anew");
      resolve(error);
      throw error;
    }
  }

  #checked(handlers: object): ReadonlyMap<string, AnyHandler> {
    checkHandlers(this.contract, handlers);
    return new Map(
      Object.keys(this.contract.procedures).flatMap((name) => {
        const handler = findHandler(handlers, name);
        return handler === undefined ? [] : [[name, handler] as const];
      }),
    );
  }

  #change(running: StartedService<Contract> | undefined): void {
    const relays = this.#running?.relay !== undefined || running?.relay !== undefined;
    this.#leaveRelay?.();
    this.#running = running;
    this.#leaveRelay = running?.relay?.onChange(() => this.#relayChanged());
    if (relays) this.#relayChanged();
  }

  #relayChanged(): void {
    for (const listener of this.#relayListeners) listener();
  }
}
