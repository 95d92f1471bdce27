/**
 * Waiting until a supervised subprocess is ready, for a request that came while it is not.
 *
 * It starts a child that is down, waits for one that is starting, and fails with the diagnosis as soon as a start fails, instead of
 * waiting out the pauses between tries.
 */
import * as Effect from "effect/Effect";
import type { ChildState } from "../../supervision/child-state.ts";
import type { Supervisor } from "../../supervision/supervisor.ts";
import type { SubprocessSpec } from "../protocol/spec.ts";
import { FailedError, SubprocessError } from "../protocol/subprocess-error.ts";

type Verdict = "ready" | "wait" | FailedError;

interface Readiness {
  /** True when a request can be sent at once. */
  isReady(): boolean;
  /** Waits at most `timeoutMs`; `Infinity` waits for the end of the start. */
  wait(timeoutMs: number): Effect.Effect<void, FailedError | SubprocessError>;
}

/** `usable` is false for a child that is ending though its supervisor does not know yet. */
export const watchReadiness = (
  supervisor: Supervisor,
  { name, hint, downHint }: Pick<SubprocessSpec, "name" | "hint" | "downHint">,
  usable: () => boolean,
): Readiness => {
  const currentState = (): ChildState | undefined => supervisor.status(name)?.state;
  const failed = (state: Extract<ChildState, { readonly tag: "Failed" | "Backoff" }>): FailedError =>
    new FailedError(state.error, {
      name,
      down: state.tag === "Failed",
      ...(hint !== undefined && { hint }),
      ...(downHint !== undefined && { downHint }),
    });

  const judge = (state: ChildState | undefined): Verdict => {
    if (state?.tag === "Ready") return usable() ? "ready" : "wait";
    return state?.tag === "Failed" ? failed(state) : "wait";
  };

  /** Listens until the verdict is there, or until it is interrupted: a listener that stayed would start the child again after a stop. */
  const settled = Effect.callback<void, FailedError>((resume) => {
    const settle = (verdict: Verdict): void => {
      if (verdict === "wait") return;
      leave();
      resume(verdict === "ready" ? Effect.void : Effect.fail(verdict));
    };
    const leave = supervisor.onChange(({ id, from, state }) => {
      if (id !== name) return;
      if (state.tag === "Stopped" && (from === "Draining" || from === "Ready")) supervisor.start(name);
      settle(state.tag === "Backoff" && from === "Starting" ? failed(state) : judge(state));
    });
    settle(judge(currentState()));
    if (currentState()?.tag === "Stopped") supervisor.start(name);
    return Effect.sync(leave);
  });

  return {
    isReady: () => judge(currentState()) === "ready",
    wait: (ms) =>
      Number.isFinite(ms)
        ? Effect.timeoutOrElse(settled, {
            duration: Math.max(0, ms),
            orElse: () =>
              Effect.fail(new SubprocessError({ kind: "timeout", ms, where: "start" }, { name, sent: false })),
          })
        : settled,
  };
};
