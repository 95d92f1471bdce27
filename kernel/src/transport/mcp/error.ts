/**
 * JSON-RPC errors of the MCP transport: those it answers by itself, and the bound on all that leave it.
 *
 * Failures of a call are tool results, not errors; see `result.ts`.
 */
import type { WireError } from "@fairlead/contracts";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { errorKey } from "./result.ts";

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

/** An error answer, with the envelope where there is one; to nobody in particular until an id is put on it. */
export const rpcError = (code: number, message: string, wire?: WireError): RpcError => ({
  jsonrpc: "2.0",
  error: { code, message, ...(wire !== undefined && { data: { [errorKey]: wire } }) },
  id: null,
});

const longestMessage = 2_048;
const longestData = 8_192;

/** The same message, unless it is an error longer than anybody wants to read: then cut, and without its data. */
export const boundedError = <M extends JSONRPCMessage>(message: M): M => {
  if (!("error" in message)) return message;
  const { error } = message;
  const data = error.data === undefined ? undefined : JSON.stringify(error.data);
  const short = error.message.length <= longestMessage;
  if (short && (data === undefined || data.length <= longestData)) return message;
  const text = short ? error.message : `${error.message.slice(0, longestMessage)}…`;
  return { ...message, error: { code: error.code, message: text } };
};

const longestId = 256;

/** Why the ids of a message, or of a batch, cannot be answered; `undefined` when they can. An id is repeated in every answer. */
export const idProblem = (value: unknown): string | undefined => {
  const messages = Array.isArray(value) ? value : [value];
  const tooLong = messages.some(
    (message) =>
      typeof message === "object" &&
      message !== null &&
      "id" in message &&
      typeof message.id === "string" &&
      message.id.length > longestId,
  );
  return tooLong ? `A request id must not be longer than ${longestId} characters` : undefined;
};
