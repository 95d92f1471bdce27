/** An answer of `node:http` as the `Response` that the SDK wants, its body no faster than it is read, and within bounds. */
import type { IncomingMessage } from "node:http";
import { errorCode, RequestError } from "./request-error.ts";

/** Bytes that may come without a line break, or in a body that is no stream of events. */
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
  const lines = mediaType(answer) === "text/event-stream";
  let piece = 0;
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
        const lineEnd = lines ? chunk.lastIndexOf(0x0a) : -1;
        piece = lineEnd === -1 ? piece + chunk.length : chunk.length - lineEnd - 1;
        if (piece > maxPieceBytes) {
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

export const bodyTooLong = (): RequestError =>
  new RequestError("ETOOLONG", `an answer of more than ${maxPieceBytes} bytes`, true);

export const responseCutOff = (): RequestError => new RequestError("ECONNRESET", "the answer broke off", true);
