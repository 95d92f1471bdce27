/**
 * The answer to what is not HTTP, came too slowly, or has too many headers: written to the bare socket, since there is no request
 * to answer to. tRPC clients get their own form where the head's first bytes show that they called `/trpc`.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WireError } from "@fairlead/contracts";
import { headersTooLong } from "./guard.ts";
import type { RefusalDocument, RefusedRequest } from "./mount.ts";

/** What Node reports: `rawPacket` are the bytes that it was reading when it gave up. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array };

interface MalformedParts {
  /** The last response begun on that socket: one that is on its way is cut off. */
  readonly latest: ServerResponse | undefined;
  /** Writes the refusal for the clients of what was called. */
  readonly document: (error: WireError, request: RefusedRequest) => RefusalDocument;
  /** Ends the connection once the answer is written. */
  readonly end: () => void;
}

/** Answers a server's `clientError`. */
export const answerMalformed = (
  cause: ParserError,
  socket: Duplex,
  { latest, document, end }: MalformedParts,
): void => {
  const isAnswering = latest?.headersSent === true && !latest.writableFinished;
  if (isAnswering || !socket.writable || cause.code === "ECONNRESET") {
    socket.destroy(cause);
    return;
  }
  const { error, ...reason } = reasonFor(cause.code);
  writeRefusal(socket, document(error, { url: requestTarget(cause.rawPacket), status: reason.status }));
  end();
};

/** Answers on a bare socket, where there is no response to write to. */
export const writeRefusal = (socket: Duplex, { status, type, text }: RefusalDocument): void => {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  socket.write([...head, "", text].join("\r\n"));
};

/** The request target, where the bytes begin with a request line: there is none in the later packets of a long head. */
const requestTarget = (packet: Uint8Array | undefined): string => {
  const line = Buffer.from(packet?.subarray(0, longestLine) ?? []).toString("latin1");
  return /^[A-Z]{3,7} (\/[^ \r\n]*)/.exec(line)?.[1] ?? "/";
};
const longestLine = 8_192;

const reasonFor = (code: string | undefined): { readonly status: number; readonly error: WireError } => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return {
        status: 431,
        error: {
          code: "invalid_argument",
          ...headersTooLong,
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
          message: "the request is not valid HTTP/1.1",
          hint: "check the proxies between you and this server",
          retryable: false,
        },
      };
  }
};
