/** The boundary where a row of the event table becomes an event again. A row that is damaged is refused by its place in the log. */
import { FairleadError } from "@fairlead/contracts";
import type * as z from "zod";
import { eventTypes, type LoopEvent } from "../state/event.ts";
import type { SessionStart } from "../state/run-state.ts";
import { parseEventId } from "../value/id.ts";
import type { EventRow } from "./log-line.ts";
import { contextShape, payloadShapes, sessionStartShape } from "./stored-shape.ts";

/** An error for stored data that cannot be what was written. */
export const damagedError = (what: string, why: string): FairleadError =>
  new FairleadError({
    code: "data_loss",
    reason: "damaged",
    message: `${what} is damaged: ${why}`,
    hint: "restore .promptwheel/state.sqlite from a backup, or move it away to start again; the run folders stay readable",
  });

/** JSON that was stored, in its shape. `what` names it in the refusal. */
export const decodeStored = <S extends z.ZodType>(shape: S, json: string, what: string): z.output<S> => {
  const verdict = shape.safeParse(parseStoredJson(json, what));
  if (verdict.success) return verdict.data;
  const [issue] = verdict.error.issues;
  throw damagedError(what, `${issue?.path.map(String).join(".") || "the whole"}: ${issue?.message ?? "does not fit"}`);
};

/** Any JSON that was stored. */
export const parseStoredJson = (json: string, what: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    throw damagedError(what, "it is not JSON");
  }
};

/** Like `line 17 (QA_PASSED)`. */
export const describeRow = ({ seq, type }: EventRow): string => `line ${seq} (${type})`;

export const readSessionStart = (row: EventRow): SessionStart => {
  if (row.type !== "SESSION_START") throw damagedError(describeRow(row), "the log does not begin with SESSION_START");
  return decodeStored(sessionStartShape, row.payload, describeRow(row));
};

export const readEvent = (row: EventRow): LoopEvent => {
  const place = describeRow(row);
  const type = eventTypes.find((known) => known === row.type);
  if (type === undefined) throw damagedError(place, "there is no such event");
  const id = parseEventId(row.id ?? "");
  if (id === undefined) throw damagedError(place, `${JSON.stringify(row.id)} is not an event id`);
  const context = decodeStored(contextShape, row.context, place);
  const payload = decodeStored(payloadShapes[type], row.payload, place);
  return { ...context, id, at: row.at, type, payload } as LoopEvent;
};
