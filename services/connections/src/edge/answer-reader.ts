/**
 * Reads what is sent back on one HTTP request: one JSON document, or a stream of events with a message in each. Nothing is held to a
 * schema. Not here: what the messages mean.
 */
import type { IncomingMessage } from "node:http";
import { isRecord } from "../core/json.ts";
import { EventReader } from "./event-reader.ts";
import { codeOf, WebError } from "./web-error.ts";
import { brokenOff, longestPiece, mediaTypeOf, tooLong } from "./web-response.ts";

/** How an answer ended. */
export interface AnswerEnd {
  /** The latest event that had a name, when there was one. */
  readonly lastId: string | undefined;
  /** Milliseconds that the server wants us to wait before we come back. */
  readonly retryMs: number | undefined;
  /** It broke off. */
  readonly broken?: WebError;
}

export type TakeMessage = (message: Readonly<Record<string, unknown>>) => void;

/** True for an answer that has messages in it. */
export const isReadable = (answer: IncomingMessage): boolean =>
  answer.statusCode === 200 && [document, stream].includes(mediaTypeOf(answer));

const document = "application/json";
const stream = "text/event-stream";

/** Gives each message as it comes; what is no JSON object is none. Resolves when no more can come. */
export const readAnswer = (answer: IncomingMessage, onMessage: TakeMessage): Promise<AnswerEnd> =>
  new Promise((resolve) => {
    const isStream = mediaTypeOf(answer) === stream;
    const events = new EventReader();
    const pieces: string[] = [];
    let size = 0;
    let isOver = false;
    const end = (why?: () => WebError): void => {
      if (isOver) return;
      isOver = true;
      const { lastId, retryMs } = events;
      resolve({ lastId, retryMs, ...(why !== undefined && { broken: why() }) });
    };
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      if (isStream) {
        for (const { type, data } of events.push(text)) if (type === "" || type === "message") take(data, onMessage);
        size = events.unfinished;
      } else {
        pieces.push(text);
        size += text.length;
      }
      if (size <= longestPiece) return;
      end(tooLong);
      answer.destroy();
    });
    answer.once("end", () => {
      if (!isStream) take(pieces.join("").replace(/^\uFEFF/, ""), onMessage);
      end();
    });
    answer.once("error", (error) => end(() => new WebError(codeOf(error), error.message, true)));
    answer.once("close", () => end(brokenOff));
    if (answer.closed) end(brokenOff);
  });

/** Servers of one old revision send several messages as a list. */
const take = (text: string, onMessage: TakeMessage): void => {
  const came = parsed(text);
  for (const message of Array.isArray(came) ? came : [came]) if (isRecord(message)) onMessage(message);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
