/**
 * Reads the response to one HTTP request: one JSON document, or a stream of events with a message in each. Nothing is checked against a
 * schema. Not here: what the messages mean.
 */
import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import { isRecord } from "../json/record.ts";
import { bodyTooLong, maxPieceBytes, mediaType, responseCutOff } from "./fetch-response.ts";
import { errorCode, RequestError } from "./request-error.ts";

/** How an answer ended. */
interface MessagesEnd {
  /** The latest event that had a name, when there was one. */
  readonly lastId?: string;
  /** Milliseconds that the server wants us to wait before we come back. */
  readonly retryMs?: number;
  /** It broke off. */
  readonly broken?: RequestError;
}

export type OnMessage = (message: Readonly<Record<string, unknown>>) => void;

/** True for an answer that has messages in it. */
export const hasMessages = (answer: IncomingMessage): boolean =>
  answer.statusCode === 200 && [document, stream].includes(mediaType(answer));

const document = "application/json";
const stream = "text/event-stream";

/** Gives each message as it comes; what is not a JSON object is none. Resolves when no more can come. */
export const readMessages = (answer: IncomingMessage, onMessage: OnMessage): Promise<MessagesEnd> =>
  mediaType(answer) === stream ? readStream(answer, onMessage) : readDocument(answer, onMessage);

const readStream = async (answer: IncomingMessage, onMessage: OnMessage): Promise<MessagesEnd> => {
  const end: { lastId?: string; retryMs?: number } = {};
  const events = createParser({
    maxBufferSize: maxPieceBytes,
    onEvent: ({ id, event = "message", data }) => {
      if (id !== undefined) end.lastId = id;
      if (event === "message") parseMessages(data, onMessage);
    },
    onRetry: (ms) => {
      end.retryMs = ms;
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") answer.destroy(bodyTooLong());
    },
  });
  const broken = await read(answer, events.feed);
  return broken === undefined ? end : { ...end, broken };
};

const readDocument = async (answer: IncomingMessage, onMessage: OnMessage): Promise<MessagesEnd> => {
  const pieces: string[] = [];
  let size = 0;
  const broken = await read(answer, (text) => {
    pieces.push(text);
    size += text.length;
    if (size > maxPieceBytes) answer.destroy(bodyTooLong());
  });
  if (broken !== undefined) return { broken };
  parseMessages(pieces.join(""), onMessage);
  return {};
};

/** To the end, which is nothing, or why there was none. */
const read = (answer: IncomingMessage, onText: (text: string) => void): Promise<RequestError | undefined> =>
  new Promise((resolve) => {
    let begun = false;
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      onText(begun ? text : text.replace(/^\uFEFF/, ""));
      begun = true;
    });
    answer.once("end", () => resolve(undefined));
    answer.once("error", (error) =>
      resolve(error instanceof RequestError ? error : new RequestError(errorCode(error), error.message, true)),
    );
    // An error object that is never read would cost more than the rest of this.
    answer.once("close", () => resolve(answer.readableEnded ? undefined : responseCutOff()));
    if (answer.closed) resolve(responseCutOff());
  });

/** Servers of one old revision send several messages as a list. */
const parseMessages = (text: string, onMessage: OnMessage): void => {
  const came = parseJson(text);
  for (const message of Array.isArray(came) ? came : [came]) if (isRecord(message)) onMessage(message);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
