/** State from the log: the fold over a run's events, from its last snapshot or from the beginning; and the replay that proves both equal. */
import { isDeepStrictEqual } from "node:util";
import { step } from "../machine/machine.ts";
import type { Effect } from "../state/effect.ts";
import { beginning, type RunState } from "../state/run-state.ts";
import type { Row } from "../store/log-line.ts";
import type { RunRow, Store } from "../store/store.ts";
import { damaged, jsonOf, placeOfRow, readBeginning, readEvent } from "../store/stored-event.ts";

/** A run's state and the position in its log where it holds. */
export interface Live {
  readonly state: RunState;
  readonly seq: number;
  /** Events since the last snapshot. */
  readonly unsaved: number;
}

const pageSize = 500;

const firstState = (row: Row): RunState => beginning(readBeginning(row), row.at);

/** The run's state now. Throws `damaged` when the log cannot be read. */
export const loadRun = (store: Store, run: RunRow): Live => {
  try {
    const snapshot = store.snapshot(run.run_id);
    let state = snapshot?.state;
    let seq = snapshot?.seq ?? 0;
    let unsaved = 0;
    for (const row of rowsFrom(store, run.run_id, seq)) {
      seq = row.seq;
      if (row.source === "derived") continue;
      state = state === undefined ? firstState(row) : step(state, readEvent(row)).state;
      unsaved += 1;
    }
    if (state === undefined) throw new Error("the log is empty");
    if (seq < run.last_seq) throw new Error(`it ends at line ${seq} instead of ${run.last_seq}`);
    return { state, seq, unsaved };
  } catch (failure) {
    throw damaged(`the log of ${run.run_id}`, failure instanceof Error ? failure.message : "unreadable");
  }
};

function* rowsFrom(store: Store, runId: string, from: number) {
  let after = from;
  for (;;) {
    const rows = store.rows(runId, after, pageSize);
    for (const row of rows) {
      if (row.seq !== after + 1) throw damaged(`line ${after + 1}`, "it is missing");
      yield row;
      after = row.seq;
    }
    if (rows.length < pageSize) return;
  }
}

export interface Replay {
  readonly state: RunState;
  readonly events: number;
  readonly derived: number;
  readonly differences: readonly string[];
}

/** Applies every event from the beginning and compares each line the machine adds with the one that is stored. */
export const replayRun = (store: Store, run: RunRow, stored: RunState): Replay => {
  const differences: string[] = [];
  let state: RunState | undefined;
  let owed: Extract<Effect, { kind: "log" }>[] = [];
  let [events, derived] = [0, 0];
  for (const row of rowsFrom(store, run.run_id, 0)) {
    if (row.source === "derived") {
      const line = owed.shift();
      derived += 1;
      if (
        line === undefined ||
        line.type !== row.type ||
        !isDeepStrictEqual(asJson(line.payload), jsonOf(row.payload, placeOfRow(row)))
      )
        differences.push(`line ${row.seq}: stored ${row.type}, replayed ${line?.type ?? "nothing"}`);
      continue;
    }
    if (owed.length > 0) differences.push(`before line ${row.seq}: ${owed.length} lines are missing`);
    events += 1;
    if (state === undefined) state = firstState(row);
    else {
      const outcome = step(state, readEvent(row));
      owed = outcome.effects.filter((effect) => effect.kind === "log");
      state = outcome.state;
    }
  }
  if (owed.length > 0) differences.push(`at the end: ${owed.length} lines are missing`);
  if (!isDeepStrictEqual(asJson(state), asJson(stored))) differences.push("the state differs from the stored one");
  return { state: state ?? stored, events, derived, differences: differences.slice(0, 20) };
};

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
