/** The thread that writes answers: a commit waits for the disk, and the kernel's event loop must not. Started by `answer-writer.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { AnswerFile } from "./answer-file.ts";
import type { AnswerWrite, WriterReply, WriterRequest, WriterStart } from "./answer-write.ts";

/** Milliseconds between looks for old answers; one look takes a number of them. */
const sweepEveryMs = 5_000;

const { file, limits }: WriterStart = workerData;
const reply = (message: WriterReply): void => parentPort?.postMessage(message);
const answers = new AnswerFile(file, { limits, onDamage: (aside) => reply({ type: "damaged", aside }) });

const commit = (writes: readonly AnswerWrite[]): WriterReply => {
  try {
    return { type: "committed", results: JSON.stringify(answers.commit(writes)) };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
    return { type: "failed", code, message: cause instanceof Error ? cause.message : String(cause) };
  }
};

const sweeping = setInterval(() => answers.sweep(), sweepEveryMs);
answers.sweep();

parentPort?.on("message", (request: WriterRequest) => {
  if (request.type === "batch") {
    reply(commit(JSON.parse(request.writes)));
    return;
  }
  answers.close();
  if (request.type === "reopen") return;
  clearInterval(sweeping);
  parentPort?.close();
});
