/**
 * One line of `events.ndjson`: a projection of one row of the event table. The last field is the checksum of everything before
 * it, so that a reader without the database can distinguish a complete line from a torn one.
 */

import { isoTime } from "../state/state-document.ts";
import { lineHash } from "../value/hash.ts";
import { limits } from "../value/limits.ts";

/** A row of the event table. */
export interface EventRow {
  readonly seq: number;
  /** Null for lines the machine added. */
  readonly id: string | null;
  readonly at: number;
  readonly step: number;
  readonly type: string;
  /** JSON. */
  readonly payload: string;
  /** JSON: what the server added to the event, like measured changes. */
  readonly context: string;
}

/** A large payload is replaced by a preview. */
export const previewPayload = (payload: string): string =>
  Buffer.byteLength(payload) <= limits.loggedPayload
    ? payload
    : JSON.stringify({
        preview: Buffer.from(payload).subarray(0, limits.preview).toString("utf8"),
        cut: true,
        bytes: Buffer.byteLength(payload),
      });

/** The line, without its line feed. */
export const formatLine = ({ seq, id, at, step, type, payload, context }: EventRow): string => {
  const head = JSON.stringify({ ts: isoTime(at), seq, step, ...(id !== null && { id }), type }).slice(0, -1);
  const extra = context === "{}" ? "" : `,"context":${previewPayload(context)}`;
  const body = `${head},"payload":${previewPayload(payload)}${extra}`;
  return `${body},"sum":"${lineHash(body)}"}`;
};

/** True for a line whose checksum agrees with the rest of it. */
export const isIntactLine = (line: string): boolean => {
  const parts = /^(.*),"sum":"([0-9a-f]{16})"\}$/s.exec(line);
  return parts?.[1] !== undefined && lineHash(parts[1]) === parts[2];
};
