/**
 * JSON-RPC errors of the MCP transport: those it answers by itself, and the bound on all that leave it.
 *
 * Failures of a call are tool results, not errors; see `result.ts`.
 */
import type { WireError } from "@fairlead/contracts";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { clippedBytes } from "../../limits/fit.ts";
import { answerBytes, errorKey, largestBatch } from "./result.ts";

/** Codes that MCP's SDKs use for refusals of the transport itself. */
export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  internal: -32603,
  /** Anything wrong with the HTTP exchange; the status says more. */
  exchange: -32000,
  sessionNotFound: -32001,
} as const;

export interface RpcError {
  readonly jsonrpc: "2.0";
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly [errorKey]: WireError };
  };
  /** `null` when no request could be read. */
  readonly id: RequestId | null;
}

/** An error answer, with the envelope where there is one; without an id until one is put on it. */
export const rpcError = (code: number, message: string, wire?: WireError): RpcError => ({
  jsonrpc: "2.0",
  error: { code, message, ...(wire !== undefined && { data: { [errorKey]: wire } }) },
  id: null,
});

/** A tool that no scope of the caller's token allows: on HTTP that is the status, so that its client can log in for more. */
export const lacksScope = rpcError(rpcCode.exchange, "no scope of the token allows this tool", {
  code: "permission_denied",
  message: "no scope of the token allows this tool",
  hint: "log in again with a scope that allows it",
  retryable: false,
});

const longestMessage = 1_024;
/** Short enough for a reply of nothing else. */
const longestError = answerBytes(largestBatch);

/** What the SDK says of headers that disagree with the body; it would repeat both. */
const headerMismatch = -32_020;
const invalidParams = -32_602;
/** Its `data` repeats the version, as the specification has it. */
const unsupportedVersion = -32_022;

/**
 * The SDK's errors in our words where its own repeat what was sent, or are a dump of its schema: a message that has no valid params
 * is the caller's mistake (-32602), whatever the SDK calls it.
 */
const inOurWords = (error: RpcError["error"]): RpcError["error"] => {
  const { code, message } = error;
  if (code === headerMismatch)
    return { code, message: "Bad Request: the headers of the request and its body disagree" };
  if (code === unsupportedVersion) return { ...error, message: "Unsupported protocol version" };
  if (/\[\s*\{/.test(message)) return { code: invalidParams, message: "Invalid params: they do not fit the method" };
  if (code === invalidParams && message.includes("MCP-Protocol-Version header")) {
    return {
      ...error,
      message: "Invalid params: the request lacks the envelope that its MCP-Protocol-Version header asks for",
    };
  }
  return error;
};

/** The same message, unless it is an error that is too long to read: then cut, and without its data. */
export const boundedError = <M extends JSONRPCMessage>(sent: M): M => {
  if (!("error" in sent)) return sent;
  const error = inOurWords(sent.error as RpcError["error"]);
  const message = error === sent.error ? sent : { ...sent, error };
  if (Buffer.byteLength(JSON.stringify(error)) <= longestError) return message;
  return { ...message, error: { code: error.code, message: clippedBytes(error.message, longestMessage) } };
};
