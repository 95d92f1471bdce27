/**
 * One prompt of a session on its way to the agent and back: where the agent works, what it is given, and which event its answer is. An answer
 * without a report still counts where the working tree shows one; work that changed nothing is not done, whatever the agent says.
 */
import { join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import { declaredError } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import { isTerminal, type SessionPhase } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { usageReport } from "../state/usage.ts";
import { completeTicket } from "../tool/complete-ticket.ts";
import { ingestEvent } from "../tool/ingest-event.ts";
import { waitFor } from "../tool/pause-session.ts";
import type { ToolInput, ToolOutput } from "../tool/procedure.ts";
import { createReceipt } from "../tool/record-event.ts";
import { failTicket, gitSetup } from "../tool/ticket.ts";
import type { TicketId } from "../value/id.ts";
import { limits } from "../value/limits.ts";
import { cutStart } from "../value/text.ts";
import { findPhase, findWork, measureTicket } from "../working-tree/measure.ts";
import { type AgentCommand, callAgent } from "./agent-command.ts";
import { type AgentUsage, findQuestion, findReport, type ReportType, readAnswer } from "./agent-output.ts";
import { exampleReport, writeAgentPrompt } from "./agent-prompt.ts";
import { inScoutTree } from "./scout-tree.ts";

/**
 * Calls in a row for one ticket that may fail before the agent counts as unusable, and answers that cannot be taken before a ticket is given
 * up, or the agent counts as unusable where it only looks around.
 */
const most = { failures: 3, answers: 3 } as const;

/** An agent on its way through a session. */
export interface AgentDrive {
  readonly project: Project;
  readonly command: AgentCommand;
  /** Fires when it is read no more. */
  readonly signal: AbortSignal;
  readonly emit: (
    kind: ToolOutput<"driveAgent">["kind"],
    text: string,
    ticket?: TicketId | null,
    summary?: ToolOutput<"driveAgent">["summary"],
  ) => void;
  calls: number;
  /** Tickets that it has reported on, and those that were given up since nothing that it said could be taken. */
  readonly reported: Set<TicketId>;
  readonly silent: Set<TicketId>;
  /** By ticket, or `scout`: its calls that have failed since the last one that did not. */
  readonly failures: Map<string, number>;
  /** By ticket, or `scout`: why its last answers could not be taken. */
  readonly problems: Map<string, { readonly count: number; readonly text: string }>;
}

interface OpenPrompt {
  readonly phase: SessionPhase;
  readonly prompt: string;
  readonly ticket: TicketId | null;
}

export const answerPrompt = async (drive: AgentDrive, open: OpenPrompt): Promise<void> => {
  const { project, emit } = drive;
  if (open.phase === "QA" && open.ticket !== null) return verify(drive, open.ticket);
  const type = expectedType(project, open.phase);
  const before = project.peek();
  const answer = await ask(drive, open, type);
  if (answer === undefined) return;
  const { text, usage } = readAnswer(answer);
  // An agent that has the session's tools may have used them.
  if (hasMoved(before, project.peek(), open)) {
    if (usage !== undefined) await recordRefusal(drive, open, "the agent has reported by itself", usage);
    return emit("reply", "the agent has reported by itself", open.ticket);
  }
  const reported = findReport(text, type);
  const question = reported === undefined ? findQuestion(text) : undefined;
  const isWorking = open.phase === "EXECUTE" && question?.isLast !== true;
  const payload = reported ?? (question === undefined || isWorking ? await readTree(project, open, text) : undefined);
  if (question !== undefined && payload === undefined) {
    const { message } = await waitFor(project, { by: "agent", text: question.text }, { usage: toSessionUsage(usage) });
    return emit("event", message, open.ticket);
  }
  if (payload === undefined) return refuse(drive, open, describeMissing(type, text), usage);
  const checked = await checkResult(project, open, payload);
  const event = { ...checked, ...(open.ticket !== null && { ticket_id: open.ticket }), ...(usage && { usage }) };
  await report(drive, open, { type, payload: event }, usage);
};

/** Characters of an answer that are shown where no report was found in it. */
const shownEnd = 200;

/** What was expected of the answer, and what came. */
const describeMissing = (type: ReportType, text: string): string => {
  const came = text.trim();
  const end = came === "" ? "it is empty" : `it ends with ${JSON.stringify(came.slice(-shownEnd))}`;
  return `expected a block of JSON at its end, ${exampleReport(type)}, and found none that can be read; ${end}`;
};

const toSessionUsage = (usage: AgentUsage | undefined) => usage && usageReport.parse(usage);

/** Writes down that a call reports nothing, and what it has cost: a limit on money counts each call, also after a kill. */
const recordRefusal = async (
  { project }: AgentDrive,
  { ticket }: OpenPrompt,
  why: string,
  usage: AgentUsage | undefined,
): Promise<void> => {
  if (project.peek() === undefined) return;
  const payload = { ...(ticket !== null && { ticket_id: ticket }), reason: why.slice(0, limits.smallText) };
  await project.send({ type: "ANSWER_REFUSED", payload, usage: toSessionUsage(usage) }, createReceipt);
};

/** Whether the prompt has been answered meanwhile. */
const hasMoved = (before: RunState | undefined, now: RunState | undefined, { phase, ticket }: OpenPrompt): boolean => {
  if (before === undefined || now === undefined) return true;
  if (ticket === null) return now.phase !== before.phase || now.scout !== before.scout;
  const work = findWork(now, ticket);
  return work === undefined || findPhase(now, work) !== phase;
};

const expectedType = (project: Project, phase: SessionPhase): ReportType => {
  switch (phase) {
    case "PLAN":
      return "PLAN_SUBMITTED";
    case "PR":
      return "PR_CREATED";
    case "SCOUT":
      return project.peek()?.scout.pending == null ? "SCOUT_OUTPUT" : "PROPOSALS_REVIEWED";
    default:
      return "TICKET_RESULT";
  }
};

/** What the agent printed; `undefined` where it was ended, or has failed and printed nothing that helps. */
const ask = async (drive: AgentDrive, open: OpenPrompt, type: ReportType): Promise<string | undefined> => {
  const { project, emit } = drive;
  const title = open.ticket === null ? "" : `: ${findTitle(project, open.ticket)}`;
  emit("prompt", `${open.phase}${title}`, open.ticket);
  drive.calls += 1;
  const problem = drive.problems.get(problemKey(open))?.text;
  const scouting = open.ticket === null;
  const watch = watchSession(drive);
  const run = (folder: string) =>
    callAgent(drive.command, {
      project,
      folder,
      prompt: writeAgentPrompt({ prompt: open.prompt, type, folder, readOnly: scouting, problem }),
      signal: watch.signal,
    });
  try {
    const end = scouting ? await inScoutTree(project, run) : await run(await findFolder(project, open.ticket));
    if (end.kind === "missing") throw declaredError("agent_unusable", `the agent cannot be started: ${end.why}`);
    if (end.kind === "canceled") return undefined;
    const { text, usage } = readAnswer(end.output);
    if (end.kind === "answered" || findReport(text, type) !== undefined) {
      drive.failures.delete(problemKey(open));
      return end.output;
    }
    const failures = (drive.failures.get(problemKey(open)) ?? 0) + 1;
    drive.failures.set(problemKey(open), failures);
    emit("problem", `the agent failed: ${end.why}`, open.ticket);
    await recordRefusal(drive, open, `the agent failed: ${end.why}`, usage);
    if (failures >= most.failures)
      throw declaredError("agent_unusable", `the agent failed ${most.failures} times in a row; at last ${end.why}`);
    return undefined;
  } finally {
    watch.stop();
  }
};

/** Fires when it is read no more, and when the session is cancelled or ended meanwhile. */
const watchSession = ({ project, signal }: AgentDrive): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const over = new AbortController();
  const stop = project.onChange(() => {
    const state = project.peek();
    if (state === undefined || state.ended || isTerminal(state.phase)) over.abort();
  });
  return { signal: AbortSignal.any([signal, over.signal]), stop };
};

