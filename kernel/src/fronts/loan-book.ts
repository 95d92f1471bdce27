/**
 * What fronts have of the rates of callers: lent by the kernel, which counts it as used until it comes back. So all processes together
 * admit no more than the kernel alone.
 *
 * Not here: what a front does with a loan (`loans.ts`), and the rates themselves (`policy/rate.ts`).
 */
import type { CallerRates, Loan, Repayment } from "../policy/rate.ts";
import { type LoanRequest, placesAtATime } from "./loans.ts";

/** Loans of one front. */
export class LoanBook {
  readonly #rates: CallerRates;
  /** Among so many processes what is free is divided. */
  readonly #part: number;
  readonly #open = new Map<string, { calls: number; places: number }>();

  constructor(rates: CallerRates, part: number) {
    this.#rates = rates;
    this.#part = part;
  }

  lend({ principal, places: wantsPlaces }: LoanRequest, now: number): Loan {
    const { calls, requests } = this.#rates;
    const { id } = principal;
    const terms = { now, part: this.#part };
    const loan = calls.lend(principal, { ...terms, most: { calls: most, places: wantsPlaces ? placesAtATime : 0 } });
    const matched = requests.lend(principal, { ...terms, most: { calls: loan.calls, places: 0 } });
    const kept = { calls: matched.calls, places: loan.places };
    calls.settle(id, { spent: 0, calls: loan.calls - kept.calls, places: 0 });
    const open = this.#open.get(id) ?? { calls: 0, places: 0 };
    this.#open.set(id, { calls: open.calls + kept.calls, places: open.places + kept.places });
    return kept;
  }

  /** Never more than was lent. */
  settle(id: string, repaid: Repayment): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    const spent = Math.min(repaid.spent, open.calls);
    const calls = Math.min(repaid.calls, open.calls - spent);
    const places = Math.min(repaid.places, open.places);
    const left = { calls: open.calls - spent - calls, places: open.places - places };
    if (left.calls === 0 && left.places === 0) this.#open.delete(id);
    else this.#open.set(id, left);
    this.#rates.calls.settle(id, { spent, calls, places });
    this.#rates.requests.settle(id, { spent, calls, places: 0 });
  }

  /** The front is gone, and what it spent with it: all of it counts. */
  close(): void {
    for (const [id, { calls, places }] of [...this.#open]) this.settle(id, { spent: calls, calls: 0, places });
  }
}

const most = Number.POSITIVE_INFINITY;
