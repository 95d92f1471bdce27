/**
 * The state as `state.json` and the wire show it: snake_case, the fields of the spec at the top level, nothing that only the
 * machine needs.
 */

import { needsNoPlan } from "../plan/file-risk.ts";
import type { ScopePolicy } from "../scope/policy.ts";
import { assessRisk, detectLoop, emptySpindle, type Spindle, type SpindleRisk } from "../spindle/spindle.ts";
import { derivePolicy } from "../ticket/policy.ts";
import { remainingBudgets } from "./budget.ts";
import { type Coverage, computeCoverage } from "./coverage.ts";
import { isTerminal, type SessionPhase } from "./phase.ts";
import { countFailed, type LastTicket, type RunState, type TicketWork } from "./run-state.ts";
import type { Verification } from "./tree.ts";
import { formatUsage } from "./usage.ts";
import { summarizeVerification } from "./verification.ts";

/** The content of `state.json`. */
export const formatState = (state: RunState): Readonly<Record<string, unknown>> => {
  const { settings, scout, current, lastTicket } = state;
  return {
    run_id: state.runId,
    session_id: state.sessionId,
    project_id: state.project,
    phase: state.phase,
    phase_entry_step: state.phaseEntryStep,
    step_count: state.stepCount,
    step_budget: settings.stepBudget,
    ticket_step_count: current?.steps ?? 0,
    ticket_step_budget: settings.ticketStepBudget ?? -1,
    total_lines_changed: state.linesChanged,
    tickets_created: state.ticketsCreated,
    tickets_completed: state.ticketsCompleted,
    tickets_verified: state.verified,
    tickets_failed: countFailed(state),
    tickets_blocked: state.ticketsBlocked,
    tickets_aborted: state.ticketsAborted,
    tickets_ready: state.ready.map(({ id, title, priority }) => ({ id, title, priority })),
    prs_created: state.prsCreated,
    prs: state.prs,
    max_prs: settings.maxPrs,
    max_cost_usd: settings.maxCostUsd,
    max_tokens: settings.maxTokens,
    scout_cycles: scout.cycles,
    max_cycles: settings.maxCycles,
    scout_retries: scout.retries,
    consecutive_barren_cycles: scout.barren,
    scout_exploration_log: scout.tried,
    scouted_dirs: scout.exploredDirs,
    pending_proposals: scout.pending?.length ?? 0,
    deferred_proposals: state.deferred.map(({ title }) => title),
    ...formatWork(current),
    spindle: formatSpindle(current?.spindle ?? lastTicket?.spindle ?? emptySpindle),
    ticket_workers: Object.fromEntries(
      state.workers.map((worker) => [
        worker.ticket.id,
        { phase: worker.phase, ...formatWork(worker), spindle: formatSpindle(worker.spindle) },
      ]),
    ),
    spindle_recoveries: state.spindleRecoveries,
    ...formatUsage(state.usage),
    hints: state.hints,
    started_at: isoTime(state.startedAt),
    expires_at: settings.expiresAt === null ? null : isoTime(settings.expiresAt),
    scope: settings.scope,
    categories: settings.categories,
    min_confidence: settings.minConfidence,
    min_impact_score: settings.minImpact,
    max_proposals_per_scout: settings.maxProposals,
    create_prs: settings.createPrs,
    draft: settings.draftPrs,
    direct: settings.direct,
    own_tree: settings.ownTree,
    merge_branches: settings.mergeBranches,
    start_branch: settings.startBranch,
    parallel: settings.parallel,
    review: settings.review,
    formula: settings.formula?.name ?? null,
    qa: settings.qa,
    qa_commands: settings.qaCommands,
    scout_exclude_dirs: settings.excludeDirs,
    learnings_enabled: settings.learnings,
    learnings_budget: settings.learningsBudget,
    enable_custom_tools: settings.customTools,
    spindle_thresholds: settings.spindle,
    coverage: computeCoverage(state.sectors),
    last_ticket_summary: lastTicket === null ? null : formatLastTicket(lastTicket),
    work: state.trees,
    paused: state.pause,
    answers: state.answers,
    stop_reason: state.stopReason,
    ended: state.ended,
  };
};

