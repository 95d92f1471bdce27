/**
 * How a process ends: when it is asked to, and what is cleaned up afterwards. The same for children, commands and processes that speak
 * lines. Not here: why it ends.
 */
import * as Effect from "effect/Effect";
import type { SubprocessSpec } from "../protocol/spec.ts";
import type { Process } from "./launch.ts";

/** Milliseconds that output may still come after the process itself has ended: what left its group may hold the pipes for ever. */
const lateOutputMs = 250;

export const defaultStop = { graceMs: 1_000, termMs: 2_000 } as const;

/** Waits `graceMs` for the process to end by itself, then sends SIGTERM, then SIGKILL. Completes when it has ended. */
export const endProcess = (
  { exited, signal }: Process,
  { graceMs, termMs }: Required<NonNullable<SubprocessSpec["stop"]>>,
): Effect.Effect<void> => {
  const insist = Effect.sleep(graceMs).pipe(
    Effect.andThen(Effect.sync(() => signal("SIGTERM"))),
    Effect.andThen(Effect.sleep(termMs)),
    Effect.andThen(Effect.sync(() => signal("SIGKILL"))),
    Effect.andThen(Effect.never),
  );
  return Effect.raceFirst(Effect.asVoid(exited), insist);
};

/** For a process that has ended: what it left behind in its group goes with it, the rest of its output is waited for. */
export const cleanUp = (process: Process, outputMs: number = lateOutputMs): Effect.Effect<void> =>
  Effect.sync(() => process.signal("SIGKILL")).pipe(
    Effect.andThen(Effect.timeoutOption(process.closed, outputMs)),
    Effect.andThen(
      Effect.sync(() => {
        for (const stream of [process.stdin, process.stdout, process.stderr]) stream.destroy();
        process.release();
      }),
    ),
  );
