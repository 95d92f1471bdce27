/**
 * Writing the answers of the HTTP API: JSON, the events of a stream, and errors as events. Errors as documents: `server/problem.ts`.
 */
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { WireError } from "@fairlead/contracts";
import { errorBytes, fitted } from "../../limits/fit.ts";
import { sendProblem } from "../../server/problem.ts";
import type { SseEvent } from "../../server/response/event-stream.ts";

interface SentAs {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
}

/** A result as JSON. */
export const sendValue = (response: ServerResponse, value: unknown, { status = 200, headers }: SentAs = {}): void => {
  const text = JSON.stringify(value) ?? "null";
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
};

/** The refusal of a method; `methods` are those to send, the documented one first. */
export const sendWrongMethod = (response: ServerResponse, methods: readonly string[]): void =>
  sendProblem(
    response,
    {
      code: "unimplemented",
      message: "this path does not take that method",
      hint: `send a ${methods[0]}; see /openapi.json`,
      retryable: false,
    },
    {
      status: 405,
      headers: { allow: methods.join(", "), ...(methods.includes("QUERY") && { "accept-query": "application/json" }) },
    },
  );

/** An error inside a stream, cut to the size that errors may have. */
export const errorEvent = (error: WireError): SseEvent => ({
  event: "error",
  data: fitted(error, errorBytes(), (fit) => fit),
});
