/**
 * The event table and what hangs on it: the one truth of a project. Every write here happens inside a transaction of the
 * committer's; nothing here opens one. Not here: files (`run-folder.ts`), and what events mean (the machine).
 */

import * as z from "zod";
import type { Learning } from "../memory/lesson.ts";
import type { Remembered } from "../memory/title.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Effect } from "../state/effect.ts";
import type { LoopEvent } from "../state/event.ts";
import type { Beginning, RunState } from "../state/run-state.ts";
import { lineHash } from "../value/hash.ts";
import type { EventId, RunId, TicketId } from "../value/id.ts";
import { limits } from "../value/limits.ts";
import { cutStart } from "../value/text.ts";
import type { Connection } from "./database.ts";
import type { Row } from "./log-line.ts";
import { readStored } from "./stored-event.ts";
import { learning, proposal, remembered } from "./stored-shape.ts";

/** Goes up when the state's shape or the machine's meaning changes: older snapshots are then not used. */
export const snapshotVersion = 4;

export interface RunRow {
  readonly run_id: RunId;
  readonly session_id: string;
  readonly project: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly phase: string;
  readonly last_seq: number;
}

export interface StoredMemory {
  readonly learnings: readonly Learning[];
  readonly remembered: readonly Remembered[];
  readonly deferred: readonly Proposal[];
}

/** A file of the run folder, as the database keeps it. */
export interface RunFile {
  /** Like `artifacts/1-scout-proposals.json`. */
  readonly path: string;
  readonly body: string;
}

export interface StoredEvent extends Row {
  readonly run_id: RunId;
  readonly source: "input" | "derived";
  readonly answer: string | null;
}

/** A snapshot is only a short cut: one whose checksum does not agree is not used. This is the named boundary of its type. */
const snapshotState = (text: string): RunState | undefined => {
  const json = text.slice(text.indexOf(" ") + 1);
  return text === withSum(json) ? (JSON.parse(json) as RunState) : undefined;
};

const withSum = (json: string): string => `${lineHash(json)} ${json}`;

