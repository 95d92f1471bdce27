import * as Effect from "effect/Effect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KernelEvent } from "./event.ts";
import { logEvents } from "./event-log.ts";
import { logEvent, makeEvents } from "./events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("reports once that events are not stored, tries less and less often, and does not store its own report", async () => {
  const events = makeEvents();
  const stored: KernelEvent[] = [];
  const told: string[] = [];
  const tell = (message: string): void => {
    told.push(message);
    events.emit(logEvent, "kernel", { level: "warn", message });
  };
  let tries = 0;
  let isFull = true;
  const store = {
    read: () => [],
    append: (_: number, batch: readonly KernelEvent[]) => {
      tries += 1;
      if (isFull) throw new Error("disk full");
      stored.push(...batch);
    },
  };
  const minute = async (): Promise<void> => {
    for (let at = 0; at < 600; at += 1) {
      events.emit("state", "s", {});
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  const reports = { failed: () => tell("failed"), works: (lost: number) => tell(`works ${lost > 0}`) };
  const filled = Effect.gen(function* () {
    yield* logEvents(events, store, reports);
    events.emit("state", "s", {});
    yield* Effect.promise(() => vi.advanceTimersByTimeAsync(60_000));
    expect({ told, tries }).toEqual({ told: ["failed"], tries: 1 });
    yield* Effect.promise(minute);
    expect(told).toEqual(["failed"]);
    expect(tries).toBeLessThan(12);
    isFull = false;
    yield* Effect.promise(minute);
    expect(told).toEqual(["failed", "works true"]);
    expect(stored.map(({ type }) => type)).toContain("events.dropped");
    isFull = true;
    yield* Effect.promise(minute);
    expect(told).toEqual(["failed", "works true", "failed"]);
  });
  await Effect.runPromise(Effect.scoped(filled));
  expect(stored.filter(({ type }) => type === logEvent)).toEqual([]);
});
