/** Refusals of pure code as declared errors of the procedure that is called. */
import type { FailureText, FairleadError } from "@fairlead/kernel/service";
import { isRefusal } from "./refusal.ts";

/** Any call whose procedure declares errors. */
export interface DeclaringCall {
  fail(reason: never, text: FailureText, data: never): FairleadError;
}

/**
 * A named boundary: which refusals a resolver can throw is not in its type; the tests prove that the reason is one of this procedure's.
 */
const toDeclaredError = (call: DeclaringCall, thrown: unknown): unknown =>
  isRefusal(thrown) ? call.fail(thrown.reason as never, { message: thrown.message }, thrown.data as never) : thrown;

/** Runs pure code; its refusal becomes the declared error of the same name. */
export const withDeclaredErrors = <T>(call: DeclaringCall, run: () => T): T => {
  try {
    return run();
  } catch (thrown) {
    throw toDeclaredError(call, thrown);
  }
};

/** The same for code that waits. */
export const settled = <T>(call: DeclaringCall, work: Promise<T>): Promise<T> =>
  work.catch((thrown) => {
    throw toDeclaredError(call, thrown);
  });
