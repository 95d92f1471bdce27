/** What the work of a session has cost, as its client reports: each event may say what it used, and the session sums it up. */
import * as z from "zod";
import { count, number } from "../value/coercion.ts";
import { isTerminal, type Phase } from "./phase.ts";

export interface Usage {
  /** US dollars. */
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const noUsage: Usage = { costUsd: 0, inputTokens: 0, outputTokens: 0 };

interface Spending {
  readonly phase: Phase;
  readonly usage: Usage;
}

/** `usage` of a payload; a figure that is left out is 0. */
export const usageReport = z
  .object({
    cost_usd: number.pipe(z.number().min(0).max(1e6)).default(0),
    input_tokens: count.default(0),
    output_tokens: count.default(0),
  })
  .transform(
    ({ cost_usd, input_tokens, output_tokens }): Usage => ({
      costUsd: cost_usd,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
    }),
  );

/** The state with the usage of an event added, whether the event is accepted or not; a session that has stopped counts no more. */
export const addUsage = <S extends Spending>(state: S, usage: Usage | undefined): S =>
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

/** As the wire and `state.json` have it. */
export const formatUsage = ({ costUsd, inputTokens, outputTokens }: Usage) => ({
  total_cost_usd: costUsd,
  total_input_tokens: inputTokens,
  total_output_tokens: outputTokens,
});
