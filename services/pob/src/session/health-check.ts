/**
 * Looks at a process while nothing is asked of it: one that was stopped, or hangs, is killed and started again before the next call has
 * to wait for it.
 */
import type { Subprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import type { Scope } from "effect/Scope";
import type { PobSettings } from "../setup/settings.ts";

/** Runs until the scope ends. */
export const checkHealth = (process: Subprocess, settings: PobSettings): Effect.Effect<void, never, Scope> =>
  Effect.promise(() => ping(process, settings)).pipe(
    Effect.repeat(Schedule.spaced(settings.healthMs)),
    Effect.delay(settings.healthMs),
    Effect.forkScoped,
    Effect.asVoid,
  );

const ping = async (process: Subprocess, { kind, timeoutMs }: PobSettings): Promise<void> => {
  if (process.status().state.tag !== "Ready" || process.busy() > 0) return;
  const body = kind === "shim" ? { call: "ping", params: {} } : { action: "ping", params: {} };
  // Any answer will do: a fork may not know the request. Without one the kernel kills the process, and its supervisor starts another.
  await process.ask(body, { detached: true, timeoutMs: timeoutMs / 2 }).catch(() => undefined);
};
