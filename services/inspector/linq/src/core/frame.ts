/**
 * What one run has: the values of `it` and of lambda parameters, and what is left of its fuel. The compiled code is shared and
 * has no state; a frame belongs to one run.
 */
import { fault, LinqError } from "./error.ts";
import type { Limits } from "./limits.ts";

/** Fuel is handed out in portions of this size, so that the clock is looked at once a portion. */
const portion = 1_024;

export interface ElapsedClock {
  /** Milliseconds from any origin, never going back. */
  elapsed(): number;
}

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

  constructor(limits: Limits, clock: ElapsedClock) {
    this.limits = limits;
    this.#clock = clock;
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

  /** A function of elements for which each of them is a row, unless they are part of a row themselves. */
  byRow<T>(run: (item: unknown) => T): (item: unknown) => T {
    if (this.#inRow) return run;
    return (item) => {
      this.row();
      const value = run(item);
      this.endRow();
      return value;
    };
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

/** A compiled expression. */
export type CompiledExpression = (frame: Frame) => unknown;
