/**
 * Refusals that are the same for each request: made once, since under overload there are thousands a second. And what they are counted as. Not
 * here: what a guard refuses (`guard.ts`), and calls that a procedure has no place for, which count as calls.
 */
import type { WireError } from "@fairlead/contracts";
import { problemDocument } from "./problem.ts";

export const closing: WireError = {
  code: "unavailable",
  message: "the kernel is shutting down",
  hint: "try again when it is back",
  retryable: true,
  retryAfterMs: 1_000,
};
export const overloaded: WireError = {
  code: "unavailable",
  message: "the kernel is overloaded and did not start the call",
  hint: "try again in a moment",
  retryable: true,
  retryAfterMs: 1_000,
};
export const overloadedDocument = problemDocument(overloaded);
export const crowded: WireError = {
  code: "resource_exhausted",
  message: "this caller has as many connections at work as one may have",
  hint: "send requests one after the other on the connections that are open",
  retryable: true,
  retryAfterMs: 1_000,
};
export const badPath: WireError = {
  code: "invalid_argument",
  message: "the path is not properly percent-encoded",
  hint: "encode it as UTF-8, without control characters",
  retryable: false,
};
export const notFound: WireError = {
  code: "not_found",
  message: "nothing is served at this path",
  hint: "see / for the addresses of this server",
  retryable: false,
};

const reasons = new Map([
  [closing, "stopping"],
  [overloaded, "overload"],
  [crowded, "crowded"],
]);

/** What a refused request is counted as in the figures: one of few words, whatever was sent. */
export const refusalReason = (error: WireError): string =>
  reasons.get(error) ?? (error.code === "resource_exhausted" ? "rate" : error.code);