export const openStore = (db: Connection) => {
  const insertRun = db.prepare(
    "INSERT INTO runs (run_id, session_id, project, started_at, phase, last_seq) VALUES (?, ?, ?, ?, 'SCOUT', 0)",
  );
  const updateRun = db.prepare("UPDATE runs SET phase = ?, last_seq = ?, ended_at = ? WHERE run_id = ?");
  const insertEvent = db.prepare(
    "INSERT INTO events (run_id, seq, id, source, at, step, type, payload, context, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const byId = db.prepare<[string], StoredEvent>("SELECT * FROM events WHERE id = ?");
  const rowsAfter = db.prepare<[string, number, number], StoredEvent>(
    "SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const activeRun = db.prepare<[], RunRow>("SELECT * FROM runs WHERE ended_at IS NULL");
  const oneRun = db.prepare<[string], RunRow>("SELECT * FROM runs WHERE run_id = ?");
  const newestRuns = db.prepare<[number], RunRow>("SELECT * FROM runs ORDER BY started_at DESC, run_id DESC LIMIT ?");
  const getSnapshot = db.prepare<[string, number], { seq: number; state: string }>(
    "SELECT seq, state FROM snapshots WHERE run_id = ? AND version = ?",
  );
  const putSnapshot = db.prepare(
    "INSERT INTO snapshots (run_id, version, seq, state) VALUES (?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET version = excluded.version, seq = excluded.seq, state = excluded.state",
  );
  const abortTickets = db.prepare(
    "UPDATE tickets SET status = 'aborted', body = json_set(body, '$.status', 'aborted'), updated_at = ? WHERE run_id = ? AND status = 'blocked'",
  );
  const putTicket = db.prepare(
    "INSERT INTO tickets (ticket_id, run_id, title, description, category, status, priority, body, note, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ticket_id) DO UPDATE SET status = excluded.status, body = excluded.body, note = excluded.note, updated_at = excluded.updated_at",
  );
  const putFile = db.prepare(
    "INSERT INTO files (run_id, path, seq, body) VALUES (?, ?, ?, ?) ON CONFLICT (run_id, path) DO UPDATE SET seq = excluded.seq, body = excluded.body",
  );
  const allFiles = db.prepare<[string], RunFile>("SELECT path, body FROM files WHERE run_id = ? ORDER BY path");
  const getMemory = db.prepare<[string], { body: string }>("SELECT body FROM memory WHERE name = ?");
  const putMemory = db.prepare(
    "INSERT INTO memory (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body",
  );
  const getBaseline = db.prepare<[string], { body: string }>("SELECT body FROM baselines WHERE ticket_id = ?");
  const putBaseline = db.prepare(
    "INSERT INTO baselines (ticket_id, body) VALUES (?, ?) ON CONFLICT (ticket_id) DO UPDATE SET body = excluded.body",
  );

  const listOf = <S extends z.ZodType>(name: keyof StoredMemory, shape: S): readonly z.output<S>[] => {
    const row = getMemory.get(name);
    return row === undefined ? [] : readStored(z.array(shape), row.body, `the memory of ${name}`);
  };

  return {
    activeRun: (): RunRow | undefined => activeRun.get(),
    run: (runId: string): RunRow | undefined => oneRun.get(runId),
    runs: (most: number): readonly RunRow[] => newestRuns.all(most),
    /** The event of an id, in whatever run. */
    event: (id: EventId): StoredEvent | undefined => byId.get(id),
    /** Rows after a position, both kinds, in order. */
    rows: (runId: string, after: number, most: number): readonly StoredEvent[] => rowsAfter.all(runId, after, most),
    files: (runId: string): readonly RunFile[] => allFiles.all(runId),
    snapshot: (runId: string): { readonly seq: number; readonly state: RunState } | undefined => {
      const row = getSnapshot.get(runId, snapshotVersion);
      const state = row === undefined ? undefined : snapshotState(row.state);
      return row === undefined || state === undefined ? undefined : { seq: row.seq, state };
    },
    memory: (): StoredMemory => ({
      learnings: listOf("learnings", learning),
      remembered: listOf("remembered", remembered),
      deferred: listOf("deferred", proposal),
    }),
    saveMemory: (memory: Partial<StoredMemory>): void => {
      for (const [name, items] of Object.entries(memory)) putMemory.run(name, JSON.stringify(items));
    },
    baseline: (ticketId: TicketId): string | undefined => getBaseline.get(ticketId)?.body,
    saveBaseline: (ticketId: TicketId, body: string): void => {
      putBaseline.run(ticketId, body);
    },

    /** Writes a run's first event. */
    begin: (begin: Beginning, { id, at, answer }: Opening): Row => {
      insertRun.run(begin.runId, begin.sessionId, begin.project, at);
      const row: Row = {
        seq: 1,
        id,
        at,
        step: 0,
        type: "SESSION_START",
        payload: JSON.stringify(begin),
        context: "{}",
      };
      insertEvent.run(begin.runId, row.seq, id, "input", at, 0, row.type, row.payload, row.context, answer);
      updateRun.run("SCOUT", 1, null, begin.runId);
      return row;
    },

    /** Writes an event, the lines the machine added and its answer; gives the rows as they are. */
    append: (
      before: { readonly state: RunState; readonly seq: number },
      event: LoopEvent,
      after: Appended,
    ): readonly Row[] => {
      const { state, derived, answer } = after;
      const { runId } = state;
      const { id, at, type, payload, ...context } = event;
      const first: Row = {
        seq: before.seq + 1,
        id,
        at,
        step: state.stepCount,
        type,
        payload: JSON.stringify(payload),
        context: JSON.stringify(context),
      };
      const rows = [
        first,
        ...derived.map(
          (line, index): Row => ({
            seq: first.seq + 1 + index,
            id: null,
            at,
            step: state.stepCount,
            type: line.type,
            payload: JSON.stringify(line.payload),
            context: "{}",
          }),
        ),
      ];
      for (const row of rows)
        insertEvent.run(
          runId,
          row.seq,
          row.id,
          row.id === null ? "derived" : "input",
          row.at,
          row.step,
          row.type,
          row.payload,
          row.context,
          row.id === null ? null : answer,
        );
      updateRun.run(state.phase, before.seq + rows.length, state.ended ? at : null, runId);
      return rows;
    },

    saveSnapshot: (state: RunState, seq: number): void => {
      putSnapshot.run(state.runId, snapshotVersion, seq, withSum(JSON.stringify(state)));
    },

    saveTicket: (runId: RunId, { ticket, note }: Extract<Effect, { kind: "ticket" }>, at: number): void => {
      const { id, title, description, category, status, priority } = ticket;
      putTicket.run(id, runId, title, description, category, status, priority, JSON.stringify(ticket), note, at);
    },

    abortBlocked: (runId: RunId, at: number): void => {
      abortTickets.run(at, runId);
    },

    saveFile: (runId: RunId, file: RunFile, seq: number): RunFile => {
      const body = file.path.startsWith("diffs/") ? cutPatch(file.body) : cutStart(file.body, limits.artifact);
      putFile.run(runId, file.path, seq, body);
      return { path: file.path, body };
    },

    close: (): void => {
      db.close();
    },
  };
};

export interface Appended {
  readonly state: RunState;
  readonly derived: readonly Extract<Effect, { kind: "log" }>[];
  /** JSON; what a repeat of the event is answered. */
  readonly answer: string;
}

/** What surrounds a run's first event. */
export interface Opening {
  readonly id: EventId;
  readonly at: number;
  /** JSON; what a repeat of start_session is answered. */
  readonly answer: string;
}

export type Store = ReturnType<typeof openStore>;

const cutPatch = (patch: string): string =>
  patch.length <= limits.patch ? patch : `${patch.slice(0, limits.patch)}\n# the rest of this patch was left out\n`;
