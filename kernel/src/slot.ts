/**
 * A slot holds one service and where it stands in its life. Its state is one tagged union; what depends on a state (handlers,
 * the error of a failed start) exists only in that state.
 */
import type { Contract } from "@fairlead/contracts";
import type { Condition, Running } from "./service.ts";

export type SlotState =
  | { readonly tag: "Starting" }
  | { readonly tag: "Ready"; readonly running: Running<Contract> }
  | { readonly tag: "Draining"; readonly running: Running<Contract> }
  | { readonly tag: "Failed"; readonly why: string; readonly fix: string }
  | { readonly tag: "Stopped" };

export class Slot {
  readonly id: string;
  readonly contract: Contract;
  readonly #onChange: (slot: Slot) => void;
  readonly #now: () => number;
  readonly #started = Promise.withResolvers<void>();
  #state: SlotState = { tag: "Starting" };
  #since: number;

  constructor(contract: Contract, onChange: (slot: Slot) => void, now: () => number = Date.now) {
    this.id = contract.id;
    this.contract = contract;
    this.#onChange = onChange;
    this.#now = now;
    this.#since = now();
  }

  get state(): SlotState {
    return this.#state;
  }

  /** When it entered its state, in milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** Resolves once it is no longer starting, however that went. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  get running(): Running<Contract> | undefined {
    return "running" in this.#state ? this.#state.running : undefined;
  }

  get condition(): Condition {
    if (this.#state.tag === "Failed") return { state: "degraded", why: this.#state.why, fix: this.#state.fix };
    return this.running?.condition?.() ?? { state: "ready" };
  }

  /** Why a procedure is switched off, if it is. */
  off(procedure: string): string | undefined {
    return this.running?.off?.()[procedure];
  }

  become(state: SlotState): void {
    this.#state = state;
    this.#since = this.#now();
    if (state.tag !== "Starting") this.#started.resolve();
    this.#onChange(this);
  }
}
