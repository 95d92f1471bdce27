/**
 * One `tools/call`: from the protocol's request to dispatch and back to a tool result.
 *
 * Reads the call's own terms (deadline, idempotency key, trace) from `_meta`, else from the HTTP headers; reports progress to a
 * client that sent a token. It decodes nothing: dispatch does, once.
 */
import { codes, didYouMean, type FairleadError, type WireError } from "@fairlead/contracts";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type {
  CallRequest,
  ClientLog,
  Dispatch,
  Principal,
  Progress,
  Question,
  Reply,
  TraceContext,
} from "../../call/call.ts";
import { keyShape } from "../../call/call.ts";
import { failure } from "../../call/error.ts";
import { isRecord } from "../../call/record.ts";
import type { ToolEntry } from "../../host/manifest.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import { parseAttempts, parseIdempotencyKey, parseTimeout, parseTrace } from "../../server/request-headers.ts";
import type { AnswerTerms } from "./answer/answer.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorKey, isTextOnly, passedResult, toolResult } from "./result.ts";
import { lostCall, type Round, type RoundClient, type Rounds } from "./rounds.ts";
import type { TaskEnd, TaskRun } from "./tasks/task.ts";

/** Who calls, and the terms that came outside the message. */
export interface Caller {
  readonly principal: Principal;
  /** It has started the server itself: a path of its machine is one of this machine. */
  readonly isLocal?: true;
  /** The session or connection, in which calls are of one client; a stateless request has none. */
  readonly client?: string;
  readonly trace?: TraceContext;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly idempotencyKey?: string;
  /** Fires when the client hangs up. */
  readonly signal?: AbortSignal;
  /** How many messages came at once, when it were more than one. */
  readonly messages?: number;
}

