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

const longestMessage = 1_024;
/** Short enough for a reply of nothing else. */
const longestError = answerBytes(largestBatch);

/** The same message, unless it is an error longer than anybody wants to read: then cut, and without its data. */
export const boundedError = <M extends JSONRPCMessage>(message: M): M => {
  if (!("error" in message)) return message;
  const { error } = message;
  if (Buffer.byteLength(JSON.stringify(error)) <= longestError) return message;
  return { ...message, error: { code: error.code, message: clippedBytes(error.message, longestMessage) } };
};
