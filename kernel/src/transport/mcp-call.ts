/**
 * One `tools/call`: from the protocol's request to dispatch and back to a tool result.
 *
 * Reads the call's own terms (deadline, idempotency key, trace) from `_meta`, else from the HTTP headers; reports progress to a
 * client that sent a token. It decodes nothing: dispatch does, once.
 */
import { codes } from "@fairlead/contracts";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallRequest, Dispatch, Principal, Progress, TraceContext } from "../call.ts";
import { didYouMean } from "../did-you-mean.ts";
import type { Endpoint } from "./mcp-endpoint.ts";
import { errorKey, toolResult } from "./mcp-result.ts";

/** Who calls, and the terms that came outside the message. A guarded HTTP request is one. */
export interface Caller {
  readonly principal: Principal;
  readonly trace?: TraceContext;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  /** Fires when the client hangs up. */
  readonly signal?: AbortSignal;
}

export interface ToolCall {
  readonly name: string;
  /** Raw; absent means no fields. */
  readonly input: unknown;
  readonly caller: Caller;
  readonly context: ServerContext;
}

type Meta = Readonly<Record<string, unknown>>;
type Terms = Pick<CallRequest, "timeoutMs" | "idempotencyKey" | "trace">;

/** Runs the call. Throws a `ProtocolError` for an unknown tool, unusable terms, and a caller that has not said who it is. */
export const callTool = async (
  endpoint: Endpoint,
  dispatch: Dispatch,
  { name, input, caller, context }: ToolCall,
): Promise<CallToolResult> => {
  const entry = endpoint.find(name);
  if (entry === undefined) throw unknownTool(name, endpoint);
  const meta: Meta = context.mcpReq._meta ?? {};
  const onProgress = progressTo(context, meta.progressToken);
  const reply = await dispatch.call({
    procedure: entry.procedure,
    input: input ?? {},
    principal: caller.principal,
    transport: "mcp",
    signal: eitherSignal(context.mcpReq.signal, caller.signal),
    ...terms(meta, caller),
    ...(onProgress !== undefined && { onProgress }),
  });
  if (!reply.ok && codes[reply.error.code].mcp === "protocol") {
    throw new ProtocolError(codes[reply.error.code].jsonrpc, reply.error.message, { [errorKey]: reply.error });
  }
  return toolResult(reply, entry.wrapped);
};

const eitherSignal = (own: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? own : AbortSignal.any([own, other]);

const printableName = /^[\w.-]{1,64}$/;

const unknownTool = (name: string, endpoint: Endpoint): ProtocolError => {
  const names = endpoint.names();
  const meant = didYouMean(name, names);
  const place = endpoint.service === undefined ? "" : ` of ${endpoint.service}`;
  const what = printableName.test(name) ? `Unknown tool${place}: ${name}` : `Unknown tool${place}`;
  const next = meant === undefined ? `tools/list names the ${names.length} there are` : `did you mean ${meant}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${what}; ${next}`);
};

const w3c = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The call's own terms: `_meta` first, then the headers. An invalid trace is dropped, as W3C asks; the rest is refused. */
const terms = (meta: Meta, caller: Caller): Terms => {
  const timeoutMs = meta["fairlead/timeoutMs"] ?? caller.timeoutMs;
  const idempotencyKey = meta["fairlead/idempotencyKey"] ?? caller.idempotencyKey;
  const { traceparent, tracestate } = meta;
  const sent = typeof traceparent === "string" && w3c.test(traceparent);
  const state = typeof tracestate === "string" && tracestate.length <= 512 ? { tracestate } : {};
  const trace = sent ? { traceparent, ...state } : caller.trace;
  if (timeoutMs !== undefined && !isTimeout(timeoutMs)) {
    throw invalid("_meta fairlead/timeoutMs must be a whole number of milliseconds, at least 1");
  }
  if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
    throw invalid("_meta fairlead/idempotencyKey must be a string of 1 to 255 characters");
  }
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(trace !== undefined && { trace }),
  };
};

const isTimeout = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const isKey = (value: unknown): value is string => typeof value === "string" && value.length > 0 && value.length <= 255;
const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Reports of one call that are sent without thinning; afterwards at most one in `thinMs`, and always the last one. */
const freely = 64;
const thinMs = 50;
const longestToken = 256;

/** Sends progress to a client that asked for it: always increasing, and never a flood. */
const progressTo = (context: ServerContext, token: unknown): ((progress: Progress) => void) | undefined => {
  if (typeof token !== "number" && (typeof token !== "string" || token.length > longestToken)) return undefined;
  let highest = Number.NEGATIVE_INFINITY;
  let sent = 0;
  let lastAt = 0;
  return ({ progress, total, message }) => {
    const now = performance.now();
    const thinned = sent >= freely && now - lastAt < thinMs && progress !== total;
    if (!(progress > highest) || thinned || context.mcpReq.signal.aborted) return;
    highest = progress;
    sent += 1;
    lastAt = now;
    const params = {
      progressToken: token,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    // A client that has gone needs no report; the call itself is cancelled by its signal.
    context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
};
