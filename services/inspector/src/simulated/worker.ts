/**
 * The worker in which the simulated world lives and questions about it are answered, so that neither makes another service wait.
 * Started by the service with a `WorkerStart`.
 */

import { parentPort, workerData } from "node:worker_threads";
import { runToEnd } from "@fairlead/linq";
import { answerCall } from "../answer/answer.ts";
import { Inspection } from "../answer/inspection.ts";
import type { ToolCall, WorkerStart } from "../protocol/message.ts";
import { rootDescriptions } from "../world/descriptions.ts";
import { createWorld } from "../world/world.ts";

const { seed, entities, tickMs, limits, abandoned } = workerData as WorkerStart;
const world = createWorld({ seed, entities, limits, now: () => Date.now() });
let asked = 0;
/** For a question whose caller left it is no time at all: neither before any end nor after. */
const elapsed = (): number => (Atomics.load(abandoned, 0) === asked ? Number.NaN : performance.now());
const inspection = new Inspection({
  ...world,
  limits,
  elapsed,
  descriptions: rootDescriptions,
});

parentPort?.on("message", (ask: ToolCall) => {
  asked = ask.id;
  parentPort?.postMessage(runToEnd(answerCall(inspection, ask)));
});
if (tickMs > 0) setInterval(() => world.tick(tickMs), tickMs);
