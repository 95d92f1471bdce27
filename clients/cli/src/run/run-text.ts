/** Runs as text for people. Pure. */
import type { KernelTypes } from "@fairlead/client/kernel";
import { table } from "../terminal/table.ts";

export type RunView = KernelTypes["getRun"]["output"];

/** Whether nothing more happens in a run of that state. */
export const isOver = (state: RunView["state"]): boolean =>
  state === "done" || state === "failed" || state === "cancelled";

/** One line a run, the latest first. */
export const runTable = (runs: readonly RunView[]): string =>
  table([
    ["ID", "PROCEDURE", "STATE", "PROGRESS", "BY", "STARTED"],
    ...runs.map((run) => [run.id, run.procedure, run.state, progressText(run), run.principal, run.createdAt]),
  ]);

/** All of one run. */
export const runText = (run: RunView): string =>
  [
    table([
      ["id", run.id],
      ["procedure", run.procedure],
      ["state", run.attempt > 1 ? `${run.state}, attempt ${run.attempt}` : run.state],
      ["started", `${run.createdAt} by ${run.principal}`],
      ["changed", run.updatedAt],
      ...(run.progress === null ? [] : [["progress", progressText(run)]]),
      ...(run.question === null ? [] : [["question", `${run.question.message} (${run.question.id})`]]),
      ...(run.error === null ? [] : [["error", `${run.error.code}: ${run.error.message}`]]),
      ...(run.error?.hint === undefined ? [] : [["hint", run.error.hint]]),
    ]),
    ...run.log.map(({ at, text }) => `${at} ${text}`),
    ...(run.state === "done" ? [JSON.stringify(run.output, undefined, 2)] : []),
  ].join("\n");

export const progressText = ({ progress }: Pick<RunView, "progress">): string => {
  if (progress === null) return "";
  const { progress: done, total, message } = progress;
  const share = total === undefined || total <= 0 ? `${done}` : `${Math.round((100 * done) / total)} %`;
  return message === undefined ? share : `${share} ${message}`;
};

/** Where a run is, as one line that changes. */
export const stepText = (run: RunView): string =>
  run.state === "waiting" && run.question !== null
    ? `waits for an answer to ${run.question.id}: ${run.question.message}`
    : [run.state, progressText(run)].filter((part) => part !== "").join(", ");
