/**
 * A instance holds one service as dispatch sees it: its state as the supervisor tells it, and its handlers while it has some.
 */
import type { Contract } from "@fairlead/contracts";
import * as Context from "effect/Context";
import type { Handlers } from "../service/handler.ts";
import type { Condition, StartedService } from "../service/started-service.ts";
import type { ChildState } from "../supervision/child-state.ts";
import type { LateHandlers } from "./late-handlers.ts";

const nothing = Context.empty();

const ready: Condition = { state: "ready" };

/** What a start gave. */
export interface Held {
  readonly running: StartedService<Contract>;
  readonly handlers: LateHandlers;
}

type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** Asks a service something about itself: what it throws must not reach the others. */
const ask = <T>(question: () => T): Asked<T> => {
  try {
    return { ok: true, value: question() };
  } catch (cause) {
    return { ok: false, why: cause instanceof Error ? cause.message : String(cause) };
  }
};

const broken = (question: string, why: string): Condition => ({
  state: "degraded",
  why: `the service fails when it is asked for its \`${question}\`: ${why}`,
  fix: "mend the service",
});

export class ServiceInstance {
  readonly id: string;
  readonly contract: Contract;
  #state: ChildState;
  #held: Held | undefined;
  #leaveRelay: (() => void) | undefined;
  readonly #relayListeners = new Set<() => void>();
  #started = Promise.withResolvers<void>();

  /** `now` is in milliseconds since the epoch. */
  constructor(contract: Contract, now: number) {
    this.id = contract.id;
    this.contract = contract;
    this.#state = { tag: "Starting", since: now, life: 0 };
  }

  get state(): ChildState {
    return this.#state;
  }

  /** Resolves once it is no longer starting, however that went. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** What its start gave; `undefined` while it has not started or has stopped. */
  get running(): StartedService<Contract> | undefined {
    return this.#held?.running;
  }

  /** Its handlers, once they have been read. */
  get handlers(): Handlers<Contract> | undefined {
    return this.#held?.handlers.now;
  }

  /** What its handlers' Effects find in their context besides their call. */
  get context(): Context.Context<never> {
    return this.running?.context ?? nothing;
  }

  /** Reads the handlers of a service that has started. Rejects with a `FairleadError` when its code is broken. */
  async readHandlers(): Promise<void> {
    await this.#held?.handlers.read();
  }

  get condition(): Condition {
    const { tag } = this.#state;
    if (tag === "Failed" || tag === "Backoff") {
      const { message, hint } = this.#state.error;
      return { state: "degraded", why: message, fix: hint ?? "see the kernel's log" };
    }
    const asked = ask(() => this.running?.off?.() ?? {});
    if (!asked.ok) return broken("off", asked.why);
    const condition = ask(() => this.running?.condition?.() ?? ready);
    return condition.ok ? condition.value : broken("condition", condition.why);
  }

  /** Why a procedure is switched off, if it is. A service that cannot say has none switched off. */
  off(procedure: string): string | undefined {
    const asked = ask(() => this.running?.off?.() ?? {});
    return asked.ok ? asked.value[procedure] : undefined;
  }

  /** Takes what a start gave, or nothing when it was released. */
  hold(held: Held | undefined): void {
    const relayed = this.running?.relay !== undefined || held?.running.relay !== undefined;
    this.#leaveRelay?.();
    this.#held = held;
    this.#leaveRelay = held?.running.relay?.onChange(() => this.#relayChanged());
    if (relayed) this.#relayChanged();
  }

  /** Calls back when the tools it relays have changed, over all its starts. */
  onRelayChange(listener: () => void): () => void {
    this.#relayListeners.add(listener);
    return () => void this.#relayListeners.delete(listener);
  }

  #relayChanged(): void {
    for (const listener of this.#relayListeners) listener();
  }

  /** Follows the supervisor. */
  follow(state: ChildState): void {
    if (state.tag === "Starting" && this.#state.tag !== "Starting") this.#started = Promise.withResolvers();
    this.#state = state;
    if (state.tag !== "Starting") this.#started.resolve();
  }
}
