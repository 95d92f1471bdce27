/** Loads a run: the fold over its events, from the last snapshot or from the beginning; and the replay that proves both equal. */

import { isDeepStrictEqual } from "node:util";
import { step } from "../machine/machine.ts";
import type { MachineEffect } from "../state/effect.ts";
import { initialState, type RunState } from "../state/run-state.ts";
import type { EventRow } from "../store/log-line.ts";
import type { RunRow } from "../store/run-table.ts";
import type { Store } from "../store/store.ts";
import { damagedError, describeRow, parseStoredJson, readEvent, readSessionStart } from "../store/stored-event.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { errorMessage } from "../value/error.ts";
import type { TicketId } from "../value/id.ts";

/** A run's state and the position in its log where it holds. */
export interface LoadedRun {
  readonly state: RunState;
  readonly seq: number;
  /** Events since the last snapshot. */
  readonly unsaved: number;
}

const pageSize = 500;

const firstState = (row: EventRow): RunState => initialState(readSessionStart(row), row.at);

/** The run's state now. Throws `damaged` when the log cannot be read. */
export const loadRun = (store: Store, run: RunRow): LoadedRun => {
  try {
    const snapshot = store.snapshot(run.run_id);
    let state = snapshot?.state;
    let seq = snapshot?.seq ?? 0;
    let unsaved = 0;
    for (const row of iterateRows(store, run.run_id, seq)) {
      seq = row.seq;
      if (row.source === "derived") continue;
      state = state === undefined ? firstState(row) : step(state, readEvent(row)).state;
      unsaved += 1;
    }
    if (state === undefined) throw new Error("the log is empty");
    if (seq < run.last_seq) throw new Error(`it ends at line ${seq} instead of ${run.last_seq}`);
    return { state, seq, unsaved };
  } catch (failure) {
    throw damagedError(`the log of ${run.run_id}`, errorMessage(failure));
  }
};

function* iterateRows(store: Store, runId: string, from: number) {
  let after = from;
  for (;;) {
    const rows = store.rows(runId, after, pageSize);
    for (const row of rows) {
      if (row.seq !== after + 1) throw damagedError(`line ${after + 1}`, "it is missing");
      yield row;
      after = row.seq;
    }
    if (rows.length < pageSize) return;
  }
}

/** A run as it was at a position of its log. */
export interface RunMoment {
  readonly state: RunState;
  /** The last line of the event that the position belongs to. */
  readonly at: number;
  /** Every ticket that there was, with how it ended. */
  readonly tickets: ReadonlyMap<TicketId, TicketMoment>;
}

interface TicketMoment {
  readonly ticket: Ticket;
  readonly note: string | null;
}

/** Applies the events of a run from the beginning up to a position. Throws `damaged` when the log cannot be read. */
export const foldRun = (store: Store, run: RunRow, position: number): RunMoment => {
  const tickets = new Map<TicketId, TicketMoment>();
  let [state, at]: [RunState | undefined, number] = [undefined, 0];
  try {
    for (const row of iterateRows(store, run.run_id, 0)) {
      if (row.source === "input" && row.seq > position) break;
      at = row.seq;
      if (row.source === "derived") continue;
      if (state === undefined) state = firstState(row);
      else {
        const outcome = step(state, readEvent(row));
        state = outcome.state;
        for (const effect of outcome.effects) keepTicket(tickets, effect);
      }
    }
  } catch (failure) {
    throw damagedError(`the log of ${run.run_id}`, errorMessage(failure));
  }
  if (state === undefined) throw damagedError(`the log of ${run.run_id}`, "it is empty");
  return { state, at, tickets };
};

const keepTicket = (tickets: Map<TicketId, TicketMoment>, effect: MachineEffect): void => {
  if (effect.kind === "ticket") tickets.set(effect.ticket.id, { ticket: effect.ticket, note: effect.note });
  if (effect.kind !== "abortBlocked") return;
  for (const [id, { ticket, note }] of tickets)
    if (ticket.status === "blocked") tickets.set(id, { ticket: { ...ticket, status: "aborted" }, note });
};

interface RunReplay {
  readonly state: RunState;
  readonly events: number;
  readonly derived: number;
  readonly differences: readonly string[];
}

/** Applies every event from the beginning and compares each line the machine adds with the one that is stored. */
export const replayRun = (store: Store, run: RunRow, stored: RunState): RunReplay => {
  const differences: string[] = [];
  let state: RunState | undefined;
  let expected: Extract<MachineEffect, { kind: "log" }>[] = [];
  let [events, derived] = [0, 0];
  for (const row of iterateRows(store, run.run_id, 0)) {
    if (row.source === "derived") {
      const line = expected.shift();
      derived += 1;
      if (
        line === undefined ||
        line.type !== row.type ||
        !isDeepStrictEqual(toPlainJson(line.payload), parseStoredJson(row.payload, describeRow(row)))
      )
        differences.push(`line ${row.seq}: stored ${row.type}, replayed ${line?.type ?? "nothing"}`);
      continue;
    }
    if (expected.length > 0) differences.push(`before line ${row.seq}: ${expected.length} lines are missing`);
    events += 1;
    if (state === undefined) state = firstState(row);
    else {
      const outcome = step(state, readEvent(row));
      expected = outcome.effects.filter((effect) => effect.kind === "log");
      state = outcome.state;
    }
  }
  if (expected.length > 0) differences.push(`at the end: ${expected.length} lines are missing`);
  if (!isDeepStrictEqual(toPlainJson(state), toPlainJson(stored)))
    differences.push("the state differs from the stored one");
  return { state: state ?? stored, events, derived, differences: differences.slice(0, 20) };
};

const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
