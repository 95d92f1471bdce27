import * as Effect from "effect/Effect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KernelEvent } from "./event.ts";
import { logEvents } from "./event-log.ts";
import { logEvent, makeEvents } from "./events.ts";

const inLongTier = process.env.TESTS_TIER === "long";

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
    appendNow: () => undefined,
    append: async (_: number, batch: readonly KernelEvent[]) => {
      tries += 1;
      if (isFull) throw new Error("disk full");
      stored.push(...batch);
    },
  };
  const minute = async (): Promise<void> => {
    const steps = inLongTier ? 600 : 120;
    for (let at = 0; at < steps; at += 1) {
      events.emit("state", "s", {});
      await vi.advanceTimersByTimeAsync(60_000 / steps);
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

it("stores at the end of the process what is on its way and what waits, once each", async () => {
  const events = makeEvents();
  const stored: string[] = [];
  const onDisk = Promise.withResolvers<void>();
  const types = (batch: readonly KernelEvent[]) => batch.map(({ type }) => type);
  const store = {
    read: () => [],
    append: (_: number, batch: readonly KernelEvent[]) => {
      stored.push(...types(batch));
      return onDisk.promise;
    },
    appendNow: (_: number, batch: readonly KernelEvent[]) => void stored.push("exit", ...types(batch)),
  };
  const before = process.listeners("exit");
  const filled = Effect.gen(function* () {
    yield* logEvents(events, store, { failed: () => undefined, works: () => undefined });
    events.emit("first", "s", {});
    yield* Effect.promise(() => vi.advanceTimersByTimeAsync(100));
    events.emit("second", "s", {});
    for (const onExit of process.listeners("exit")) if (!before.includes(onExit)) onExit(0);
    expect(stored).toEqual(["first", "exit", "first", "second"]);
    onDisk.resolve();
  });
  await Effect.runPromise(Effect.scoped(filled));
  expect(process.listeners("exit")).toEqual(before);
});

it("counts what did not fit once, also at the end of the process", async () => {
  const events = makeEvents();
  const onDisk = Promise.withResolvers<void>();
  const notes: unknown[] = [];
  const keep = (batch: readonly KernelEvent[]): void =>
    void notes.push(...batch.filter(({ type }) => type === "events.dropped").map(({ data }) => data));
  const store = {
    read: () => [],
    append: () => onDisk.promise,
    appendNow: (_: number, batch: readonly KernelEvent[]) => keep(batch),
  };
  const before = process.listeners("exit");
  const filled = Effect.gen(function* () {
    yield* logEvents(events, store, { failed: () => undefined, works: () => undefined });
    for (let at = 0; at < 1_200; at += 1) events.emit("call", "s", {});
    yield* Effect.promise(() => vi.advanceTimersByTimeAsync(100));
    events.emit("state", "s", {});
    for (const onExit of process.listeners("exit")) if (!before.includes(onExit)) onExit(0);
    onDisk.resolve();
  });
  await Effect.runPromise(Effect.scoped(filled));
  expect(notes).toEqual([{ count: 200 }]);
});

it("stores calls beside the others: a burst of them pushes no other event out, and its rest is counted", async () => {
  const events = makeEvents();
  const stored: KernelEvent[] = [];
  const append = (_: number, batch: readonly KernelEvent[]): void => void stored.push(...batch);
  const store = {
    read: () => [],
    append: async (...batch: Parameters<typeof append>) => append(...batch),
    appendNow: append,
  };
  const reports = { failed: () => undefined, works: () => undefined };
  const filled = Effect.gen(function* () {
    yield* logEvents(events, store, reports);
    for (let at = 0; at < 2_500; at += 1) events.emit("call", "s", {});
    for (let at = 0; at < 400; at += 1) events.emit("state", "s", {});
    yield* Effect.promise(() => vi.advanceTimersByTimeAsync(1_000));
    events.emit("call", "s", {});
  });
  await Effect.runPromise(Effect.scoped(filled));
  const count = (wanted: string) => stored.filter(({ type }) => type === wanted).length;
  expect({ calls: count("call"), others: count("state") }).toEqual({ calls: 1_001, others: 400 });
  expect(stored.filter(({ type }) => type === "events.dropped")).toMatchObject([{ data: { count: 1_500 } }]);
});
