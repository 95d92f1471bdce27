/**
 * An error as tRPC clients get it: tRPC's own shape, with the envelope in `data.error`. Short, whatever was called.
 *
 * `data.code`, `code` and `data.httpStatus` agree with one another, as in tRPC's own table. An input error's issues are in
 * `data.error.issues`, and once more in `data.zodError`, in the form that Zod's `flatten` gives and tRPC's documents show.
 */
import { codes, type Issue, type WireError } from "@fairlead/contracts";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { errorBytes, fitted } from "../../limits/fit.ts";
import type { RefusalDocument, RefusedRequest } from "../../server/mount.ts";
import type { Catalog } from "../transport.ts";

export interface ShapeOptions {
  /** Where the transport knows better than the code table. */
  readonly status?: number | undefined;
  /** What was called, as sent; left out of the shape when it can be no procedure's name. */
  readonly path?: string | undefined;
  /** Bytes that the shape may have as JSON. */
  readonly bytes?: number | undefined;
}

const possibleName = /^[\w.]{1,128}$/;
/** Bytes around a shape: `{"error":}` and, in a batch, a comma. */
const around = 12;

export const errorShape = (error: WireError, { status, path, bytes = errorBytes() }: ShapeOptions = {}) => {
  const { http, jsonrpc, trpc } = codes[error.code];
  const own = status === undefined ? undefined : codeByStatus[status];
  const place = path !== undefined && possibleName.test(path) ? { path } : {};
  return fitted(error, bytes - around, (fit) => ({
    message: fit.message,
    code: own === undefined ? jsonrpc : TRPC_ERROR_CODES_BY_KEY[own],
    data: {
      code: own ?? trpc,
      httpStatus: status ?? http,
      ...place,
      error: fit,
      ...zodError(fit),
    },
  }));
};

const zodError = ({ code, issues }: WireError): { readonly zodError?: FlattenedIssues } =>
  code === "invalid_argument" && issues !== undefined ? { zodError: flatten(issues) } : {};

/** tRPC's codes for the statuses that only a transport gives. */
const codeByStatus: Readonly<Record<number, keyof typeof TRPC_ERROR_CODES_BY_KEY>> = {
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  499: "CLIENT_CLOSED_REQUEST",
};

/** Issues by the first field of their path, as `ZodError.flatten` has them. */
export interface FlattenedIssues {
  readonly formErrors: string[];
  readonly fieldErrors: Record<string, string[]>;
}

const flatten = (issues: readonly Issue[]): FlattenedIssues => {
  const formErrors: string[] = [];
  const fieldErrors: Record<string, string[]> = Object.create(null);
  for (const { path, fix } of issues) {
    const field = /^[^.[*]+/.exec(path)?.[0];
    if (field === undefined) {
      formErrors.push(fix);
      continue;
    }
    fieldErrors[field] ??= [];
    fieldErrors[field].push(fix);
  }
  return { formErrors, fieldErrors };
};

/**
 * The refusal of a whole request: clients take it as the answer to each call of a batch, streamed or not. An EventSource reads nothing
 * of an answer that is not an event stream with status 200, so it gets the error as the event that tRPC's subscriptions fail with.
 */
export const trpcRefusal = (
  error: WireError,
  { url, accept, status }: RefusedRequest,
  shape: ShapeOptions = { status },
): RefusalDocument => {
  const body = errorShape(inWordsOfTrpc(error, url, status), shape);
  if (accept?.includes("text/event-stream") !== true || isBatch(url)) {
    return { status: body.data.httpStatus, type: "application/json", text: JSON.stringify({ error: body }) };
  }
  const pause = error.retryAfterMs === undefined ? "" : `retry: ${error.retryAfterMs}\n`;
  const text = `${pause}event: serialized-error\ndata: ${JSON.stringify(body)}\n\n`;
  return { status: 200, type: "text/event-stream", text };
};

/** A subscription is never in a batch. */
const isBatch = (url: string): boolean => /[?&]batch=1(?:&|$)/.test(url);

/** An input error, where the input looks like what `superjson` makes of one: the client has a transformer, and this router has none. */
export const inWordsOfTransformers = (error: WireError, input: unknown): WireError => {
  const isSerialized =
    typeof input === "object" &&
    input !== null &&
    "json" in input &&
    Object.keys(input).every((key) => key === "json" || key === "meta");
  return error.code === "invalid_argument" && isSerialized ? { ...error, hint: noTransformer } : error;
};

const noTransformer =
  "take `transformer` out of the client's link: this endpoint speaks the JSON of its contracts, which have codecs for dates, big integers, maps and bytes";

/** Names the option of tRPC's client that helps, where there is one. */
const inWordsOfTrpc = (error: WireError, url: string, status: number | undefined): WireError => {
  if (status === 414) return { ...error, hint: shorterUrl };
  return status === 401 && url.includes("connectionParams=") ? { ...error, hint: noTokenInUrl } : error;
};

const noTokenInUrl =
  "`connectionParams` of `httpSubscriptionLink` are written into the address, where no token is read: use `links` of `@fairlead/client/trpc`, an EventSource that sends headers, or `wsLink`";
const shorterUrl =
  'set `methodOverride: "POST"` on the client\'s link, or `maxURLLength: 8192`, or use `links` of `@fairlead/client/trpc`';

/** The name, where there is such a procedure, switched off or not: other names are the caller's, and no reply repeats them. */
export const knownPath = (catalog: Catalog, name: string): string | undefined =>
  catalog.find(name) !== undefined || catalog.all().some((entry) => entry.name === name) ? name : undefined;

/** The procedure in a URL below the mount; several of a batch are no procedure's name. */
export const calledPath = (url: string): string => url.split("?", 1)[0]?.replace(/^\/[^/]*\//, "") ?? "";
