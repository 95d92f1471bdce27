/**
 * How long one attempt may go on: until the caller gives up or the time is over, whichever comes first, and which it was.
 *
 * Not here: time for a whole call with its repeats (`client.ts`).
 */
import type { ProcedureDescriptor } from "./descriptor.ts";
import { ClientError } from "./error.ts";
import { mayRepeat } from "./retry.ts";
import type { Attempt } from "./transport.ts";

/** The deadline and the caller's signal of one attempt, as one signal. */
export interface AttemptLimits {
  readonly signal: AbortSignal;
  /** The error for an attempt that was cut short, or `undefined` when it was not. */
  error(): ClientError | undefined;
  /** From now on only the caller's signal ends it. */
  stopTimer(): void;
  /** Lets go of the timer and of the caller's signal. */
  release(): void;
}

/** The error for a caller that gave up. */
export const canceledError = (procedure: string, cause: unknown): ClientError =>
  new ClientError({ code: "canceled", message: `${procedure} was canceled`, retryable: false }, procedure, { cause });

/** The error for a call whose time is over. `timeoutMs` is what the caller allowed. */
export const deadlineExceeded = (procedure: ProcedureDescriptor, timeoutMs: number): ClientError =>
  new ClientError(
    {
      code: "deadline_exceeded",
      message: `${procedure.name} did not answer within ${Math.round(timeoutMs)} ms${procedure.retry === "safe" ? "" : "; the work may have happened"}`,
      hint: "allow it more time",
      retryable: mayRepeat(procedure),
    },
    procedure.name,
  );

/** Milliseconds by which a timer of inherited time is behind the kernel's own, so that the call which is served ends by the kernel's. */
const inheritedGraceMs = 250;

/** Starts the timer of an attempt. `release` has to be called when it is over. */
export const attemptLimits = ({ procedure, signal, timeoutMs, isTimeInherited }: Attempt): AttemptLimits => {
  const controller = new AbortController();
  let error: ClientError | undefined;
  const end = (why: ClientError): void => {
    error ??= why;
    controller.abort(error);
  };
  const onAbort = (): void => end(canceledError(procedure.name, signal?.reason));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => end(deadlineExceeded(procedure, timeoutMs)),
          timeoutMs + (isTimeInherited === true ? inheritedGraceMs : 0),
        );
  return {
    signal: controller.signal,
    error: () => error,
    stopTimer: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
};
