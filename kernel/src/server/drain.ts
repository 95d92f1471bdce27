/**
 * The end of a server that has stopped accepting: what its connections have sent is answered, the last answer says so, and a connection
 * that rests is ended only when it has been quiet for a while and nothing waits to be read from it.
 *
 * Not here: what of services and calls ends when (`boot/kernel.ts`).
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import * as Effect from "effect/Effect";
import type { Connection, Serving } from "./connection.ts";
import type { Mount } from "./mount.ts";
import type { ServerTimes } from "./settings.ts";

export interface Draining {
  readonly server: Server;
  readonly serving: Serving;
  readonly mounts: readonly Mount[];
  /** Milliseconds. */
  readonly times: Pick<ServerTimes, "quiet" | "arrival" | "drain">;
}

/** Milliseconds between looks at what is left. */
const lookEveryMs = 10;

/** Succeeds when no connection is left and the mounts are closed. */
export const drain = (
  { server, serving, mounts, times }: Draining,
  find: (socket: Socket) => Connection | undefined,
): Effect.Effect<void> => {
  const { table } = serving;
  const announce = Effect.sync(() => {
    serving.phase = "ending";
    began = performance.now();
    for (const connection of table) {
      if (connection.open.size === 0) connection.beginRest(began);
      find(connection.socket)?.announceEnd();
    }
  });
  let began = 0;
  /** Everything that has arrived was read when the poll before this turn of the event loop ended. */
  const endResting = Effect.andThen(
    afterPoll,
    Effect.sync(() => {
      const now = performance.now();
      for (const connection of table) {
        const isOver = connection.isResting
          ? now - connection.restingSince >= times.quiet
          : now - began >= times.arrival && !connection.isWorking;
        if (isOver) connection.socket.destroy();
      }
    }),
  );
  const untilQuiet = Effect.gen(function* () {
    const end = performance.now() + times.quiet;
    do {
      yield* endResting;
      if (table.size === 0) return;
      yield* Effect.sleep(lookEveryMs);
    } while (performance.now() < end);
  });
  const endMounts = Effect.promise(() => Promise.allSettled(mounts.map((mount) => mount.close())));
  const untilEmpty = Effect.gen(function* () {
    for (;;) {
      yield* endResting;
      if (table.size === 0) return;
      yield* Effect.sleep(lookEveryMs);
    }
  });
  const close = Effect.sync(() => {
    serving.phase = "closed";
  });
  const overdue = Effect.andThen(
    Effect.sleep(times.drain),
    Effect.sync(() => server.closeAllConnections()),
  );
  const ended = untilQuiet.pipe(
    Effect.andThen(close),
    Effect.andThen(Effect.all([endMounts, untilEmpty], { concurrency: "unbounded", discard: true })),
  );
  const raced = Effect.raceFirst(ended, Effect.andThen(overdue, Effect.never));
  // Only now Node's own `close`: it ends the timer that looks for slow requests.
  return announce.pipe(Effect.andThen(raced), Effect.andThen(Effect.sync(() => void server.close())));
};

/** Succeeds once the event loop has polled its sockets: all that had arrived has been read, and all waiting connections accepted. */
export const afterPoll: Effect.Effect<void> = Effect.callback((resume) => {
  setImmediate(() => setImmediate(() => resume(Effect.void)));
});
