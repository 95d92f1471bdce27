/** What is left of a session's budgets, and the warnings from 80 % on. N means N: the N-th prompt is handed out, the next is not. */
import type { RunState } from "./run-state.ts";
import { countTokens } from "./usage.ts";

const warnFrom = 0.8;

interface RemainingBudgets {
  readonly steps: number;
  /** Of the current ticket; null without a limit or a ticket. */
  readonly ticketSteps: number | null;
  /** Milliseconds; null without a limit. */
  readonly timeMs: number | null;
}

export const remainingBudgets = ({ settings, stepCount, current }: RunState, now: number): RemainingBudgets => ({
  steps: Math.max(0, settings.stepBudget - stepCount),
  ticketSteps:
    settings.ticketStepBudget === null ? null : Math.max(0, settings.ticketStepBudget - (current?.steps ?? 0)),
  timeMs: settings.expiresAt === null ? null : Math.max(0, settings.expiresAt - now),
});

/** One sentence for each budget of which four fifths are used. */
export const budgetWarnings = (state: RunState, now: number): readonly string[] => {
  const { settings, stepCount, current, prsCreated, startedAt, usage } = state;
  const uses: readonly (readonly [string, number, number | null])[] = [
    ["steps (step_budget)", stepCount, settings.stepBudget],
    ["steps of the ticket (ticket_step_budget)", current?.steps ?? 0, settings.ticketStepBudget],
    ["US dollars (max_cost_usd)", usage.costUsd, settings.maxCostUsd],
    ["tokens (max_tokens)", countTokens(usage), settings.maxTokens],
    ["PRs (max_prs)", prsCreated, settings.createPrs ? settings.maxPrs : null],
    ["milliseconds (hours)", now - startedAt, settings.expiresAt === null ? null : settings.expiresAt - startedAt],
  ];
  return uses.flatMap(([what, used, budget]) =>
    budget !== null && budget > 0 && used >= warnFrom * budget ? [`${used} of ${budget} ${what} are used`] : [],
  );
};
