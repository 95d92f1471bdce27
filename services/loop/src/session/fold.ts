/** State from the log: the fold over a run's events, from its last snapshot or from the beginning; and the replay that proves both equal. */
import { isDeepStrictEqual } from "node:util";
import { FairleadError } from "@fairlead/contracts";
import type { Effect } from "../machine/effect.ts";
import type { LoopEvent } from "../machine/event.ts";
import { step } from "../machine/machine.ts";
import { type Beginning, beginning, type RunState } from "../machine/state.ts";
import type { Row } from "../store/log-line.ts";
import type { RunRow, Store } from "../store/store.ts";

/** A run's state and the position in its log where it holds. */
export interface Live {
  readonly state: RunState;
  readonly seq: number;
  /** Events since the last snapshot. */
  readonly unsaved: number;
}

const pageSize = 500;

/** The named boundary where a stored row becomes an event again. */
const eventOf = ({ id, at, type, payload, context }: Row): LoopEvent =>
  ({ ...JSON.parse(context), id, at, type, payload: JSON.parse(payload) }) as LoopEvent;

const firstState = (row: Row): RunState => beginning(JSON.parse(row.payload) as Beginning, row.at);

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
      state = state === undefined ? firstState(row) : step(state, eventOf(row)).state;
      unsaved += 1;
    }
    if (state === undefined) throw new Error("the log is empty");
    return { state, seq, unsaved };
  } catch (failure) {
    throw new FairleadError(
      {
        code: "data_loss",
        reason: "damaged",
        message: `the log of ${run.run_id} cannot be read: ${failure instanceof Error ? failure.message : "unreadable"}`,
      },
      { cause: failure },
    );
  }
};

function* rowsFrom(store: Store, runId: string, from: number) {
  let after = from;
  for (;;) {
    const rows = store.rows(runId, after, pageSize);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.seq;
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
        !isDeepStrictEqual(asJson(line.payload), JSON.parse(row.payload))
      )
        differences.push(`line ${row.seq}: stored ${row.type}, replayed ${line?.type ?? "nothing"}`);
      continue;
    }
    if (owed.length > 0) differences.push(`before line ${row.seq}: ${owed.length} lines are missing`);
    events += 1;
    if (state === undefined) state = firstState(row);
    else {
      const outcome = step(state, eventOf(row));
      owed = outcome.effects.filter((effect) => effect.kind === "log");
      state = outcome.state;
    }
  }
  if (owed.length > 0) differences.push(`at the end: ${owed.length} lines are missing`);
  if (!isDeepStrictEqual(asJson(state), asJson(stored))) differences.push("the state differs from the stored one");
  return { state: state ?? stored, events, derived, differences: differences.slice(0, 20) };
};

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
