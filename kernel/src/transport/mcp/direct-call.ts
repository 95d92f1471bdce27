/**
 * Answers a plain `tools/call` straight onto the response: with one JSON document when the reply is soon there, else with a stream
 * of events, kept alive, that progress goes out on before the reply.
 *
 * A result goes out as dispatch gave it, and is not checked again. Not here: which calls are plain (`plain-call.ts`), what a call
 * does (`call.ts`).
 */
import type { ServerResponse } from "node:http";
import {
  type CallToolResult,
  type InputRequiredResult,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolError,
  type RequestId,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import { EventStream } from "../../server/response/event-stream.ts";
import { headTimeoutMs, StreamWriter } from "../../server/response/stream.ts";
import type { Surroundings } from "../transport.ts";
import { type Caller, callTool } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { boundedError, rpcCode } from "./error.ts";
import type { PlainCall } from "./plain-call.ts";
import { ownHeaders } from "./reply.ts";
import type { Rounds } from "./rounds.ts";

interface DirectParts {
  readonly surroundings: Surroundings;
  readonly rounds: Rounds;
}

/** Where a call came in. */
interface DirectExchange {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** Fires when the client takes the call back, or goes. */
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
}

type Result = CallToolResult | InputRequiredResult;
type RpcAnswer = { readonly result: Result } | { readonly error: JSONRPCErrorResponse["error"] };

/** Runs a call of the stateless era and ends its response. */
export const answerStateless = async (parts: DirectParts, call: PlainCall, exchange: DirectExchange): Promise<void> => {
  const reply = new ReplyWriter(exchange.response);
  const answer = await run(parts, call, { ...exchange, reply });
  const result =
    answer !== undefined && "result" in answer ? signed(answer.result, parts.surroundings.server) : undefined;
  reply.end(call.id, result === undefined ? answer : { result });
};

/**
 * Runs a call of a session and ends its response. Unless the call asks something: then the response is left as it is, and comes back
 * with the state to go on from, since only the SDK can ask a session's client.
 */
export const answerInSession = async (
  parts: DirectParts,
  call: PlainCall,
  exchange: DirectExchange,
): Promise<string | undefined> => {
  const reply = new ReplyWriter(exchange.response);
  const answer = await run(parts, call, { ...exchange, reply });
  if (answer !== undefined && "result" in answer && isQuestion(answer.result)) {
    reply.release();
    return answer.result.requestState;
  }
  reply.end(call.id, answer);
  return undefined;
};

interface DirectRun extends DirectExchange {
  readonly reply: ReplyWriter;
}

/** A call that is taken back has no answer, and its caller does not wait until its handler has noticed. */
const run = (parts: DirectParts, call: PlainCall, exchange: DirectRun): Promise<RpcAnswer | undefined> =>
  new Promise((resolve) => {
    const takeBack = (): void => resolve(undefined);
    exchange.signal.addEventListener("abort", takeBack, { once: true });
    void toRpcAnswer(parts, call, exchange).then((answer) => {
      exchange.signal.removeEventListener("abort", takeBack);
      resolve(exchange.signal.aborted ? undefined : answer);
    });
  });

const toRpcAnswer = async (
  { surroundings: { dispatch, log }, rounds }: DirectParts,
  { name, input, meta, able, app, revision }: PlainCall,
  { endpoint, caller, signal, reply }: DirectRun,
): Promise<RpcAnswer> => {
  const context = { meta, signal, report: reply.report };
  try {
    const call = { name, input, caller, context, able, app, revision };
    return { result: await callTool(endpoint, { dispatch, rounds }, call) };
  } catch (cause) {
    if (cause instanceof ProtocolError) {
      const { code, message, data } = cause;
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
    log("error", "mcp request failed", { error: cause });
    return { error: { code: rpcCode.internal, message: "Internal server error" } };
  }
};

const isQuestion = (result: Result): result is InputRequiredResult => result.resultType === "input_required";

/** A result as the stateless era wants it: of a known type, and with the name of who gives it. */
const signed = (result: Result, server: Surroundings["server"]): Result => {
  const { _meta: meta, resultType = "complete" } = result;
  return { ...result, resultType, _meta: { [SERVER_INFO_META_KEY]: server, ...meta } } as Result;
};

/** The response of one call. */
class ReplyWriter {
  readonly #response: ServerResponse;
  readonly #headTimer: NodeJS.Timeout;
  #stream: EventStream | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#headTimer = setTimeout(() => this.#open(), headTimeoutMs);
  }

  readonly report = (params: object): void => {
    const stream = this.#open();
    if (!stream.isFull) void stream.send({ data: { jsonrpc: "2.0", method: "notifications/progress", params } });
  };

  /** Sends the answer, if there is one, and ends. */
  end(id: RequestId, answer: RpcAnswer | undefined): void {
    clearTimeout(this.#headTimer);
    const message: JSONRPCMessage | undefined =
      answer === undefined ? undefined : boundedError({ ...answer, jsonrpc: "2.0", id });
    if (this.#stream !== undefined || message === undefined) {
      const stream = this.#open();
      if (message !== undefined) void stream.send({ data: message });
      stream.end();
      return;
    }
    if (this.#response.destroyed) return;
    const text = JSON.stringify(message);
    this.#response.writeHead(200, {
      ...ownHeaders,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    const writer = new StreamWriter(this.#response);
    void writer.write(text);
    writer.end();
  }

  /** Leaves the response to another, who finds the head sent when a stream has been opened. */
  release(): void {
    clearTimeout(this.#headTimer);
    this.#stream?.release();
  }

  #open(): EventStream {
    this.#stream ??= new EventStream(this.#response);
    return this.#stream;
  }
}
