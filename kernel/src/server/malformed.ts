/**
 * The answer to what is no HTTP, came too slowly, or has too many headers: written to the bare socket, since there is no request
 * to answer to.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WireError } from "@fairlead/contracts";
import { problemText } from "./problem.ts";

/** Answers a server's `clientError`. `latest` is the last response begun on that socket: one that is on its way is cut off. */
export const answerMalformed = (
  cause: Error & { readonly code?: string },
  socket: Duplex,
  latest: ServerResponse | undefined,
): void => {
  const isAnswering = latest?.headersSent === true && !latest.writableFinished;
  if (isAnswering || !socket.writable || cause.code === "ECONNRESET") {
    socket.destroy(cause);
    return;
  }
  const { status, error } = reasonFor(cause.code);
  const text = problemText(error, status);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "connection: close",
      "content-type: application/problem+json",
      `content-length: ${Buffer.byteLength(text)}`,
      "",
      text,
    ].join("\r\n"),
    () => socket.destroy(),
  );
};

const reasonFor = (code: string | undefined): { readonly status: number; readonly error: WireError } => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return {
        status: 431,
        error: {
          code: "invalid_argument",
          message: "the headers of the request are too large",
          hint: "send fewer or shorter headers",
          retryable: false,
        },
      };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return {
        status: 408,
        error: {
          code: "deadline_exceeded",
          message: "the request did not arrive in time",
          hint: "send it faster, or in smaller parts",
          retryable: true,
        },
      };
    default:
      return {
        status: 400,
        error: {
          code: "invalid_argument",
          message: "the request is no valid HTTP/1.1",
          hint: "check the proxies between you and this server",
          retryable: false,
        },
      };
  }
};
