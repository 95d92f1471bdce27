/**
 * `driveAgent`: leads an agent through the open session, prompt by prompt, until it stops. What the agent says is a report like any client's; the server's
 * own runs decide about tickets. Everything is in the session's log, so that after a kill the next call goes on where this one was.
 *
 * Not here: one prompt's way to the agent and back (`answer-prompt.ts`).
 */
import { declaredError } from "../session/declared-error.ts";
import { nextChange } from "../session/next-change.ts";
import type { Project } from "../session/project.ts";
import { describePause } from "../state/pause.ts";
import { isoTime } from "../state/state-document.ts";
import { isWaiting } from "../state/waiting.ts";
import { advance } from "../tool/advance.ts";
import { endSession } from "../tool/end-session.ts";
import type { ToolInput, ToolOutput } from "../tool/procedure.ts";
import { parseTicketId } from "../value/id.ts";
import { quantity } from "../value/text.ts";
import { parseAgent } from "./agent-command.ts";
import { openSandbox } from "./agent-sandbox.ts";
import { type AgentDrive, answerPrompt, findFolder } from "./answer-prompt.ts";
import { createEventQueue } from "./event-queue.ts";
import { requireRepository } from "./open-session.ts";

type DriveEvent = ToolOutput<"driveAgent">;

export async function* driveAgent(
  project: Project,
  { agent, call_minutes, pass, ...wish }: ToolInput<"driveAgent">,
  signal: AbortSignal,
): AsyncGenerator<DriveEvent> {
  const argv = parseAgent(agent);
  requireRepository(project);
  project.requireSession();
  const sandbox = await openSandbox(argv[0], wish, project.options.ownersFolders?.() ?? []);
  const command = { argv, timeLimitMs: Math.round(call_minutes * 60_000), pass, sandbox };
  if (project.hasAgent) throw declaredError("agent_busy", `an agent is driven through the session of ${project.name}`);
  project.hasAgent = true;
  const reader = new AbortController();
  const queue = createEventQueue<DriveEvent>();
  const drive: AgentDrive = {
    project,
    command,
    signal: AbortSignal.any([signal, reader.signal]),
    emit: (kind, text, ticket = null, summary = null) => {
      const phase = project.peek()?.phase ?? summary?.final_phase ?? "DONE";
      const at = isoTime(project.options.clock());
      queue.push({ at, kind, phase, ticket_id: ticket, text: text.split("\n")[0] ?? "", summary });
    },
    calls: 0,
    reported: new Set(),
    silent: new Set(),
    failures: new Map(),
    problems: new Map(),
  };
  drive.emit("event", sandbox.describe);
  const work = driveToEnd(drive).then(queue.end, queue.fail);
  try {
    yield* queue;
  } finally {
    // Whoever reads no more ends the agent; the session stays.
    reader.abort();
    await work;
    project.hasAgent = false;
  }
}

const driveToEnd = async (drive: AgentDrive): Promise<void> => {
  const { project, signal, emit } = drive;
  while (!signal.aborted) {
    if (project.peek() === undefined) return emit("end", "the session was ended from elsewhere");
    const { next_action, phase, prompt, parallel_tickets = [] } = await advance(project, {}, "answerer");
    switch (next_action) {
      case "STOP":
        return finish(drive);
      case "WAIT":
        await waitForPerson(drive);
        break;
      case "PARALLEL_EXECUTE":
        await answerTogether(drive, parallel_tickets);
        break;
      case "PROMPT":
        if (prompt !== null)
          await answerPrompt(drive, { phase, prompt, ticket: project.peek()?.current?.ticket.id ?? null });
    }
  }
};

type ParallelTickets = NonNullable<ToolOutput<"advance">["parallel_tickets"]>;

const answerTogether = async (drive: AgentDrive, tickets: ParallelTickets): Promise<void> => {
  if (tickets.length === 0) return waitForPerson(drive);
  const open = tickets.map(({ ticket_id, ...one }) => ({ ...one, ticket: parseTicketId(ticket_id) ?? null }));
  // Git makes one worktree at a time.
  for (const { ticket } of open) if (ticket !== null) await findFolder(drive.project, ticket);
  // A failure is thrown when none of them is at work any more.
  const ends = await Promise.allSettled(open.map((one) => answerPrompt(drive, one)));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
};

const waitForPerson = async ({ project, signal, emit }: AgentDrive): Promise<void> => {
  const state = project.peek();
  const held = state?.current ?? state?.workers[0];
  if (state?.pause != null) emit("wait", describePause(state.pause), held?.ticket.id ?? null);
  else
    emit(
      "wait",
      `a plan of high risk waits for a person: fairlead session approve, or reject${held == null ? "" : ` (${held.ticket.title})`}`,
      held?.ticket.id ?? null,
    );
  for (;;) {
    const changed = nextChange(project, signal);
    if (signal.aborted || !isWaiting(project.peek())) return;
    await changed;
  }
};

const finish = async ({ project, emit, calls, reported, silent }: AgentDrive): Promise<void> => {
  const ended = await endSession(project, {});
  const { run_id, final_phase, tickets_completed, tickets_failed, tickets_verified, message, work } = ended;
  emit(
    "end",
    `${final_phase}: ${quantity(tickets_completed, "ticket")} done, ${tickets_verified.server} of them verified by the server; ${tickets_failed} failed; ${quantity(calls, "call")} of the agent; ${message}`,
    null,
    {
      run_id,
      final_phase,
      tickets_completed,
      tickets_verified,
      tickets_failed,
      agent_calls: calls,
      reason: message,
      work,
    },
  );
  if (final_phase !== "DONE")
    throw declaredError("not_done", `the session ended in ${final_phase}: ${message}`, { run_id, final_phase });
  // A program that asks for the exit code must not take silence for a repository with nothing to do.
  if (reported.size === 0 && silent.size > 0)
    throw declaredError(
      "not_done",
      `the agent has reported on none of its tickets (${silent.size}): no answer about them could be taken`,
      { run_id, final_phase },
    );
};
