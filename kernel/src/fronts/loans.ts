/**
 * What a front may admit of callers that have a rate: parts of it that the kernel has lent. A request that no loan covers is the kernel's
 * to count and to answer.
 *
 * Not here: the lender (`loan-book.ts`).
 */
import type { Principal } from "../call/call.ts";
import type { Loan, Repayment } from "../policy/rate.ts";

/** A part of whose rate is asked for: calls, and places where those it has are taken. */
export interface LoanRequest {
  readonly principal: Principal;
  readonly places: boolean;
}

interface LoansOptions {
  /** Asks the kernel for a part of a caller's rate; calls back with what it gives, which may be nothing. */
  readonly borrow: (request: LoanRequest, take: (loan: Loan) => void) => void;
  readonly repay: (principal: string, repaid: Repayment) => void;
  /** Calls of a caller that go on though their callers are gone. */
  readonly abandoned: (principal: string) => number;
  /** Milliseconds. */
  readonly now: () => number;
}

interface Account {
  calls: number;
  places: number;
  /** Requests that hold a place. */
  inUse: number;
  /** Calls made that the kernel does not know of yet. */
  spent: number;
  /** Of the last loan. */
  loan: number;
  isAsked: boolean;
  nextAsk: number;
  isUsed: boolean;
}

/** Milliseconds after which the kernel is asked again where it had nothing to lend. */
const askEveryMs = 50;
/** Places that are lent at a time, and as many may be kept free: the others are for the caller's other calls. */
export const placesAtATime = 4;
/** Callers that are counted at a time; others are the kernel's. */
const mostAccounts = 10_000;

export class Loans {
  readonly #options: LoansOptions;
  readonly #accounts = new Map<string, Account>();

  constructor(options: LoansOptions) {
    this.#options = options;
  }

  /** Takes a call of the caller, with a place; gives back how to leave the place, or nothing where no loan covers it. */
  take(principal: Principal): (() => void) | undefined {
    const account = this.#account(principal.id);
    if (account === undefined) return undefined;
    account.isUsed = true;
    const isFull = account.inUse + this.#options.abandoned(principal.id) >= account.places;
    if (isFull || account.calls * 2 <= account.loan) this.#ask({ principal, places: isFull }, account);
    if (isFull || account.calls < 1) return undefined;
    account.calls -= 1;
    account.spent += 1;
    account.inUse += 1;
    return () => {
      account.inUse -= 1;
    };
  }

  /** Says what was spent since the last time. */
  report(): void {
    for (const [id, account] of this.#accounts) {
      const { spent } = account;
      account.spent = 0;
      if (spent > 0) this.#options.repay(id, { spent, calls: 0, places: 0 });
    }
  }

  /** Gives back what a caller has not used since the last time. */
  rest(): void {
    this.report();
    for (const [id, account] of this.#accounts) {
      const { calls, places, isUsed, isAsked } = account;
      const inUse = account.inUse + this.#options.abandoned(id);
      account.isUsed = false;
      if (isUsed || isAsked || inUse > 0) {
        const spare = Math.max(0, places - inUse - placesAtATime);
        account.places -= spare;
        if (spare > 0) this.#options.repay(id, { spent: 0, calls: 0, places: spare });
        continue;
      }
      this.#accounts.delete(id);
      if (calls > 0 || places > 0) this.#options.repay(id, { spent: 0, calls, places });
    }
  }

  #account(id: string): Account | undefined {
    const known = this.#accounts.get(id);
    if (known !== undefined || this.#accounts.size >= mostAccounts) return known;
    const opened = { calls: 0, places: 0, inUse: 0, spent: 0, loan: 0, isAsked: false, nextAsk: 0, isUsed: true };
    this.#accounts.set(id, opened);
    return opened;
  }

  #ask(request: LoanRequest, account: Account): void {
    const now = this.#options.now();
    if (account.isAsked || now < account.nextAsk) return;
    account.isAsked = true;
    this.#options.borrow(request, ({ calls, places }) => {
      account.isAsked = false;
      account.calls += calls;
      account.places += places;
      account.loan = calls;
      account.nextAsk = now + askEveryMs;
    });
  }
}
