/** The thread that writes answers, events and runs: a commit waits for the disk, and the kernel's event loop must not. Started by `state-writer.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { unpackAnswers } from "./answer-batch.ts";
import { StateFile } from "./state-file.ts";
import type { WriterReply, WriterRequest, WriterStart } from "./state-write.ts";

/** Milliseconds between looks for old answers; one look takes a number of them. */
const sweepEveryMs = 5_000;

const { file, limits }: WriterStart = workerData;
const reply = (message: WriterReply): void => parentPort?.postMessage(message);
const state = new StateFile(file, { limits, onDamage: (aside) => reply({ type: "damaged", aside }) });

const done = (work: () => unknown): WriterReply => {
  try {
    return { type: "committed", results: JSON.stringify(work()) };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
    return { type: "failed", code, message: cause instanceof Error ? cause.message : String(cause) };
  }
};

const append = ({ start, calls, others }: Extract<WriterRequest, { type: "events" }>): readonly never[] => {
  state.append(start, { calls, others: JSON.parse(others) });
  return [];
};

const sweeping = setInterval(() => state.sweep(), sweepEveryMs);
state.sweep();

parentPort?.on("message", (request: WriterRequest) => {
  if (request.type === "batch") reply(done(() => state.commit(unpackAnswers(request.writes))));
  else if (request.type === "events") reply(done(() => append(request)));
  else if (request.type === "runs") reply(done(() => state.commitRuns(JSON.parse(request.writes))));
  else if (request.type === "read-runs") reply(done(() => state.readRuns(JSON.parse(request.read))));
  else state.close();
  if (request.type !== "close") return;
  clearInterval(sweeping);
  parentPort?.close();
});
