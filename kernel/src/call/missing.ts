/**
 * Why a procedure cannot be called at all: there is none of that name, its service has switched it off, or its service is down.
 */
import { didYouMean, type FairleadError } from "@fairlead/contracts";
import { failure } from "./error.ts";

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
}

export const notAvailable = (name: string, { message, hint }: Why): FairleadError =>
  failure("unavailable", `${name} is not available: ${message}`, {
    hint: hint ?? "try again shortly",
    retryAfterMs: 500,
  });
