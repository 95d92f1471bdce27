/** Tickets in their last status, and the baseline of the working tree that each was taken with. */
import type { MachineEffect } from "../state/effect.ts";
import type { RunId, TicketId } from "../value/id.ts";
import type { SqliteConnection } from "./database.ts";

export const openTicketTable = (db: SqliteConnection) => {
  const put = db.prepare(
    "INSERT INTO tickets (ticket_id, run_id, title, description, category, status, priority, body, note, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ticket_id) DO UPDATE SET status = excluded.status, body = excluded.body, note = excluded.note, updated_at = excluded.updated_at",
  );
  const abort = db.prepare(
    "UPDATE tickets SET status = 'aborted', body = json_set(body, '$.status', 'aborted'), updated_at = ? WHERE run_id = ? AND status = 'blocked'",
  );
  const getBaseline = db.prepare<[string], { body: string }>("SELECT body FROM baselines WHERE ticket_id = ?");
  const putBaseline = db.prepare(
    "INSERT INTO baselines (ticket_id, body) VALUES (?, ?) ON CONFLICT (ticket_id) DO UPDATE SET body = excluded.body",
  );
  return {
    save: (runId: RunId, { ticket, note }: Extract<MachineEffect, { kind: "ticket" }>, at: number): void => {
      const { id, title, description, category, status, priority } = ticket;
      put.run(id, runId, title, description, category, status, priority, JSON.stringify(ticket), note, at);
    },
    abortBlocked: (runId: RunId, at: number): void => {
      abort.run(at, runId);
    },
    baseline: (ticketId: TicketId): string | undefined => getBaseline.get(ticketId)?.body,
    saveBaseline: (ticketId: TicketId, body: string): void => {
      putBaseline.run(ticketId, body);
    },
  };
};
