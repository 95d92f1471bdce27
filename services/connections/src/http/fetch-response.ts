/** An answer of `node:http` as the `Response` that the SDK wants, its body no faster than it is read, and within bounds. */
import type { IncomingMessage } from "node:http";
import { errorCode, RequestError } from "./request-error.ts";

/** Bytes that one event of a stream may have, and a body that is no such stream. */
export const maxPieceBytes = 32 * 1024 * 1024;

/** Statuses whose answer has no body, which `Response` insists on. */
const bodiless = new Set([204, 205, 304]);

export const toResponse = (answer: IncomingMessage): Response => {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = answer.statusCode ?? 502;
  if (bodiless.has(status)) answer.resume();
  return new Response(bodiless.has(status) ? null : toStream(answer), {
    status: status < 200 ? 502 : status,
    statusText: answer.statusMessage ?? "",
    headers,
  });
};

/** The part of a content type that says what it is. */
export const mediaType = (answer: IncomingMessage): string =>
  answer.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";

const toStream = (answer: IncomingMessage): ReadableStream<Uint8Array> => {
  const size = mediaType(answer) === "text/event-stream" ? eventSize() : bodySize();
  let over = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const fail = (error: RequestError): void => {
        if (over) return;
        over = true;
        controller.error(error);
      };
      answer.on("data", (chunk: Buffer) => {
        if (over) return;
        if (size(chunk) > maxPieceBytes) {
          fail(bodyTooLong());
          answer.destroy();
          return;
        }
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      });
      answer.once("end", () => {
        if (over) return;
        over = true;
        controller.close();
      });
      answer.once("error", (error) => fail(new RequestError(errorCode(error), error.message, true)));
      answer.once("close", () => fail(responseCutOff()));
    },
    pull: () => void answer.resume(),
    cancel: () => {
      over = true;
      answer.destroy();
    },
  });
};

/** Of a body: all bytes so far. */
const bodySize = () => {
  let bytes = 0;
  return (chunk: Buffer): number => {
    bytes += chunk.length;
    return bytes;
  };
};

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Of a stream: the most bytes that came without an empty line, which ends an event. Readers keep its lines until then. A line ends with `\n`, `\r\n` or `\r`.
 */
const eventSize = () => {
  let bytes = 0;
  let isLineEmpty = true;
  let last = 0;
  return (chunk: Buffer): number => {
    let most = 0;
    for (const byte of chunk) {
      bytes += 1;
      const isSecondHalf = byte === newline && last === carriageReturn;
      last = byte;
      if (isSecondHalf) continue;
      if (byte !== newline && byte !== carriageReturn) {
        isLineEmpty = false;
        continue;
      }
      if (isLineEmpty) {
        most = Math.max(most, bytes);
        bytes = 0;
      }
      isLineEmpty = true;
    }
    return Math.max(most, bytes);
  };
};

export const bodyTooLong = (): RequestError =>
  new RequestError("ETOOLONG", `an answer of more than ${maxPieceBytes} bytes`, true);

export const responseCutOff = (): RequestError => new RequestError("ECONNRESET", "the answer broke off", true);
