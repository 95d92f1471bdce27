/**
 * Starts, finds, answers and cancels the runs behind tasks, by the kernel's own procedures and so with the caller's rights: another caller's task is
 * unknown. Loaded when a client uses one.
 *
 * Not here: what a client is shown of a run (`task.ts`).
 */
import type { WireError } from "@fairlead/contracts";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { CallRequest, Dispatch, Reply } from "../../../call/call.ts";
import { isRecord } from "../../../call/record.ts";
import { type TaskRun, toCreatedTask, toRunAnswer } from "./task.ts";

/** The terms of a call of a kernel's procedure. */
export type TaskTerms = Omit<CallRequest, "procedure" | "input">;

/** How a call of a tool becomes a run. */
type TaskStart =
  | { readonly kind: "started"; readonly task: ReturnType<typeof toCreatedTask> }
  | { readonly kind: "refused"; readonly error: WireError }
  /** This kernel has no runs for this caller: the call is made as any other. */
  | { readonly kind: "no_runs" };

/** What the caller has to know of; other refusals are of a kernel that ends with its caller, or of a token without the kernel's procedures. */
const callersOwn: ReadonlySet<WireError["code"]> = new Set([
  "invalid_argument",
  "resource_exhausted",
  "unauthenticated",
  "canceled",
]);

export const startTask = (
  dispatch: Dispatch,
  { procedure, input }: Pick<CallRequest, "procedure" | "input">,
  { timeoutMs: _, attempts: __, ...terms }: TaskTerms,
): Promise<TaskStart> =>
  dispatch.call({ ...terms, procedure: "kernel.startRun", input: { procedure, input } }).then(startedIn);

const startedIn = (reply: Reply): TaskStart => {
  if (reply.ok) return { kind: "started", task: toCreatedTask((reply.value as { readonly run: TaskRun }).run) };
  return callersOwn.has(reply.error.code) ? { kind: "refused", error: reply.error } : { kind: "no_runs" };
};

/** Throws a `ProtocolError` where there is no task of that id for this caller. */
export const findTask = (dispatch: Dispatch, id: string, terms: TaskTerms): Promise<TaskRun> =>
  dispatch.call({ ...terms, procedure: "kernel.getRun", input: { id } }).then(runIn);

/** Gives the answers to what the task waits for. Those to anything else have come too late, and count for nothing. */
export const updateTask = (
  dispatch: Dispatch,
  { id, responses }: { readonly id: string; readonly responses: unknown },
  terms: TaskTerms,
): Promise<void> =>
  findTask(dispatch, id, terms).then(({ question }) => {
    if (!isRecord(responses) || question === null || !Object.hasOwn(responses, question.id)) return undefined;
    const answer = toRunAnswer(responses[question.id]);
    if (answer === undefined) throw invalid(`the answer to ${question.id} needs an action: accept, decline or cancel`);
    const input = { id, question: question.id, ...answer };
    return dispatch.call({ ...terms, procedure: "kernel.answerRun", input }).then((reply) => {
      if (!reply.ok && reply.error.code === "invalid_argument") throw invalid(reply.error.message);
      acceptLate(reply);
    });
  });

/** Cancels it; one that has ended stays as it is. */
export const cancelTask = (dispatch: Dispatch, id: string, terms: TaskTerms): Promise<void> =>
  dispatch.call({ ...terms, procedure: "kernel.cancelRun", input: { id } }).then(acceptLate);

const acceptLate = (reply: Reply): void => {
  if (!reply.ok && !isLate(reply.error)) runIn(reply);
};

const isLate = ({ reason }: WireError): boolean => reason === "over" || reason === "answered" || reason === "not_asked";

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** The kernel's own contract says what it gives. */
const runIn = (reply: Reply): TaskRun => {
  if (reply.ok) return reply.value as TaskRun;
  const { code, message } = reply.error;
  const isUnknown = code === "not_found" || code === "invalid_argument" || code === "permission_denied";
  if (isUnknown) throw invalid("there is no task of that id for this caller");
  throw new ProtocolError(ProtocolErrorCode.InternalError, message);
};