const formatWork = (work: TicketWork | null): Readonly<Record<string, unknown>> => ({
  current_ticket_id: work?.ticket.id ?? null,
  current_ticket_plan: work?.plan ?? null,
  plan_approved: work?.plannedFiles != null,
  plan_rejections: work?.planRejections ?? 0,
  last_plan_rejection_reason: work?.lastPlanRejection ?? null,
  verification: work === null ? "none" : summarizeVerification(work),
  qa_results:
    work?.qaResults.map(({ command, success, by, before = null }) => ({ command, success, by, before })) ?? [],
  qa_retries: work?.qaRetries ?? 0,
  last_qa_failure: work?.lastQaFailure ?? null,
});

const formatLastTicket = ({ spindle: _, ...summary }: LastTicket): Readonly<Record<string, unknown>> => summary;

const formatSpindle = (spindle: Spindle): Readonly<Record<string, unknown>> => ({
  output_hashes: spindle.outputHashes,
  diff_hashes: spindle.diffHashes,
  iterations_since_change: spindle.iterationsSinceChange,
  failing_command_signatures: spindle.failureSignatures,
  file_edit_counts: spindle.fileEdits,
});

/** UTC, ISO 8601. */
export const isoTime = (at: number): string => new Date(at).toISOString();

interface Digest {
  readonly step: number;
  readonly phase: SessionPhase;
  readonly tickets_completed: number;
  readonly tickets_failed: number;
  /** Who has verified the current ticket. */
  readonly verification: Verification;
  readonly budget_remaining: number;
  /** -1 without a limit. */
  readonly ticket_budget_remaining: number;
  readonly spindle_risk: SpindleRisk;
  readonly spindle_reasons: readonly string[];
  readonly time_remaining_ms: number | null;
  readonly coverage: Coverage;
}

export const createDigest = (state: RunState, now: number): Digest => {
  const { steps, ticketSteps, timeMs } = remainingBudgets(state, now);
  const works = [...(state.current === null ? [] : [state.current]), ...state.workers];
  const assessed = works.map(({ spindle }) => assessRisk(spindle, state.settings.spindle));
  const stopped = describeLastLoop(state);
  return {
    step: state.stepCount,
    phase: state.phase,
    tickets_completed: state.ticketsCompleted,
    tickets_failed: countFailed(state),
    verification: state.current === null ? "none" : summarizeVerification(state.current),
    budget_remaining: steps,
    ticket_budget_remaining: ticketSteps ?? -1,
    spindle_risk:
      stopped !== undefined && isTerminal(state.phase) ? "high" : highestRisk(assessed.map(({ risk }) => risk)),
    spindle_reasons: [...(stopped === undefined ? [] : [stopped]), ...assessed.flatMap(({ reasons }) => reasons)],
    time_remaining_ms: timeMs,
    coverage: computeCoverage(state.sectors),
  };
};

/** Why the last ticket was blocked, when it went in circles; shown until the next one has had its first prompt. */
const describeLastLoop = ({ lastTicket, current, settings }: RunState): string | undefined => {
  if (lastTicket?.outcome !== "blocked" || (current?.steps ?? 0) > 1) return undefined;
  const verdict = detectLoop(lastTicket.spindle, settings.spindle);
  return verdict === null ? undefined : `${lastTicket.id} was blocked: ${verdict.explanation}`;
};

const riskOrder: readonly SpindleRisk[] = ["none", "low", "medium", "high"];

const highestRisk = (risks: readonly SpindleRisk[]): SpindleRisk =>
  riskOrder[Math.max(0, ...risks.map((risk) => riskOrder.indexOf(risk)))] ?? "none";

/** The policy of the ticket being worked on. */
export const ticketPolicy = ({ recent, settings }: RunState, { ticket }: TicketWork): ScopePolicy => ({
  ...derivePolicy(ticket, recent),
  plan_required: !needsNoPlan(ticket, settings),
});
