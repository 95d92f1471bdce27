/** A value that is read again and again, for as long as the caller listens: each time, or when it has changed. */
import { setTimeout as wait } from "node:timers/promises";
import type { Json } from "../encode/encode.ts";
import { type AnswerChange, findChanges } from "./difference.ts";

/** What a caller of `watch` gets. */
interface WatchEvent {
  readonly at: string;
  readonly value: Json;
  readonly changes: readonly AnswerChange[];
}

interface WatchOptions {
  readonly everyMs: number;
  readonly on: "change" | "interval";
  readonly signal: AbortSignal;
  /** Resolves after so many milliseconds, or rejects when the signal ends. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Changes in one event: the value itself is there as well. */
const mostChanges = 100;

/** The first event has the value as it is. A question that fails ends it with its error. */
export const watchValue = async function* (
  read: () => Promise<Json>,
  { everyMs, on, signal, pause = (ms) => wait(ms, undefined, { signal }) }: WatchOptions,
): AsyncGenerator<WatchEvent> {
  let before = await read();
  yield { at: new Date().toISOString(), value: before, changes: [] };
  while (await goesOn(pause(everyMs, signal))) {
    const value = await read();
    const changes = findChanges(before, value, "eval");
    before = value;
    if (changes.length > 0 || on === "interval")
      yield { at: new Date().toISOString(), value, changes: changes.slice(0, mostChanges) };
  }
};

/** False when the wait was ended. */
const goesOn = async (waiting: Promise<unknown>): Promise<boolean> => {
  try {
    await waiting;
    return true;
  } catch {
    return false;
  }
};
