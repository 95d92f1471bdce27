/**
 * Waiting until a supervised subprocess is ready, for a request that came while it is not.
 *
 * It starts a child that is down, waits for one that is starting, and gives the diagnosis as soon as a start fails, instead of
 * sitting out the pauses between tries.
 */
import type { ChildState } from "../../supervision/child-state.ts";
import type { Supervisor } from "../../supervision/supervisor.ts";
import type { SubprocessSpec } from "../protocol/spec.ts";
import { FailedError, type Fault, SubprocessError } from "../protocol/subprocess-error.ts";

export interface ReadinessOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

type Verdict = "ready" | "wait" | FailedError;

/**
 * A function that resolves when the child is ready, or rejects with why it is not. `usable` is false for a child that is dying
 * though its supervisor has not heard yet.
 */
export const awaitReady =
  (supervisor: Supervisor, { name, hint }: Pick<SubprocessSpec, "name" | "hint">, usable: () => boolean) =>
  async ({ timeoutMs, signal }: ReadinessOptions): Promise<void> => {
    const stateNow = (): ChildState | undefined => supervisor.status(name)?.state;
    const failed = (state: Extract<ChildState, { readonly tag: "Failed" | "Backoff" }>): FailedError =>
      new FailedError(state.error, { name, down: state.tag === "Failed", ...(hint !== undefined && { hint }) });

    const judge = (state: ChildState | undefined): Verdict => {
      if (state?.tag === "Ready") return usable() ? "ready" : "wait";
      return state?.tag === "Failed" ? failed(state) : "wait";
    };

    const first = judge(stateNow());
    if (first === "ready") return;
    if (first !== "wait") throw first;
    if (signal?.aborted === true) throw new SubprocessError({ kind: "canceled" }, { name, sent: false });

    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const give = (fault: Fault) => () => reject(new SubprocessError(fault, { name, sent: false }));
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(give({ kind: "timeout", ms: timeoutMs, where: "start" }), Math.max(0, timeoutMs))
      : undefined;
    const abort = give({ kind: "canceled" });
    signal?.addEventListener("abort", abort, { once: true });
    const leave = supervisor.onChange(({ id, from, state }) => {
      if (id !== name) return;
      if (state.tag === "Backoff" && from === "Starting") reject(failed(state));
      if (state.tag === "Stopped" && (from === "Draining" || from === "Ready")) supervisor.start(name);
      const verdict = judge(state);
      if (verdict === "ready") resolve();
      else if (verdict !== "wait") reject(verdict);
    });
    if (stateNow()?.tag === "Stopped") supervisor.start(name);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      leave();
    }
  };
