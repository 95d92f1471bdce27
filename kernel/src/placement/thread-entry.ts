/**
 * What runs in the thread of a service: loads its module, starts it, serves its calls, and stops it. Started by `thread.ts`. An error that
 * nothing catches ends the thread, and with it the run.
 */
import { parentPort, workerData } from "node:worker_threads";
import * as Effect from "effect/Effect";
import { makeLink } from "./link.ts";
import type { ThreadStart } from "./thread-protocol.ts";
import { threadService } from "./thread-service.ts";

const program = Effect.gen(function* () {
  const port = parentPort;
  if (port === null) return;
  const link = yield* makeLink((message, sent) => {
    port.postMessage(message);
    sent?.();
  });
  port.on("message", (message) => link.receive(message));
  const start: ThreadStart = workerData;
  yield* link.serve(yield* threadService(link, start, Effect.runPromise));
});

// It serves until the thread ends. Should it end before that, nothing catches the rejection, and the thread ends with it.
void Effect.runPromise(Effect.scoped(program));