const problemKey = ({ ticket }: OpenPrompt): string => ticket ?? "scout";

const findTitle = (project: Project, ticket: TicketId): string => {
  const state = project.peek();
  return (state && findWork(state, ticket)?.ticket.title) ?? ticket;
};

/** The ticket's worktree, or the project where it is worked on in place. */
export const findFolder = async (project: Project, ticket: TicketId): Promise<string> => {
  if (project.requireSession().settings.direct) return project.root;
  const { worktree } = await gitSetup(project, { ticketId: ticket });
  return worktree === null ? project.root : join(project.root, worktree);
};

/** An agent that worked and reported nothing: what it changed is its result. */
const readTree = async (project: Project, { phase, ticket }: OpenPrompt, text: string) => {
  if (phase !== "EXECUTE" || ticket === null) return undefined;
  const files = await listChanged(project, ticket);
  return files === undefined || files.length === 0
    ? undefined
    : { status: "done", changed_files: files, summary: cutStart(text.trim(), 2_000) };
};

const listChanged = async (project: Project, ticket: TicketId): Promise<readonly string[] | undefined> => {
  const state = project.requireSession();
  const work = findWork(state, ticket);
  const change = work && (await measureTicket(project, state, { work }));
  return change?.measured.files;
};

/** Work that is said to be done and changed nothing has failed. */
const checkResult = async (
  project: Project,
  { phase, ticket }: OpenPrompt,
  payload: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> => {
  if (phase !== "EXECUTE" || ticket === null || payload.status === "failed") return payload;
  const files = await listChanged(project, ticket);
  if (files === undefined || files.length > 0) return payload;
  return { ...payload, status: "failed", reason: "the agent said that it is done, and nothing has changed" };
};

/** The server runs the ticket's commands, and that decides. */
const verify = async (drive: AgentDrive, ticket: TicketId): Promise<void> => {
  const { project, signal } = drive;
  const state = project.requireSession();
  const open = { phase: "QA", prompt: "", ticket } as const;
  if (state.settings.qa === "server") {
    const payload = { ticket_id: ticket, summary: "the server's run decides" };
    return report(drive, open, { type: "QA_PASSED", payload });
  }
  const { success, message } = await completeTicket(project, { ticketId: ticket, runId: state.runId }, signal);
  drive.emit("event", `QA: ${message}`, ticket);
  if (!success) await report(drive, open, { type: "QA_FAILED", payload: { ticket_id: ticket, error: message } });
};

const report = async (
  drive: AgentDrive,
  open: OpenPrompt,
  event: Pick<ToolInput<"ingestEvent">, "type" | "payload">,
  usage?: AgentUsage,
): Promise<void> => {
  const { project, emit, signal } = drive;
  try {
    const { message } = await ingestEvent(project, event, signal);
    drive.problems.delete(problemKey(open));
    if (open.ticket !== null) drive.reported.add(open.ticket);
    emit("event", `${event.type}: ${message}`, open.ticket);
  } catch (problem) {
    if (!(problem instanceof FairleadError) || problem.code !== "invalid_argument") throw problem;
    await refuse(drive, open, problem.message, usage);
  }
};

/** The agent gets the reason with the next prompt; after some answers of that kind its ticket is given up, and without a ticket the agent. */
const refuse = async (
  drive: AgentDrive,
  open: OpenPrompt,
  text: string,
  usage: AgentUsage | undefined,
): Promise<void> => {
  const { project, emit, problems } = drive;
  const count = (problems.get(problemKey(open))?.count ?? 0) + 1;
  emit("problem", `the answer cannot be taken: ${text}`, open.ticket);
  problems.set(problemKey(open), { count, text });
  await recordRefusal(drive, open, text, usage);
  if (count < most.answers) return;
  problems.delete(problemKey(open));
  // That nothing was found is the agent's to say: silence is no empty list.
  if (open.ticket === null)
    throw declaredError(
      "agent_unusable",
      `no answer of the agent could be taken, ${most.answers} times in a row: ${text}`,
    );
  if (!drive.reported.has(open.ticket)) drive.silent.add(open.ticket);
  const reason = `no answer of the agent could be taken: ${text}`.slice(0, 8_192);
  const { runId } = project.requireSession();
  const { message } = await failTicket(project, { ticketId: open.ticket, runId, reason });
  emit("event", message, open.ticket);
};
