/**
 * What a project's last runs have come to together: tickets by how they ended and who has verified them, cost, time, by formula, and which verification
 * commands failed most and took longest, as the server ran them. All of it is read from the log.
 */
import { loadRun } from "../session/load-run.ts";
import type { Project } from "../session/project.ts";
import { countFailed, type RunState } from "../state/run-state.ts";
import { countTokens } from "../state/usage.ts";
import type { RunRow } from "../store/run-table.ts";
import type { Store } from "../store/store.ts";
import { decodeStored, describeRow } from "../store/stored-event.ts";
import { payloadShapes } from "../store/stored-shape.ts";

/** Sums over runs. Of what has no figure the field is 0. */
interface RunTotals {
  readonly runs: number;
  /** Prompts handed out. */
  readonly prompts: number;
  readonly tickets_done: number;
  /** Of these, by the server's own run. */
  readonly tickets_verified: number;
  readonly tickets_failed: number;
  readonly tickets_blocked: number;
  readonly tickets_aborted: number;
  /** US dollars, as events reported them. */
  readonly cost_usd: number;
  readonly tokens: number;
  /** Milliseconds from the first line of the log to the last. */
  readonly duration_ms: number;
}

/** A verification command as the server has run it. */
interface CommandTotals {
  readonly command: string;
  readonly runs: number;
  readonly failed: number;
  /** Milliseconds, on average. */
  readonly mean_ms: number;
}

interface RunMetrics {
  readonly total: RunTotals;
  readonly formulas: readonly (RunTotals & { readonly formula: string | null })[];
  readonly commands: readonly CommandTotals[];
}

const pageSize = 500;

export const runMetrics = (project: Project, { last }: { readonly last: number }): RunMetrics => {
  const { existingStore: store } = project;
  const commands = new Map<string, CommandTotals>();
  const byFormula = new Map<string | null, RunTotals>();
  let total = none;
  for (const run of store?.runs(last) ?? []) {
    if (store === undefined) break;
    const { state } = loadRun(store, run);
    const own = sumRun(state, readCommands(store, run, commands) - run.started_at);
    const formula = state.settings.formula?.name ?? null;
    total = add(total, own);
    byFormula.set(formula, add(byFormula.get(formula) ?? none, own));
  }
  return {
    total,
    formulas: [...byFormula].map(([formula, totals]) => ({ formula, ...totals })),
    commands: [...commands.values()].toSorted((a, b) => b.failed - a.failed || b.mean_ms - a.mean_ms).slice(0, 20),
  };
};

const none: RunTotals = {
  runs: 0,
  prompts: 0,
  tickets_done: 0,
  tickets_verified: 0,
  tickets_failed: 0,
  tickets_blocked: 0,
  tickets_aborted: 0,
  cost_usd: 0,
  tokens: 0,
  duration_ms: 0,
};

const sumRun = (state: RunState, durationMs: number): RunTotals => ({
  runs: 1,
  prompts: state.stepCount,
  tickets_done: state.ticketsCompleted,
  tickets_verified: state.verified.server,
  tickets_failed: countFailed(state),
  tickets_blocked: state.ticketsBlocked,
  tickets_aborted: state.ticketsAborted,
  cost_usd: state.usage.costUsd,
  tokens: countTokens(state.usage),
  duration_ms: Math.max(0, durationMs),
});

const add = (a: RunTotals, b: RunTotals): RunTotals => ({
  runs: a.runs + b.runs,
  prompts: a.prompts + b.prompts,
  tickets_done: a.tickets_done + b.tickets_done,
  tickets_verified: a.tickets_verified + b.tickets_verified,
  tickets_failed: a.tickets_failed + b.tickets_failed,
  tickets_blocked: a.tickets_blocked + b.tickets_blocked,
  tickets_aborted: a.tickets_aborted + b.tickets_aborted,
  cost_usd: a.cost_usd + b.cost_usd,
  tokens: a.tokens + b.tokens,
  duration_ms: a.duration_ms + b.duration_ms,
});

/** Adds the commands that the server ran; gives the time of the log's last line. */
const readCommands = (store: Store, run: RunRow, commands: Map<string, CommandTotals>): number => {
  let [after, at] = [0, run.started_at];
  while (after < run.last_seq) {
    const rows = store.rows(run.run_id, after, pageSize);
    if (rows.length === 0) break;
    for (const row of rows) {
      [after, at] = [row.seq, row.at];
      if (row.type !== "QA_COMMAND_RESULT" || row.id === null) continue;
      const { command, success, duration_ms } = decodeStored(
        payloadShapes.QA_COMMAND_RESULT,
        row.payload,
        describeRow(row),
      );
      if (duration_ms === undefined) continue;
      const known = commands.get(command) ?? { command, runs: 0, failed: 0, mean_ms: 0 };
      const count = known.runs + 1;
      commands.set(command, {
        command,
        runs: count,
        failed: known.failed + (success ? 0 : 1),
        mean_ms: known.mean_ms + (duration_ms - known.mean_ms) / count,
      });
    }
  }
  return at;
};
