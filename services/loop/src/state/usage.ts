/** What the work of a session has cost, as its client reports: each event may say what it used, and the session sums it up. */
import * as z from "zod";
import { count, number } from "../value/coercion.ts";
import { isTerminal, type SessionPhase } from "./phase.ts";

export interface SessionUsage {
  /** US dollars. */
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const noUsage: SessionUsage = { costUsd: 0, inputTokens: 0, outputTokens: 0 };

interface Spending {
  readonly phase: SessionPhase;
  readonly usage: SessionUsage;
}

/** `usage` of a payload; a figure that is left out is 0. */
export const usageReport = z
  .object({
    cost_usd: number.pipe(z.number().min(0).max(1e6)).default(0),
    input_tokens: count.default(0),
    output_tokens: count.default(0),
  })
  .transform(
    ({ cost_usd, input_tokens, output_tokens }): SessionUsage => ({
      costUsd: cost_usd,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
    }),
  );

/** The state with the usage of an event added, whether the event is accepted or not; a session that has stopped counts no more. */
export const addUsage = <S extends Spending>(state: S, usage: SessionUsage | undefined): S =>
  usage === undefined || isTerminal(state.phase)
    ? state
    : {
        ...state,
        usage: {
          costUsd: state.usage.costUsd + usage.costUsd,
          inputTokens: state.usage.inputTokens + usage.inputTokens,
          outputTokens: state.usage.outputTokens + usage.outputTokens,
        },
      };

interface UsageBudget {
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
}

export const countTokens = ({ inputTokens, outputTokens }: SessionUsage): number => inputTokens + outputTokens;

/** The first of these budgets that is used up, in words; `undefined` while none is. */
export const findSpentUsage = (usage: SessionUsage, { maxCostUsd, maxTokens }: UsageBudget): string | undefined => {
  if (maxCostUsd !== null && usage.costUsd >= maxCostUsd)
    return `${usage.costUsd} of ${maxCostUsd} US dollars are spent (max_cost_usd)`;
  if (maxTokens !== null && countTokens(usage) >= maxTokens)
    return `${countTokens(usage)} of ${maxTokens} tokens are used (max_tokens)`;
  return undefined;
};

/** As the wire and `state.json` have it. */
export const formatUsage = ({ costUsd, inputTokens, outputTokens }: SessionUsage) => ({
  total_cost_usd: costUsd,
  total_input_tokens: inputTokens,
  total_output_tokens: outputTokens,
});