/** Without the hang-up signal: the SDK turns it into the cancellation of a stateless request by itself. */
export const toCaller = ({ principal, trace, timeoutMs, attempts, idempotencyKey }: GuardedRequest): Caller => ({
  principal,
  ...(trace !== undefined && { trace }),
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(attempts !== undefined && { attempts }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});

/** The exchange that a call came in, as far as the call goes. */
export interface CallContext {
  readonly meta: Meta;
  /** Fires when the client takes the call back. */
  readonly signal: AbortSignal;
  /** What a client sends when it comes back to a call that asked it a question. */
  readonly state?: unknown;
  readonly answers?: Readonly<Record<string, unknown>> | undefined;
  /** Its client's log, where that wants one. */
  readonly log?: ClientLog | undefined;
  /** Sends a progress report, if the exchange still can. */
  report(params: ProgressReport): void;
}

/** `params` of `notifications/progress`. */
interface ProgressReport extends Progress {
  readonly progressToken: string | number;
}

export interface ToolCall {
  readonly name: string;
  /** Raw; absent means no fields. */
  readonly input: unknown;
  readonly caller: Caller;
  readonly context: CallContext;
  /** What the client has said it can be asked. */
  readonly able: ClientCapabilities | undefined;
  /** How the client calls itself. */
  readonly app?: string | undefined;
  /** The revision that a session was opened with. */
  readonly revision?: string | undefined;
  /** It takes a task in place of an answer. */
  readonly takesTasks?: boolean;
}

type Meta = Readonly<Record<string, unknown>>;
type Terms = Pick<CallRequest, "timeoutMs" | "attempts" | "idempotencyKey" | "trace">;

/** Runs the call. Throws a `ProtocolError` for an unknown tool, unusable terms, and a caller that has not said who it is. */
export const callTool = async (endpoint: Endpoint, parts: CallParts, call: ToolCall): Promise<ToolAnswer> => {
  const chosen = endpoint.choose?.(call.name, call.input, call.caller.principal);
  switch (chosen?.kind) {
    case undefined:
      return callEntry(endpoint, parts, call);
    case "call":
      return callEntry(endpoint, parts, { ...call, name: chosen.name, input: chosen.input });
    case "answer":
      return { content: [{ type: "text", text: chosen.text }] };
    case "refused":
      return refuse(chosen.error, endpoint, call.caller);
  }
};

/** A task goes out as a result of its own kind, which the SDK has no type for. */
export type ToolAnswer = CallToolResult | InputRequiredResult;

interface CallParts {
  readonly dispatch: Dispatch;
  readonly rounds: Rounds;
}

const callEntry = async (
  endpoint: Endpoint,
  { dispatch, rounds }: CallParts,
  { name, input: sent, caller, context, able, app, revision, takesTasks = false }: ToolCall,
): Promise<ToolAnswer> => {
  const entry = endpoint.find(name);
  if (entry === undefined) throw unknownTool(name, endpoint);
  const { meta, signal, state, answers, log } = context;
  const wanted = await readAnswerTerms(entry, sent);
  if ("code" in wanted) return refuse(wanted, endpoint, caller);
  const { terms: answerTerms } = wanted;
  const { input, file } = splitFile(entry, wanted.input);
  const client: RoundClient = {
    owner: `${caller.principal.id} ${name}`,
    signals: caller.signal === undefined ? [signal] : [signal, caller.signal],
    onProgress: progressTo(context, meta.progressToken),
    onLog: log?.send,
  };
  const own = terms(meta, caller);
  if (takesTasks && state === undefined && file === undefined && endpoint.canBeTask(entry.procedure)) {
    const { startTask } = await import("./tasks/task-calls.ts");
    const task = { procedure: entry.procedure, input: input ?? {} };
    const start = await startTask(dispatch, task, requestTerms(context, caller));
    if (start.kind === "refused") return failedResult(start.error, endpoint, caller);
    if (start.kind === "started") return { ...start.task, content: [] };
  }
  const round =
    typeof state === "string"
      ? await rounds.resume(state, { ...answers }, client)
      : await rounds.begin((call) => {
          const ask = (question: Question): Promise<unknown> =>
            canAnswer(able, question) ? call.ask(question) : Promise.reject(notAble(question));
          const request: CallRequest = {
            procedure: entry.procedure,
            input: input ?? {},
            principal: caller.principal,
            ...(caller.client !== undefined && { client: caller.client }),
            ...(app !== undefined && { app: app.slice(0, longestAppName) }),
            transport: "mcp",
            signal: call.signal,
            ...own,
            ask,
            ...(client.onProgress !== undefined && { onProgress: call.onProgress }),
            ...(log !== undefined && { clientLog: { level: log.level, send: call.onLog } }),
          };
          return file === undefined ? dispatch.call(request) : sendFile(dispatch, request, { ...file, caller });
        }, client);
  if (round?.kind === "asks") return toInputRequired(round);
  const reply = round?.reply ?? { ok: false, error: lostCall };
  if (!reply.ok) return failedResult(reply.error, endpoint, caller);
  if (entry.passed === true) return passedResult(reply.value);
  const result = plainResult(entry, reply.value);
  if (reply.file !== undefined) {
    const { linkedResult } = await import("./resources.ts");
    return linkedResult(result, { entry, endpoint, input: input ?? {}, file: reply.file, revision });
  }
  return fitted(result, { entry, endpoint, app, terms: answerTerms });
};

/** Characters. */
const longestAppName = 200;

const plainResult = ({ wrapped, tool }: ToolEntry, value: unknown): CallToolResult =>
  toolResult(value ?? null, { wrapped, quoted: wrapped && !isTextOnly(tool) });

const failedResult = (error: WireError, endpoint: Endpoint, caller: Caller): Promise<CallToolResult> => {
  if (codes[error.code].mcp !== "protocol") return refuse(error, endpoint, caller);
  throw new ProtocolError(codes[error.code].jsonrpc, error.message, { [errorKey]: error });
};

interface FitParts {
  readonly entry: ToolEntry;
  readonly endpoint: Endpoint;
  readonly app: string | undefined;
  readonly terms?: AnswerTerms | undefined;
}

/** As much of an answer as a model reads. */
const fitted = async (
  result: CallToolResult,
  { entry, endpoint, app, terms: asked }: FitParts,
): Promise<CallToolResult> => {
  if (asked === undefined && !isLong(result)) return result;
  const { defaultTokens, fitAnswer } = await import("./answer/answer.ts");
  return fitAnswer(result, {
    entry,
    terms: asked ?? { limitTokens: defaultTokens },
    app,
    full: endpoint.full,
  });
};

/** A run's end as a call of its tool would have been answered. Throws a `ProtocolError` for a task of no tool of this address. */
export const taskEnd = async (
  { procedure, state, output, error }: TaskRun,
  { endpoint, caller, app }: { readonly endpoint: Endpoint; readonly caller: Caller; readonly app: string | undefined },
): Promise<TaskEnd | undefined> => {
  const entry = endpoint.find(endpoint.words.tool(procedure) ?? "");
  if (entry === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the task is of no tool of this address");
  if (state === "done")
    return { kind: "result", result: await fitted(plainResult(entry, output), { entry, endpoint, app }) };
  if (error === null) return undefined;
  const { isTaskFailure } = await import("./tasks/task.ts");
  if (!isTaskFailure(error)) return { kind: "result", result: await refuse(error, endpoint, caller) };
  return {
    kind: "error",
    error: { code: codes[error.code].jsonrpc, message: error.message, data: { [errorKey]: error } },
  };
};

interface SentFile {
  readonly argument: string;
  /** Raw. */
  readonly value: unknown;
}

/** The file of an upload is an argument here, and no part of the input. */
const splitFile = (
  { fileArgument }: ToolEntry,
  input: unknown,
): { readonly input: unknown; readonly file?: SentFile } => {
  if (fileArgument === undefined || !isRecord(input) || !Object.hasOwn(input, fileArgument)) return { input };
  const { [fileArgument]: value, ...rest } = input;
  return { input: rest, file: { argument: fileArgument, value } };
};

const sendFile = async (
  dispatch: Dispatch,
  request: CallRequest,
  { argument, value, caller }: SentFile & { readonly caller: Caller },
): Promise<Reply> => {
  const { takeFile } = await import("./files/sent-file.ts");
  const file = await takeFile(value, { argument, ask: caller.isLocal === true ? request.ask : undefined });
  return "code" in file ? { ok: false, error: file } : dispatch.call({ ...request, file });
};

const refuse = (error: WireError, { words }: Endpoint, { messages }: Caller): Promise<CallToolResult> =>
  import("./refused-result.ts").then(({ refusedResult }) => refusedResult(error, { messages, words }));

/** Arguments that are about the answer; they are taken with every tool that has none of that name. */
const answerArguments = ["limitTokens", "fields"] as const;

interface SplitInput {
  /** What is left for the procedure. */
  readonly input: unknown;
  readonly terms?: AnswerTerms;
}

const readAnswerTerms = async (
  { passed, ownArguments = [] }: ToolEntry,
  input: unknown,
): Promise<SplitInput | WireError> => {
  const taken = passed === true ? [] : answerArguments.filter((name) => !ownArguments.includes(name));
  if (!isRecord(input) || !taken.some((name) => Object.hasOwn(input, name))) return { input };
  const { splitAnswerTerms } = await import("./answer/answer.ts");
  return splitAnswerTerms(input, taken);
};

/** A text that is shorter has no more tokens than any answer may have. */
const shortestLong = 2_000;

const isLong = ({ content: [first] }: CallToolResult): boolean =>
  first?.type === "text" && first.text.length > shortestLong;

/** A round that ends with questions, as the protocol says it. */
const toInputRequired = ({ questions, state }: Extract<Round, { kind: "asks" }>): InputRequiredResult => ({
  resultType: "input_required",
  // What a service asks is passed on as it is.
  inputRequests: questions as unknown as InputRequests,
  requestState: state,
});

/** As the protocol reads capabilities: who says nothing of forms and links takes forms. */
const canAnswer = (able: ClientCapabilities | undefined, { method, params }: Question): boolean => {
  switch (method) {
    case "elicitation/create": {
      const { form, url } = able?.elicitation ?? {};
      if (params.mode === "url") return url !== undefined;
      return able?.elicitation !== undefined && (form !== undefined || url === undefined);
    }
    case "sampling/createMessage": {
      const withTools = params.tools !== undefined || params.toolChoice !== undefined;
      return able?.sampling !== undefined && (!withTools || able.sampling.tools !== undefined);
    }
    case "roots/list":
      return able?.roots !== undefined;
  }
};

const notAble = ({ method }: Question): FairleadError =>
  failure("unimplemented", `the client cannot answer ${method}`, { hint: "use a client that can" });

const unknownTool = (name: string, endpoint: Endpoint): ProtocolError => {
  const names = endpoint.names();
  const meant = didYouMean(name, names);
  const place = endpoint.service === undefined ? "" : ` of ${endpoint.service}`;
  const next = meant === undefined ? `tools/list names the ${names.length} there are` : `did you mean ${meant}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool${place}; ${next}`);
};

/** How a request that is no tool call calls a procedure. */
export const requestTerms = (
  { meta, signal }: Pick<CallContext, "meta" | "signal">,
  caller: Caller,
): Omit<CallRequest, "procedure" | "input"> => ({
  principal: caller.principal,
  ...(caller.client !== undefined && { client: caller.client }),
  transport: "mcp",
  signal: caller.signal === undefined ? signal : AbortSignal.any([signal, caller.signal]),
  ...terms(meta, caller),
});

/** The call's own terms: `_meta` first, then the headers. An invalid trace is dropped, as W3C asks; the rest is refused. */
const terms = (meta: Meta, caller: Caller): Terms => {
  const { traceparent, tracestate } = meta;
  const sent = typeof traceparent === "string" ? parseTrace(traceparent, textOr(tracestate)) : undefined;
  const trace = sent ?? caller.trace;
  const timeoutMs = own(meta, "fairlead/timeoutMs", parseTimeout) ?? caller.timeoutMs;
  const attempts = own(meta, "fairlead/attempts", parseAttempts) ?? caller.attempts;
  const idempotencyKey = own(meta, "fairlead/idempotencyKey", parseIdempotencyKey) ?? caller.idempotencyKey;
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(attempts !== undefined && { attempts }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(trace !== undefined && { trace }),
  };
};

const textOr = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const shapes = {
  "fairlead/timeoutMs": "a whole number of milliseconds, at least 1",
  "fairlead/attempts": "a whole number of attempts, at least 1",
  "fairlead/idempotencyKey": keyShape,
} as const;

/** A term that is read as the header of the same meaning is. */
const own = <T>(meta: Meta, key: keyof typeof shapes, parse: (text: string) => T | undefined): T | undefined => {
  const value = meta[key];
  if (value === undefined) return undefined;
  const parsed = typeof value === "string" || typeof value === "number" ? parse(String(value)) : undefined;
  if (parsed === undefined) throw invalid(`_meta ${key} must be ${shapes[key]}`);
  return parsed;
};

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Reports of one call that are sent without thinning; afterwards at most one in `thinMs`, and always the last one. */
const freely = 64;
const thinMs = 50;
const longestToken = 256;

/** Sends progress to a client that asked for it: always increasing, and never a flood. */
const progressTo = (context: CallContext, token: unknown): ((progress: Progress) => void) | undefined => {
  if (typeof token !== "number" && (typeof token !== "string" || token.length > longestToken)) return undefined;
  let highest = Number.NEGATIVE_INFINITY;
  let sent = 0;
  let lastAt = 0;
  return ({ progress, total, message }) => {
    const now = performance.now();
    const thinned = sent >= freely && now - lastAt < thinMs && progress !== total;
    if (!(progress > highest) || thinned || context.signal.aborted) return;
    highest = progress;
    sent += 1;
    lastAt = now;
    context.report({
      progressToken: token,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  };
};
