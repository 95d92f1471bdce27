/** Writes what a step decided into the database: the event, its log lines, tickets, files, memory and, when due, a snapshot. */
import type { SessionStepResult } from "../machine/machine.ts";
import type { LoopEvent } from "../state/event.ts";
import type { RunFile } from "../store/file-table.ts";
import type { EventRow } from "../store/log-line.ts";
import type { Store } from "../store/store.ts";
import { limits } from "../value/limits.ts";
import type { LoadedRun } from "./load-run.ts";

/** Events between two snapshots. */
const snapshotEvery = 64;

interface DecidedStep {
  readonly event: LoopEvent;
  readonly result: SessionStepResult;
  /** JSON; what a repeat of the event is answered. */
  readonly answer: string;
  /** What was changed in the working tree, where the server saw it. */
  readonly patch: string | undefined;
}

export interface WrittenStep {
  readonly run: LoadedRun;
  readonly rows: readonly EventRow[];
  readonly files: readonly RunFile[];
}

/** Inside a transaction of the committer's. Gives the run after the step, and what its folder must show. */
export const writeStep = (
  store: Store,
  before: LoadedRun,
  { event, result, answer, patch }: DecidedStep,
): WrittenStep => {
  const { state, effects } = result;
  const { runId, memory, settings, stepCount } = state;
  const derived = effects.filter((effect) => effect.kind === "log");
  const rows = store.append(state, before.seq, { event, derived, step: stepCount, answer });
  const seq = before.seq + rows.length;
  const files: RunFile[] = [];
  const saveFile = (path: string, body: string): void => {
    files.push(store.saveFile(runId, { path, body }, seq));
  };
  for (const effect of effects) {
    if (effect.kind === "ticket") store.saveTicket(runId, effect, event.at);
    else if (effect.kind === "abortBlocked") store.abortBlocked(runId, event.at);
    else if (effect.kind === "artifact") saveFile(`artifacts/${stepCount}-${effect.name}`, effect.body);
    else if (effect.kind === "diff" && patch) saveFile(`diffs/${stepCount}-${effect.ticketId}.patch`, patch);
    else if (effect.kind === "defer") store.saveMemory({ deferred: effect.proposals });
    else if (effect.kind === "backlog")
      store.saveMemory({ backlog: [...effect.proposals, ...store.memory().backlog].slice(0, limits.openTickets) });
  }
  if (memory !== before.state.memory)
    store.saveMemory({ remembered: memory.remembered, ...(settings.learnings && { learnings: memory.learnings }) });
  const unsaved = before.unsaved + 1;
  const due = unsaved >= snapshotEvery || state.ended;
  if (due) store.saveSnapshot(state, seq);
  return { run: { state, seq, unsaved: due ? 0 : unsaved }, rows, files };
};
