/** The log of every run: the events that were accepted, and the lines that the machine added to each. */
import type { MachineEffect } from "../state/effect.ts";
import type { LoopEvent } from "../state/event.ts";
import type { SessionStart } from "../state/run-state.ts";
import type { EventId, RunId } from "../value/id.ts";
import type { SqliteConnection } from "./database.ts";
import type { EventRow } from "./log-line.ts";

export interface StoredEvent extends EventRow {
  readonly run_id: RunId;
  readonly source: "input" | "derived";
  readonly answer: string | null;
}

/** The envelope of a run's first event. */
export interface FirstEvent {
  readonly id: EventId;
  readonly at: number;
  /** JSON; what a repeat of start_session is answered. */
  readonly answer: string;
}

/** An event with the lines that the machine added to it. */
export interface LoggedStep {
  readonly event: LoopEvent;
  readonly derived: readonly Extract<MachineEffect, { kind: "log" }>[];
  /** The run's step after the event. */
  readonly step: number;
  /** JSON; what a repeat of the event is answered. */
  readonly answer: string;
}

export const openEventTable = (db: SqliteConnection) => {
  const insert = db.prepare(
    "INSERT INTO events (run_id, seq, id, source, at, step, type, payload, context, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const byId = db.prepare<[string], StoredEvent>("SELECT * FROM events WHERE id = ?");
  const after = db.prepare<[string, number, number], StoredEvent>(
    "SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  );

  const insertRow = (runId: RunId, { seq, id, at, step, type, payload, context }: EventRow, answer: string): void => {
    const source = id === null ? "derived" : "input";
    insert.run(runId, seq, id, source, at, step, type, payload, context, id === null ? null : answer);
  };

  return {
    find: (id: EventId): StoredEvent | undefined => byId.get(id),
    after: (runId: string, seq: number, limit: number): readonly StoredEvent[] => after.all(runId, seq, limit),
    insertFirst: (start: SessionStart, { id, at, answer }: FirstEvent): EventRow => {
      const payload = JSON.stringify(start);
      const row: EventRow = { seq: 1, id, at, step: 0, type: "SESSION_START", payload, context: "{}" };
      insertRow(start.runId, row, answer);
      return row;
    },
    /** Writes the rows of a step after the line `seq`; gives them as they are. */
    insertStep: (runId: RunId, seq: number, logged: LoggedStep): readonly EventRow[] => {
      const rows = stepRows(seq, logged);
      for (const row of rows) insertRow(runId, row, logged.answer);
      return rows;
    },
  };
};

const stepRows = (seq: number, { event, derived, step }: LoggedStep): readonly EventRow[] => {
  const { id, at, type, payload, ...context } = event;
  const first = { id, type, payload, context };
  const added = derived.map((line) => ({ id: null, type: line.type, payload: line.payload, context: {} }));
  return [first, ...added].map((row, index) => ({
    seq: seq + 1 + index,
    id: row.id,
    at,
    step,
    type: row.type,
    payload: JSON.stringify(row.payload),
    context: JSON.stringify(row.context),
  }));
};
