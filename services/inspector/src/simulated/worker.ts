/**
 * The worker in which the simulated world lives and questions about it are answered, so that neither makes another service wait.
 * Started by the service with a `WorkerStart`.
 */

import { parentPort, workerData } from "node:worker_threads";
import type { Resumable } from "@fairlead/linq";
import { answerCall } from "../answer/answer.ts";
import { Inspection } from "../answer/inspection.ts";
import { runSlice, SliceClock } from "../answer/slice-clock.ts";
import type { SliceReply, ToolCall, ToolReply, WorkerMessage, WorkerStart } from "../protocol/message.ts";
import { rootDescriptions } from "../world/descriptions.ts";
import { createWorld } from "../world/world.ts";

const { seed, entities, tickMs, limits } = workerData as WorkerStart;
const world = createWorld({ seed, entities, limits, now: () => Date.now() });

/** Every type of the world is declared: no list of names stops it. */
const declaredNames = { estimatedMs: 0 };

interface RunningCall {
  readonly work: Resumable<ToolReply>;
  readonly clock: SliceClock;
}

/** Questions that were begun and are not answered, by id. */
const running = new Map<number, RunningCall>();

const begin = (call: ToolCall): RunningCall => {
  const clock = new SliceClock();
  const options = { ...world, limits, elapsed: () => clock.elapsed(), budget: clock, descriptions: rootDescriptions };
  const begun = { work: answerCall(new Inspection(options), call, { names: declaredNames, clock }), clock };
  running.set(call.id, begun);
  return begun;
};

const reply = (call: ToolCall, ms: number): SliceReply => {
  const { work, clock } = running.get(call.id) ?? begin(call);
  clock.begin(ms);
  const done = runSlice(work, clock);
  clock.end();
  if (done === undefined) return { id: call.id, isPaused: true };
  running.delete(call.id);
  return done.value;
};

parentPort?.on("message", (message: WorkerMessage) => {
  if (message.kind === "drop") running.delete(message.id);
  else parentPort?.postMessage(reply(message.call, message.ms));
});
if (tickMs > 0) setInterval(() => world.tick(tickMs), tickMs);
