/**
 * What the kernel says in server-sent events: the items of a subscription, or the progress of a call and then its result.
 *
 * Not here: the framing (`sse.ts`) and the network (`fetch.ts`).
 */

import { ClientError, type WireError } from "./error.ts";
import { wireError } from "./problem.ts";
import { parseJson, parseOutput } from "./response-text.ts";
import { mayRepeat } from "./retry.ts";
import type { Attempt, Progress, StreamItem } from "./transport.ts";
import { type SseEvent, sseParser } from "./wire/sse.ts";

/** Longest event that is collected, in characters: a server that never ends one must not fill the memory. */
const maxEventLength = 16 * 1_048_576;

/** The items of a subscription until its `end`. Throws the `ClientError` that an `error` event carries, or one for a stream that breaks. */
export async function* streamItems(body: ReadableStream<Uint8Array>, attempt: Attempt): AsyncGenerator<StreamItem> {
  for await (const { event, data, id } of serverEvents(body, attempt)) {
    if (event === "end") return;
    if (event === "message") yield { value: parseOutput(data, attempt), ...(id !== undefined && { id }) };
  }
}

/** The result of a call that reports its progress. Throws as `streamItems` does. */
export const readResult = async (body: ReadableStream<Uint8Array>, attempt: Attempt): Promise<unknown> => {
  for await (const { event, data } of serverEvents(body, attempt)) {
    if (event === "result") return parseOutput(data, attempt);
    if (event === "progress") report(data, attempt);
  }
  throw streamBroken(attempt, "the server ended the stream without a result");
};

/** Outside of the call: what the caller's function throws is the caller's to see, and no failure of the call. */
const report = (data: string, { onProgress }: Attempt): void => {
  const progress = parseJson(data);
  if (isProgress(progress)) queueMicrotask(() => onProgress?.(progress));
};

const isProgress = (value: unknown): value is Progress =>
  typeof value === "object" && value !== null && "progress" in value && typeof value.progress === "number";

async function* serverEvents(body: ReadableStream<Uint8Array>, attempt: Attempt): AsyncGenerator<SseEvent> {
  const reader = body.getReader();
  const parser = sseParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw streamBroken(attempt, "the server closed the stream without ending it");
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        if (event.event === "error") throw new ClientError(streamError(event.data), attempt.procedure.name);
        yield event;
      }
      if (parser.pending > maxEventLength)
        throw streamBroken(attempt, `an event is longer than ${maxEventLength} characters`);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const streamError = (data: string): WireError =>
  wireError(parseJson(data)) ?? { code: "unknown", message: "the stream failed", retryable: false };

const streamBroken = ({ procedure }: Attempt, what: string): ClientError =>
  new ClientError(
    { code: "unavailable", message: `${procedure.name}: ${what}`, retryable: mayRepeat(procedure) },
    procedure.name,
  );
