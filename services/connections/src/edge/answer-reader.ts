/**
 * Reads what is sent back on one HTTP request: one JSON document, or a stream of events with a message in each. Nothing is held to a
 * schema. Not here: what the messages mean.
 */
import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import { codeOf, WebError } from "./web-error.ts";
import { brokenOff, longestPiece, mediaTypeOf, tooLong } from "./web-response.ts";

/** How an answer ended. */
export interface AnswerEnd {
  /** The latest event that had a name, when there was one. */
  readonly lastId?: string;
  /** Milliseconds that the server wants us to wait before we come back. */
  readonly retryMs?: number;
  /** It broke off. */
  readonly broken?: WebError;
}

/** True for an answer that has messages in it. */
export const isReadable = (answer: IncomingMessage): boolean =>
  answer.statusCode === 200 && [document, stream].includes(mediaTypeOf(answer));

const document = "application/json";
const stream = "text/event-stream";

/** Gives each message as it comes; what is no JSON is none. Resolves when no more can come. */
export const readAnswer = (answer: IncomingMessage, onMessage: (message: unknown) => void): Promise<AnswerEnd> =>
  mediaTypeOf(answer) === stream ? readStream(answer, onMessage) : readDocument(answer, onMessage);

const readStream = async (answer: IncomingMessage, onMessage: (message: unknown) => void): Promise<AnswerEnd> => {
  const end: { lastId?: string; retryMs?: number } = {};
  const events = createParser({
    maxBufferSize: longestPiece,
    onEvent: ({ id, event = "message", data }) => {
      if (id !== undefined) end.lastId = id;
      if (event === "message") take(data, onMessage);
    },
    onRetry: (ms) => {
      end.retryMs = ms;
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") answer.destroy(tooLong());
    },
  });
  const broken = await read(answer, events.feed);
  return broken === undefined ? end : { ...end, broken };
};

const readDocument = async (answer: IncomingMessage, onMessage: (message: unknown) => void): Promise<AnswerEnd> => {
  const pieces: string[] = [];
  let size = 0;
  const broken = await read(answer, (text) => {
    pieces.push(text);
    size += text.length;
    if (size > longestPiece) answer.destroy(tooLong());
  });
  if (broken !== undefined) return { broken };
  take(pieces.join(""), onMessage);
  return {};
};

/** To the end, which is nothing, or why there was none. */
const read = (answer: IncomingMessage, onText: (text: string) => void): Promise<WebError | undefined> =>
  new Promise((resolve) => {
    let begun = false;
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      onText(begun ? text : text.replace(/^\uFEFF/, ""));
      begun = true;
    });
    answer.once("end", () => resolve(undefined));
    answer.once("error", (error) =>
      resolve(error instanceof WebError ? error : new WebError(codeOf(error), error.message, true)),
    );
    answer.once("close", () => resolve(brokenOff()));
  });

/** Servers of one old revision send several messages as a list. */
const take = (text: string, onMessage: (message: unknown) => void): void => {
  const message = parsed(text);
  if (Array.isArray(message)) for (const each of message) onMessage(each);
  else if (message !== undefined) onMessage(message);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
