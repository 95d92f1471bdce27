/**
 * Runs as the tasks of MCP's extension (SEP-2663): a call of a tool whose procedure may be a run is answered with a task, which its client polls, answers
 * and cancels by other requests, from any connection, also after a restart of the kernel. Pure.
 *
 * Not here: starting and finding runs (`task-calls.ts`), and what a run is (`runs/run.ts`).
 */
import { codes, type WireError } from "@fairlead/contracts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isRecord, readMember } from "../../../call/record.ts";

/** What this reads of a run, as `kernel.getRun` shows it. */
export interface TaskRun {
  readonly id: string;
  /** Full name. */
  readonly procedure: string;
  readonly state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled";
  readonly progress: { readonly progress: number; readonly total?: number; readonly message?: string } | null;
  readonly question: {
    readonly id: string;
    readonly message: string;
    readonly schema: Readonly<Record<string, unknown>>;
  } | null;
  readonly output: unknown;
  readonly error: WireError | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How a run ended; `undefined` while it goes on, or where it was cancelled. */
export type TaskEnd =
  | { readonly kind: "result"; readonly result: CallToolResult }
  | {
      readonly kind: "error";
      readonly error: { readonly code: number; readonly message: string; readonly data: object };
    };

type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** What every answer has of a task. Times are ISO 8601, durations milliseconds. */
interface Task {
  readonly [key: string]: unknown;
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** Runs are kept for seven days after their end, and so at least as long after their start. */
const ttlMs = 7 * 24 * 3_600_000;
const pollIntervalMs = 1_000;

/** The answer to the call that began it. */
export const toCreatedTask = (run: TaskRun): Task & { readonly resultType: "task" } => ({
  resultType: "task",
  ...toTask(run, "working"),
});

/** The answer to `tasks/get`. To a client that shows no forms it says who can answer. */
export const toDetailedTask = (run: TaskRun, end: TaskEnd | undefined, showsForms: boolean): Task => {
  switch (end?.kind) {
    case "result":
      return { ...toTask(run, "completed"), result: end.result };
    case "error":
      return { ...toTask(run, "failed"), error: end.error };
    case undefined:
      break;
  }
  if (run.state === "cancelled") return toTask(run, "cancelled");
  const { question } = run;
  if (run.state !== "waiting" || question === null) return toTask(run, "working");
  if (!showsForms) return { ...toTask(run, "working"), statusMessage: forPerson(run.id, question.message) };
  const { id, message, schema } = question;
  const params = { mode: "form", message, requestedSchema: schema };
  return { ...toTask(run, "input_required"), inputRequests: { [id]: { method: "elicitation/create", params } } };
};

const forPerson = (id: string, message: string): string =>
  `It waits for an answer, which a person gives with \`fairlead runs answer ${id}\`: ${message}`;

const toTask = ({ id, progress, createdAt, updatedAt }: TaskRun, status: TaskStatus): Task => {
  const statusMessage = status === "working" ? progressText(progress) : undefined;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs,
    pollIntervalMs,
  };
};

const progressText = (progress: TaskRun["progress"]): string | undefined => {
  if (progress === null) return undefined;
  const { progress: done, total, message } = progress;
  return [total === undefined ? `${done}` : `${done} of ${total}`, message].filter(Boolean).join(": ");
};

/** Failures of the kernel or of the code; all others are results that a model reads, as with any call. */
const failing: ReadonlySet<WireError["code"]> = new Set(["internal", "unknown", "data_loss", "unavailable"]);

/** True where a task has failed, and not its tool. */
export const isTaskFailure = ({ code }: WireError): boolean => failing.has(code) || codes[code].mcp === "protocol";

/** An answer to `inputRequests`, as a run takes it; `undefined` for what is none. */
export const toRunAnswer = (
  response: unknown,
): { readonly action: "accept" | "decline"; readonly content?: unknown } | undefined => {
  const action = readMember(response, "action");
  if (action === "decline" || action === "cancel") return { action: "decline" };
  if (action !== "accept") return undefined;
  const content = readMember(response, "content");
  return { action, ...(isRecord(content) && Object.keys(content).length > 0 && { content }) };
};
