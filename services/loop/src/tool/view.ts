/** Tools that show a session to people: its projects, a run at any moment of it, and the files that it left. They read. */
import { declaredError } from "../session/declared-error.ts";
import { foldRun, type RunMoment } from "../session/load-run.ts";
import type { Project } from "../session/project.ts";
import type { ProjectRegistry } from "../session/registry.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import { formatState, isoTime, ticketPolicy } from "../state/state-document.ts";
import { derivePolicy } from "../ticket/policy.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { errorMessage } from "../value/error.ts";
import { parseTicketId, type TicketId } from "../value/id.ts";
import { findPhase } from "../working-tree/measure.ts";
import { toMutable } from "./mutable.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { requireRunRow } from "./run.ts";

type ShownTicket = ToolOutput<"viewRun">["tickets"][number];

export const listProjects = (projects: ProjectRegistry): ToolOutput<"listProjects"> => ({
  projects: projects.names.toSorted().map((name) => ({
    name,
    is_default: name === projects.defaultName,
    ...showSession(projects, name),
  })),
});

/** One project that cannot be opened hides no other. */
const showSession = (
  projects: ProjectRegistry,
  name: string,
): Pick<ToolOutput<"listProjects">["projects"][number], "run_id" | "phase" | "problem"> => {
  try {
    const state = projects.find(name).peek();
    return { run_id: state?.runId ?? null, phase: state?.phase ?? null, problem: null };
  } catch (problem) {
    return { run_id: null, phase: null, problem: errorMessage(problem) };
  }
};

export const viewRun = (project: Project, { run_id, at: wanted }: ToolInput<"viewRun">): ToolOutput<"viewRun"> => {
  const run = requireRunRow(project, run_id);
  const moment = foldRun(project.store, run, wanted ?? run.last_seq);
  return {
    run_id,
    at: moment.at,
    last: run.last_seq,
    phase: moment.state.phase,
    ended_at: run.ended_at === null ? null : isoTime(run.ended_at),
    state: formatState(moment.state),
    tickets: showTickets(moment),
  };
};

/** The machine's state says where open tickets are; how closed ones ended is in what it asked to be kept. */
const showTickets = ({ state, tickets }: RunMoment): ShownTicket[] => {
  const open = new Map(
    [...(state.current === null ? [] : [state.current]), ...state.workers].map((work) => [work.ticket.id, work]),
  );
  const ready = new Map(state.ready.map((ticket) => [ticket.id, ticket]));
  const known = new Map<TicketId, { readonly ticket: Ticket; readonly note: string | null }>(tickets);
  for (const [id, ticket] of [...ready, ...[...open].map(([id, work]) => [id, work.ticket] as const)])
    known.set(id, { ticket, note: known.get(id)?.note ?? null });
  return [...known.values()]
    .toSorted((a, b) => a.ticket.order - b.ticket.order)
    .map(({ ticket, note }) => showTicket(state, { ticket, note, work: open.get(ticket.id) }));
};

interface TicketParts {
  readonly ticket: Ticket;
  readonly note: string | null;
  readonly work: TicketWork | undefined;
}

const showTicket = (state: RunState, { ticket, note, work }: TicketParts): ShownTicket => ({
  ticket_id: ticket.id,
  title: ticket.title,
  description: ticket.description,
  category: ticket.category,
  status: ticket.status,
  phase: work === undefined ? null : findPhase(state, work),
  priority: ticket.priority,
  risk: ticket.risk,
  rationale: ticket.rationale,
  acceptance_criteria: [...ticket.acceptanceCriteria],
  verification_commands: [...ticket.verificationCommands],
  steps: work?.steps ?? null,
  note,
  plan: work === undefined ? null : showPlan(work),
  policy:
    work !== undefined
      ? toMutable(ticketPolicy(state, work))
      : ticket.status === "ready"
        ? toMutable(derivePolicy(ticket, state.recent))
        : null,
});

const showPlan = ({ plan, heldPlan }: TicketWork): ShownTicket["plan"] => {
  const shown = heldPlan ?? plan;
  if (shown === null) return null;
  const { risk_level, files_to_touch, estimated_lines } = shown;
  return {
    state: heldPlan === null ? "approved" : "held",
    risk_level,
    files: files_to_touch.map(({ path, action, reason }) => ({ path, action, reason })),
    estimated_lines,
  };
};

const kinds = { diffs: "diff", prompts: "prompt", artifacts: "artifact" } as const;

const isKind = (folder: string | undefined): folder is keyof typeof kinds =>
  folder !== undefined && Object.hasOwn(kinds, folder);

/** `diffs/4-tkt_000000000001.patch`: its folder, the step, and the ticket where it has one. */
const namedParts = /^([a-z]+)\/(\d+)-.*?(tkt_[0-9a-z]{12})?(?:-\d+)?\.[a-z]+$/;

export const listRunFiles = (project: Project, { run_id }: ToolInput<"listRunFiles">): ToolOutput<"listRunFiles"> => {
  requireRunRow(project, run_id);
  return {
    files: project.store.fileEntries(run_id).flatMap(({ path, bytes }) => {
      const [, folder, step = "0", ticket = ""] = namedParts.exec(path) ?? [];
      return isKind(folder)
        ? [{ path, kind: kinds[folder], step: Number(step), ticket_id: parseTicketId(ticket) ?? null, bytes }]
        : [];
    }),
  };
};

export const readRunFile = (
  project: Project,
  { run_id, path }: ToolInput<"readRunFile">,
): ToolOutput<"readRunFile"> => {
  requireRunRow(project, run_id);
  const file = project.store.file(run_id, path);
  if (file === undefined) throw declaredError("unknown_file", `${run_id} has left no file ${JSON.stringify(path)}`);
  return { path, text: file.body };
};
