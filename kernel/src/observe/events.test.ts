import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KernelEvent, ReadOptions } from "./event.ts";
import { callEvent, makeEvents } from "./events.ts";

const read = async (
  events: ReturnType<typeof makeEvents>,
  options: Omit<ReadOptions, "signal">,
  count: number,
): Promise<KernelEvent[]> => {
  const controller = new AbortController();
  const found: KernelEvent[] = [];
  for await (const event of events.read({ ...options, signal: controller.signal })) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
};

describe("events", () => {
  it("are numbered without gaps and replayed after any number", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.nat(29), async (total, offset) => {
        const events = makeEvents();
        for (let i = 0; i < total; i += 1) events.emit("a", "s", { i });
        const after = Math.min(offset, total - 1);
        const found = await read(events, { after }, total - after);
        expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: total - after }, (_, i) => after + i + 1));
      }),
    );
  });

  it("say how many are gone when the ring has turned", async () => {
    const events = makeEvents({ kept: 3 });
    for (let i = 0; i < 5; i += 1) events.emit("a", "s", {});
    const [first, ...rest] = await read(events, { after: 0 }, 4);
    expect(first).toMatchObject({ type: "events.dropped", data: { count: 2 } });
    expect(rest.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  });

  it("of an earlier kernel are reported as missed to a reader that goes on after them, which then gets all that is kept", async () => {
    const events = makeEvents();
    for (let i = 0; i < 3; i += 1) events.emit("a", "s", {});
    const [first, ...rest] = await read(events, { after: 4, types: ["a"] }, 4);
    expect(first).toMatchObject({ seq: 0, type: "events.dropped", data: { count: null } });
    expect(rest.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect((await read(events, { after: 2 }, 1)).map(({ seq }) => seq)).toEqual([3]);
    expect(await read(makeEvents(), { after: 9 }, 1)).toMatchObject([{ seq: 0, type: "events.dropped" }]);
  });

  it("of calls never push out the others, and their loss is not reported to readers of other types", async () => {
    const events = makeEvents({ kept: 3, keptFrequent: 2 });
    events.emit("state", "s", {});
    for (let i = 0; i < 10; i += 1) events.emit(callEvent, "s", {});
    expect((await read(events, { after: 0, types: ["state"] }, 1)).map(({ type }) => type)).toEqual(["state"]);
    expect((await read(events, { after: 0 }, 1))[0]).toMatchObject({ type: "events.dropped", data: { count: 8 } });
  });

  it("report to a reader that is too slow how many it missed", async () => {
    const events = makeEvents({ backlog: 2 });
    const controller = new AbortController();
    const reader = events.read({ signal: controller.signal })[Symbol.asyncIterator]();
    const first = reader.next();
    events.emit("a", "s", {});
    expect((await first).value).toMatchObject({ seq: 1 });
    for (let i = 0; i < 5; i += 1) events.emit("a", "s", {});
    const found = [await reader.next(), await reader.next(), await reader.next()].map(({ value }) => value);
    expect(found).toMatchObject([{ type: "events.dropped", data: { count: 3 } }, { seq: 5 }, { seq: 6 }]);
    expect(events.dropped).toBe(3);
    controller.abort();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it("are read from the very moment on that they were requested, whose number is reported", async () => {
    const events = makeEvents();
    events.emit("a", "s", {});
    const reading = events.read({ signal: new AbortController().signal });
    events.emit("a", "s", {});
    expect(reading.after).toBe(1);
    expect((await reading[Symbol.asyncIterator]().next()).value).toMatchObject({ seq: 2 });
    expect(events.read({ after: 0, signal: new AbortController().signal }).after).toBe(0);
  });

  it("end when the signal fires while the reader waits", async () => {
    const events = makeEvents();
    const controller = new AbortController();
    const reader = events.read({ signal: controller.signal })[Symbol.asyncIterator]();
    const next = reader.next();
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
