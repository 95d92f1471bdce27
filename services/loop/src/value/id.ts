/**
 * Ids: a prefix for the kind and twelve base-36 characters. The source of the characters is an argument, so that a
 * session can be repeated exactly.
 */
import { createHash } from "node:crypto";

export type RunId = `run_${string}`;
export type SessionId = `ses_${string}`;
export type TicketId = `tkt_${string}`;
export type EventId = `evt_${string}`;

/** Gives twelve base-36 characters (0-9, a-z), new at each call. */
export type IdSource = () => string;

/** Milliseconds since the epoch. */
export type EpochClock = () => number;

const body = /^[0-9a-z]{12}$/;

const parse =
  <P extends string>(prefix: P) =>
  (text: string): `${P}_${string}` | undefined => {
    const rest = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : "";
    return body.test(rest) ? `${prefix}_${rest}` : undefined;
  };

/** The id, or `undefined` for a text that is none. */
export const parseRunId: (text: string) => RunId | undefined = parse("run");
export const parseSessionId: (text: string) => SessionId | undefined = parse("ses");
export const parseTicketId: (text: string) => TicketId | undefined = parse("tkt");
export const parseEventId: (text: string) => EventId | undefined = parse("evt");

/** The event id derived from a text: the same text, the same id. */
export const deriveEventId = (text: string): EventId => {
  const number = BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 24)}`);
  return `evt_${number.toString(36).padStart(12, "0").slice(-12)}`;
};

/** A source that counts: 000000000001, 000000000002, ... For tests and for comparing runs. */
export const countingIds = (): IdSource => {
  let last = 0;
  return () => {
    last += 1;
    return last.toString(36).padStart(12, "0");
  };
};
