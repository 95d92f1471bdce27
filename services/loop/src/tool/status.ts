/** Tools that change no session: `session_status`, `get_scope_policy`, `validate_scope`, `list_formulas`. */

import { isDeepStrictEqual } from "node:util";
import { listFormulas } from "../formula/catalog.ts";
import { listFileRisks } from "../plan/file-risk.ts";
import { checkFile, checkFiles, formatViolations } from "../scope/check.ts";
import { declaredError } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import { budgetWarnings, remainingBudgets } from "../state/budget.ts";
import type { EventPayload } from "../state/event.ts";
import { countFailed, type RunState, type TicketWork } from "../state/run-state.ts";
import { createDigest, ticketPolicy } from "../state/state-document.ts";
import { countTokens, formatUsage, noUsage } from "../state/usage.ts";
import { parseTicketId, type TicketId } from "../value/id.ts";
import { quantity } from "../value/text.ts";
import { findWork } from "../working-tree/measure.ts";
import { toMutable } from "./mutable.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";

export const sessionStatus = (project: Project): ToolOutput<"sessionStatus"> => {
  const state = project.requireSession();
  const now = project.options.clock();
  const { steps, timeMs } = remainingBudgets(state, now);
  const { current, lastTicket } = state;
  return {
    sessionId: state.sessionId,
    runId: state.runId,
    phase: state.phase,
    stepCount: state.stepCount,
    budgetRemaining: steps,
    ticketsCompleted: state.ticketsCompleted,
    ticketsFailed: countFailed(state),
    ticketsBlocked: state.ticketsBlocked,
    ticketsReady: state.ready.length,
    currentTicketId: current?.ticket.id ?? null,
    timeRemainingMs: timeMs,
    digest: toMutable(createDigest(state, now)),
    cost: isDeepStrictEqual(state.usage, noUsage) ? null : formatUsage(state.usage),
    verification: (current?.qaResults ?? []).map(({ command, success, by, before = null }) => ({
      command,
      success,
      by,
      before,
    })),
    scope: state.settings.scope,
    categories: [...state.settings.categories],
    budget_warnings: [...budgetWarnings(state, now)],
    pending_hints: [...state.hints],
    last_ticket_summary:
      lastTicket === null ? null : `${lastTicket.title} (${lastTicket.outcome}): ${lastTicket.summary}`,
    last_qa_failure: current?.lastQaFailure?.error ?? null,
    held_plan: describeWaitingPlan(state),
    paused: state.pause,
    forecast: forecastUsage(state),
    last_plan_rejection: current?.lastPlanRejection ?? null,
    stop_reason: state.stopReason,
  };
};

/** If the tickets that are left cost as much as those that are closed. */
const forecastUsage = (state: RunState): ToolOutput<"sessionStatus">["forecast"] => {
  const closed = state.ticketsCompleted + state.ticketsFailed + state.ticketsBlocked;
  if (closed === 0 || isDeepStrictEqual(state.usage, noUsage)) return null;
  const tokens = countTokens(state.usage);
  const left = state.ready.length + state.workers.length + (state.current === null ? 0 : 1);
  const [cost, each] = [state.usage.costUsd / closed, tokens / closed];
  return {
    cost_per_ticket_usd: cost,
    tokens_per_ticket: Math.round(each),
    tickets_left: left,
    total_cost_usd: state.usage.costUsd + cost * left,
    total_tokens: Math.round(tokens + each * left),
  };
};

/** The first plan that waits for a person. */
const describeWaitingPlan = ({ current, workers, settings }: RunState): ToolOutput<"sessionStatus">["held_plan"] => {
  const work = [...(current === null ? [] : [current]), ...workers].find(({ heldPlan }) => heldPlan !== null);
  if (work?.heldPlan == null) return null;
  const { risk_level, files_to_touch } = work.heldPlan;
  const files = files_to_touch.map(({ path }) => path);
  const file_risks = settings.fileRisk ? [...listFileRisks(files)] : [];
  return { ticket_id: work.ticket.id, risk_level, files, file_risks };
};

