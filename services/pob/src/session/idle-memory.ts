/** Gives memory back while a process has nothing to do: a full collection, and a restart when it is still too large. */
import { residentBytes, type Subprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import type { TurnQueue } from "../engine/turn-queue.ts";
import type { PobSettings } from "../setup/settings.ts";

/** Answers with what is to be called after each request. The wait ends with the scope. */
export const releaseMemoryWhenIdle = (
  process: Subprocess,
  settings: PobSettings,
  inTurn: TurnQueue,
): Effect.Effect<() => void, never, Scope> =>
  Effect.gen(function* () {
    let idle: NodeJS.Timeout | undefined;
    yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(idle)));
    return () => {
      clearTimeout(idle);
      idle = setTimeout(() => void releaseMemory(process, settings, inTurn), settings.idleMs);
      idle.unref();
    };
  });

const releaseMemory = async (
  process: Subprocess,
  { kind, memoryBytes }: PobSettings,
  inTurn: TurnQueue,
): Promise<void> => {
  const ready = (): boolean => process.status().state.tag === "Ready" && process.busy() === 0;
  try {
    if (kind === "shim" && ready()) await process.ask({ call: "collect", params: {} });
    const pid = process.pid();
    const large = pid !== undefined && (residentBytes(pid) ?? 0) > memoryBytes;
    if (large && ready()) await inTurn(() => process.restart());
  } catch {
    // A process that dies of this is started again by its supervisor.
  }
};
