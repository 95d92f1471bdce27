/**
 * The one conversion from anything that was thrown to the envelope that is sent; and why a procedure cannot be called at all: there is
 * none of that name, its service has switched it off, or its service is down.
 *
 * Declared errors and infrastructure errors keep their words. Everything else is a defect: the caller gets `internal` and an id,
 * the log gets the rest.
 */
import { randomUUID } from "node:crypto";
import { type Code, codes, didYouMean, FairleadError, type Issue, type WireError } from "@fairlead/contracts";

/** Where a failure surfaced, for the log line of a defect. */
export interface Site {
  readonly procedure: string;
  /** True when a repeat of this very call does no harm. */
  readonly repeatable: boolean;
  /** The idempotency key by which its repeats are answered. */
  readonly key?: string | undefined;
  /** Receives defects before they are redacted. */
  readonly defect: (id: string, cause: unknown) => void;
}

/** Turns whatever was thrown into a wire error. */
export const toWireError = (cause: unknown, site: Site): WireError => {
  if (cause instanceof NotAvailable) return cause.toJSON();
  if (cause instanceof FairleadError) {
    const wire = cause.toJSON();
    if (cause instanceof LostCall && site.key !== undefined) return { ...wire, retryable: false };
    // A declared error knows whether anything has happened; an input that was refused is refused again.
    const harmless = wire.reason !== undefined && wire.retryable;
    return { ...wire, retryable: wire.issues === undefined && (harmless || mayRetry(wire.code, site.repeatable)) };
  }
  const id = randomUUID();
  site.defect(id, cause);
  return {
    code: "internal",
    message: `${site.procedure} failed because of a defect on the server`,
    hint: `search the kernel's log for ${id}`,
    id,
    retryable: false,
  };
};

/**
 * What a caller sees of a declared error of a peer that the handler let through. Its reason and data belong to the peer's contract, which
 * the caller need not know; of its code remains what says that a repeat may help.
 */
export const unhandledError = (
  procedure: string,
  peer: string,
  { code, reason, retryAfterMs }: FairleadError,
): FairleadError => {
  const id = randomUUID();
  return new FairleadError({
    code: codes[code].retry === "never" ? "unknown" : code,
    message: `${procedure} failed because ${peer} answered ${reason}, which ${procedure} does not handle`,
    hint: `search the kernel's log for ${id}`,
    id,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
};

/** Whether sending the same request again can help, by the code table and the procedure's retry safety. */
export const mayRetry = (code: Code, repeatable: boolean): boolean => {
  const help = codes[code].retry;
  return help === "always" || (help === "if-repeatable" && repeatable);
};

/** An infrastructure error of the kernel's own. */
export const failure = (
  code: Code,
  message: string,
  more: { readonly hint?: string; readonly issues?: readonly Issue[]; readonly retryAfterMs?: number } = {},
): FairleadError => new FairleadError({ code, message, ...more });

/** The refusal of a file that has more bytes than its procedure takes. */
export const fileTooLarge = (procedure: string, most: number): FairleadError =>
  failure("resource_exhausted", `the file is larger than ${most} bytes, the most that ${procedure} takes`, {
    issues: [{ path: "file", expected: `at most ${most} bytes`, fix: "send a smaller file, or several" }],
  });

/** The refusal of a name that is none of `known`. The name is not repeated: it may be anything. */
export const noSuchProcedure = (name: string, known: Iterable<string>): FairleadError => {
  const near = didYouMean(name, known);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return failure("not_found", `there is no procedure of that name${meant}`, {
    hint: "`fairlead ls` lists all procedures",
  });
};

export const switchedOff = (name: string, why: string): FairleadError =>
  failure("unimplemented", `${name} is switched off: ${why}`);

/** What is wrong with a service, and what would fix it. */
export interface Why {
  readonly message: string;
  readonly hint?: string | undefined;
  /** Milliseconds after which it may be back; left out where it does not come back by itself. */
  readonly backInMs?: number | undefined;
}

/** Nothing of the call has happened. It is `retryable` only where the service comes back by itself. */
export class NotAvailable extends FairleadError {}

/**
 * The place of a call was lost with it, or its service was stopped under it: it may have run. With an idempotency key nothing may run it again, neither here nor for a
 * later caller: this is its answer.
 */
export class LostCall extends FairleadError {}

export const mayHaveRun = (name: string, why: string): LostCall =>
  new LostCall({
    code: "unavailable",
    message: `${name} may have run, and its answer is lost: ${why}`,
    hint: "look whether it was done before you send it again",
  });

export const notAvailable = (name: string, { message, hint, backInMs }: Why): FairleadError =>
  new NotAvailable({
    code: "unavailable",
    message: `${name} is not available: ${message}`,
    hint: hint ?? "try again shortly",
    retryable: backInMs !== undefined,
    ...(backInMs !== undefined && { retryAfterMs: backInMs }),
  });
