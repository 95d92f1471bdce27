/**
 * What one run has: the values of `it` and of lambda parameters, and what is left of its fuel. The compiled code is shared and
 * has no state; a frame belongs to one run.
 */
import { fault, LinqError } from "./error.ts";
import type { Limits } from "./limits.ts";
import type { Resumable } from "./resumable.ts";

/** Fuel is handed out in portions of this size, so that the clock is looked at once a portion. */
const portion = 1_024;

export interface ElapsedClock {
  /** Milliseconds from any origin, never going back. */
  elapsed(): number;
}

/** What work that can pause may use of the thread before it gives it back. */
export interface PauseBudget {
  /** Asked every few steps; true when other code is to run now. */
  isSpent(): boolean;
}

/** For work that runs alone. */
const endless: PauseBudget = { isSpent: () => false };

/** Elements between two questions to the budget: reading a clock costs as much as a few of them. */
const askEvery = 32;

export class Frame {
  /** Values by slot number; see the binder. */
  readonly slots: unknown[] = [];
  readonly limits: Limits;
  readonly #clock: ElapsedClock;
  readonly #until: number;
  #queryLeft: number;
  #rowLeft: number;
  #left = 0;
  #inRow = false;
  readonly #budget: PauseBudget;
  #unasked = 0;
  /** How often work was to pause: when it has changed, other code ran, and what was known of objects may be wrong. */
  pauses = 0;

  constructor(limits: Limits, clock: ElapsedClock, budget: PauseBudget = endless) {
    this.limits = limits;
    this.#clock = clock;
    this.#budget = budget;
    this.#until = clock.elapsed() + limits.wallMs;
    this.#queryLeft = limits.fuelPerQuery;
    this.#rowLeft = limits.fuelPerRow;
  }

  /** Takes steps; throws `fuel_exhausted` or `deadline` when there are none left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) this.#refill();
  }

  /** Starts the next row: its own fuel is full again. */
  row(): void {
    this.#inRow = true;
    if (this.#rowLeft !== this.limits.fuelPerRow) this.#rowLeft = this.limits.fuelPerRow;
  }

  /** Ends the row: what follows is paid for by the query alone. */
  endRow(): void {
    this.#inRow = false;
  }

  /** An element that is a row, unless it is part of one itself: true when it is, which `endRow` ends. */
  startRow(): boolean {
    if (this.#inRow) return false;
    this.row();
    return true;
  }

  /** True when work that can pause is to do so; asked once an element. */
  isDue(): boolean {
    return ++this.#unasked >= askEvery && this.askBudget();
  }

  /** The same at once, for work whose steps are long. */
  askBudget(): boolean {
    this.#unasked = 0;
    if (!this.#budget.isSpent()) return false;
    this.pauses++;
    return true;
  }

  /** Takes many rows' single steps at once and looks at the clock. */
  rows(count: number): void {
    this.#queryLeft -= count;
    if (this.#queryLeft < 0) throw this.#exhausted("query", this.limits.fuelPerQuery);
    this.checkTime();
  }

  checkTime(): void {
    if (this.#clock.elapsed() <= this.#until) return;
    throw new LinqError("deadline", `It took longer than ${this.limits.wallMs} ms`, {
      position: 0,
      hint: "narrow `where`, or ask for fewer elements",
    });
  }

  #refill(): void {
    const taken = portion - this.#left;
    this.#left = portion;
    this.#queryLeft -= taken;
    if (this.#inRow) this.#rowLeft -= taken;
    if (this.#queryLeft < 0) throw this.#exhausted("query", this.limits.fuelPerQuery);
    if (this.#rowLeft < 0) throw this.#exhausted("row", this.limits.fuelPerRow);
    this.checkTime();
  }

  #exhausted(what: "row" | "query", allowed: number): LinqError {
    return fault(
      "fuel_exhausted",
      `The ${what} needs more than ${allowed} steps`,
      "narrow `where`, or avoid nested sequences over large lists",
    );
  }

  /** Refuses a list of the host's that is longer than allowed. */
  admitList(length: number): void {
    if (length <= this.limits.items) return;
    throw fault("too_many_items", `The list has ${length} elements; ${this.limits.items} are allowed`);
  }

  /** Refuses a sequence longer than allowed. */
  admit(items: number): void {
    if (items <= this.limits.items) return;
    throw fault(
      "too_many_items",
      `The sequence has more than ${this.limits.items} elements`,
      "use Take, or filter first",
    );
  }
}

/** A compiled expression that ends at once. */
export type CompiledExpression = (frame: Frame) => unknown;

/** A compiled expression, with what says how it runs: one with a sequence method in it can pause. */
export type CompiledCode =
  | { readonly isLong: false; readonly run: CompiledExpression }
  | { readonly isLong: true; readonly run: (frame: Frame) => Resumable<unknown> };

/** Runs it, whichever it is. */
export const runCode = function* (code: CompiledCode, frame: Frame): Resumable<unknown> {
  return code.isLong ? yield* code.run(frame) : code.run(frame);
};