/** Ids of the tickets being worked on. */
const openTicketIds = (state: RunState): readonly string[] =>
  [...(state.current === null ? [] : [state.current]), ...state.workers].map(({ ticket }) => ticket.id);

export const requireRun = (state: RunState, runId: string): void => {
  if (state.runId !== runId) throw declaredError("unknown_run", `${runId} is not the active run; ${state.runId} is`);
};

/** The contract has checked its form. */
export const requireTicketId = (text: string): TicketId => {
  const id = parseTicketId(text);
  if (id === undefined) throw new Error(`${text} is not a ticket id`);
  return id;
};

/** The work of a ticket, or the declared error that says which there is. */
export const requireWork = (state: RunState, ticketId: string | undefined): TicketWork => {
  const open = openTicketIds(state);
  const closed = state.recent.find(({ id }) => id === ticketId);
  const past = closed === undefined ? "" : `; ${closed.id} is closed: it is ${closed.outcome}`;
  if (open.length === 0)
    throw declaredError("no_ticket", `no ticket is being worked on, the session is in ${state.phase}${past}`);
  const work = findWork(state, ticketId === undefined ? undefined : parseTicketId(ticketId));
  if (work === undefined)
    throw declaredError(
      "other_ticket",
      `${ticketId ?? "the ticket"} is not being worked on; ${open.join(", ")} is${past}`,
      {
        current: [...open],
      },
    );
  return work;
};

/** Logs an answer about the scope; not where another process drives the session, since asking must not take it over. */
const recordCheck = async (project: Project, check: EventPayload<"SCOPE_CHECKED">): Promise<void> => {
  if (project.isDriver) await project.send({ type: "SCOPE_CHECKED", payload: check }, () => null);
};

export const getScopePolicy = async (
  project: Project,
  { file_path, ticketId }: ToolInput<"getScopePolicy">,
): Promise<ToolOutput<"getScopePolicy">> => {
  const state = project.requireSession();
  const work = requireWork(state, ticketId);
  const policy = ticketPolicy(state, work);
  const violation = file_path === undefined ? undefined : checkFile(policy, file_path);
  if (file_path !== undefined)
    await recordCheck(project, { ticket_id: work.ticket.id, files: [file_path], reason: violation?.why ?? "" });
  return {
    ticket_id: work.ticket.id,
    policy: toMutable(policy),
    ...(file_path !== undefined && {
      file_check: { path: file_path, allowed: violation === undefined, reason: violation?.why ?? null },
    }),
  };
};

export const validateScope = async (
  project: Project,
  { ticketId, changedFiles }: ToolInput<"validateScope">,
): Promise<ToolOutput<"validateScope">> => {
  const state = project.requireSession();
  const work = requireWork(state, ticketId);
  const policy = ticketPolicy(state, work);
  const violations = checkFiles(policy, changedFiles);
  const reason = formatViolations(violations);
  await recordCheck(project, { ticket_id: work.ticket.id, files: changedFiles, reason });
  if (violations.length === 0)
    return { valid: true, message: `${quantity(changedFiles.length, "file")} checked: all may be touched` };
  const shown = violations.map(({ file, why, rule }) => ({ file, reason: why, rule }));
  const plain = ({ file, reason }: { readonly file: string; readonly reason: string }) => ({ file, reason });
  const categoryViolations = shown.filter(({ rule }) => rule === "category").map(plain);
  return {
    valid: false,
    message: `outside the ticket's scope: ${reason}`,
    violations: shown.map(plain),
    ...(categoryViolations.length > 0 && { categoryViolations }),
    allowedPaths: [...policy.allowed_paths],
  };
};

export const showFormulas = (project: Project): ToolOutput<"listFormulas"> => {
  const { formulas, unreadable } = listFormulas(project.home);
  return {
    formulas: formulas.map(({ name, version, description, categories, risk_tolerance, tags, builtin }) => ({
      name,
      version,
      description,
      categories: [...categories],
      risk_tolerance,
      tags: [...tags],
      builtin,
    })),
    unreadable: toMutable(unreadable),
  };
};
