/**
 * The headers that say something about a call: trace context, the caller's timeout, the idempotency key. Pure parsers.
 */
import type { TraceContext } from "../call/call.ts";
import { isIdempotencyKey } from "../call/call.ts";

const longestTimeout = 2_147_483_647;

/** Milliseconds from a `fairlead-timeout-ms` header; `undefined` when it is not a whole number from 1 to 2^31-1. */
export const parseTimeout = (text: string): number | undefined => {
  const ms = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return ms <= longestTimeout ? ms : undefined;
};

/** Attempts from a `fairlead-attempts` header; `undefined` when it is not a whole number from 1 to 2^31-1. */
export const parseAttempts = parseTimeout;

/** The key, or `undefined` for what is none. */
export const parseIdempotencyKey = (text: string): string | undefined => (isIdempotencyKey(text) ? text : undefined);

/**
 * W3C trace context. What is not well-formed is left out, not refused: the specification wants a new trace then. A version above
 * 00 is read as far as 00 goes.
 */
export const parseTrace = (traceparent: string, tracestate: string | undefined): TraceContext | undefined => {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent);
  if (parts === null) return undefined;
  const [, version, trace = "", parent = "", , more] = parts;
  if (version === "ff" || /^0+$/.test(trace) || /^0+$/.test(parent)) return undefined;
  if (version === "00" && more !== undefined) return undefined;
  return tracestate !== undefined && isTracestate(tracestate) ? { traceparent, tracestate } : { traceparent };
};

const isTracestate = (text: string): boolean => {
  if (text.length > 512) return false;
  const members = text.split(",").map((member) => member.trim());
  const keys = members.map((member) => member.slice(0, member.indexOf("=")));
  return (
    members.length <= 32 &&
    members.every((member) => /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/.test(member)) &&
    new Set(keys).size === keys.length
  );
};
