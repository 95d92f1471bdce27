/**
 * Reads an HTTP error reply: the kernel's `application/problem+json`, or whatever a proxy in front of it said.
 *
 * Pure: takes the parts of a response. Not here: the network (`fetch.ts`).
 */
import { type Code, codes, type Issue, type WireError } from "./error.ts";

interface HttpFailure {
  readonly status: number;
  /** The body as parsed JSON; `undefined` when it is none. */
  readonly body: unknown;
  /** Value of `Retry-After`, when sent. */
  readonly retryAfter: string | null;
  /** Whether a repeat does no harm, should the first attempt have had its effect. */
  readonly repeatable: boolean;
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  readonly now: number;
}

const statusCodes: Readonly<Record<number, Code>> = {
  400: "invalid_argument",
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
  405: "unimplemented",
  408: "deadline_exceeded",
  409: "aborted",
  412: "failed_precondition",
  413: "resource_exhausted",
  415: "invalid_argument",
  422: "invalid_argument",
  429: "resource_exhausted",
  499: "canceled",
  500: "internal",
  501: "unimplemented",
  502: "unavailable",
  503: "unavailable",
  504: "deadline_exceeded",
};

/** Nothing ran. */
const refusedStatuses: readonly number[] = [429, 503];
/** It is not known whether anything ran. */
const lostStatuses: readonly number[] = [502, 504];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is one of the sixteen codes. */
export const isCode = (value: unknown): value is Code => codes.some((code) => code === value);

/** Reads an envelope that came as JSON; `undefined` when it is none. `detail` is what problem details call the message. */
export const wireError = (body: unknown): WireError | undefined => {
  if (!isRecord(body) || !isCode(body.code)) return undefined;
  const { code, reason, message, detail, hint, data, issues, id, retryable, retryAfterMs } = body;
  return {
    code,
    message: text(message) ?? text(detail) ?? code,
    retryable: retryable === true,
    ...(typeof reason === "string" && { reason }),
    ...(typeof hint === "string" && { hint }),
    ...(data !== undefined && { data }),
    ...(Array.isArray(issues) && { issues: issues.filter(isIssue) }),
    ...(typeof id === "string" && { id }),
    ...(typeof retryAfterMs === "number" && { retryAfterMs }),
  };
};

/** The error of a reply that is not a success. */
export const httpError = (failure: HttpFailure): WireError => {
  const wire = wireError(failure.body) ?? foreignError(failure);
  const retryAfterMs = wire.retryAfterMs ?? parseRetryAfter(failure.retryAfter, failure.now);
  return retryAfterMs === undefined ? wire : { ...wire, retryAfterMs };
};

const foreignError = ({ status, body, repeatable }: HttpFailure): WireError => {
  const title = isRecord(body) ? (text(body.detail) ?? text(body.title) ?? text(body.message)) : undefined;
  return {
    code: statusCodes[status] ?? "unknown",
    message: title ?? `the server answered with HTTP status ${status} and no Fairlead error`,
    hint: "check that the address is that of a Fairlead kernel, and what is between",
    retryable: refusedStatuses.includes(status) || (repeatable && lostStatuses.includes(status)),
  };
};

/** Milliseconds that a `Retry-After` asks for: whole seconds or an HTTP date; `undefined` when it says nothing readable. */
export const parseRetryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = /^[A-Za-z]{3}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const isIssue = (value: unknown): value is Issue =>
  isRecord(value) &&
  typeof value.path === "string" &&
  typeof value.expected === "string" &&
  typeof value.fix === "string";
