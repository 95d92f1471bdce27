/** Tools on whole runs: `list_runs`, `show_run`, `replay_run`. They read; the log is the database's. */

import { declaredError } from "../session/declared-error.ts";
import { loadRun, replayRun as replay } from "../session/load-run.ts";
import type { Project } from "../session/project.ts";
import { phases, type SessionPhase } from "../state/phase.ts";
import { formatState, isoTime } from "../state/state-document.ts";
import { type EventRow, previewPayload } from "../store/log-line.ts";
import type { RunRow } from "../store/run-table.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";

const parsePhase = (text: string): SessionPhase => phases.find((phase) => phase === text) ?? "SCOUT";

export const listRuns = ({ existingStore }: Project, { limit }: ToolInput<"listRuns">): ToolOutput<"listRuns"> => ({
  runs: (existingStore?.runs(limit) ?? []).map(({ run_id, started_at, ended_at, phase, last_seq }) => ({
    run_id,
    started_at: isoTime(started_at),
    ended_at: ended_at === null ? null : isoTime(ended_at),
    phase: parsePhase(phase),
    events: last_seq,
  })),
});

/** A line of the log as it is shown. */
export const loggedRow = ({ seq, at, step, id, type, payload }: EventRow): ToolOutput<"showRun">["events"][number] => ({
  seq,
  ts: isoTime(at),
  step,
  id,
  type,
  payload: JSON.parse(previewPayload(payload)),
});

export const requireRunRow = ({ existingStore, name }: Project, runId: string): RunRow => {
  const run = existingStore?.run(runId);
  if (run === undefined) throw declaredError("unknown_run", `project ${name} has no run ${runId}`);
  return run;
};

export const showRun = (project: Project, { run_id, after, limit }: ToolInput<"showRun">): ToolOutput<"showRun"> => {
  const run = requireRunRow(project, run_id);
  const rows = project.store.rows(run_id, after, limit);
  const last = rows.at(-1)?.seq ?? after;
  return {
    run_id,
    state: formatState(loadRun(project.store, run).state),
    events: rows.map(loggedRow),
    next: last < run.last_seq ? last : null,
  };
};

export const replayRun = (project: Project, { run_id }: ToolInput<"replayRun">): ToolOutput<"replayRun"> => {
  const run = requireRunRow(project, run_id);
  const { state, events, derived, differences } = replay(project.store, run, loadRun(project.store, run).state);
  return {
    run_id,
    events,
    derived,
    equal: differences.length === 0,
    differences: [...differences],
    phase: state.phase,
  };
};
