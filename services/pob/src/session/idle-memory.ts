/** Gives memory back while a process has nothing to do: a full collection, and a restart when it is still too large. */
import { privateBytes, type Subprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import * as FiberHandle from "effect/FiberHandle";
import type { Scope } from "effect/Scope";
import type { TurnQueue } from "../engine/turn-queue.ts";
import type { PobSettings } from "../setup/settings.ts";

/** Answers with what is to be called after each request. The wait ends with the scope. */
export const releaseMemoryWhenIdle = (
  process: Subprocess,
  settings: PobSettings,
  inTurn: TurnQueue,
): Effect.Effect<() => void, never, Scope> =>
  Effect.map(FiberHandle.makeRuntime<never>(), (replaceWait) => {
    const release = Effect.promise(() => releaseMemory(process, settings, inTurn));
    return () => void replaceWait(Effect.andThen(Effect.sleep(settings.idleMs), release));
  });

const releaseMemory = async (
  process: Subprocess,
  { kind, memoryBytes }: PobSettings,
  inTurn: TurnQueue,
): Promise<void> => {
  const ready = (): boolean => process.status().state.tag === "Ready" && process.busy() === 0;
  try {
    // The timer began in the last call, which is over.
    if (kind === "shim" && ready()) await process.ask({ call: "collect", params: {} }, { detached: true });
    const pid = process.pid();
    const large = pid !== undefined && (privateBytes(pid) ?? 0) > memoryBytes;
    // In the meantime it may have been put to sleep; a restart would start it again.
    if (large) await inTurn(async () => void (ready() && (await process.restart())));
  } catch {
    // A process that dies of this is started again by its supervisor.
  }
};
