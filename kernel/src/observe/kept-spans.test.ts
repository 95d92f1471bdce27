/** Spans that are kept for whoever watches: which, how many, and what `kernel.trace` says of them. */

import { setImmediate } from "node:timers/promises";
import { defineContract, query } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { localPrincipal } from "../call/call.ts";
import type { OpenSpan } from "../call/span.ts";
import { readConfig } from "../config/config.ts";
import { defineService } from "../service/service.ts";
import { makeEvents } from "./events.ts";
import { KeptSpans } from "./kept-spans.ts";
import { type Tracer, traceParts, watchedTracer } from "./trace.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parent = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

it("keeps a call and what is below it, without what was thrown", () => {
  let at = 1_000;
  const spans = new KeptSpans({ now: () => at });
  const call = spans.start("notes.add", parent);
  at = 1_005;
  const child = call.child("store", "client", { "rpc.service": "store" });
  child.event("sent");
  at = 1_009;
  child.end({}, { code: "unavailable", fault: new Error("password=hunter2") });
  child.end({});
  at = 1_020;
  call.end({ "rpc.method": "add" });
  const [first, second, ...rest] = spans.find(traceId);
  expect(rest).toEqual([]);
  expect(first).toMatchObject({ name: "notes.add", parentId: "b7ad6b7169203331", startedAt: 1_000, milliseconds: 20 });
  expect(first).not.toHaveProperty("code");
  expect(second).toMatchObject({
    parentId: first?.spanId,
    code: "unavailable",
    milliseconds: 4,
    attributes: { "rpc.service": "store" },
    events: [{ name: "sent", at: 1_005 }],
  });
  expect(JSON.stringify(spans.find(traceId))).not.toContain("hunter2");
  expect(traceParts(child)?.traceId).toBe(traceId);
});

it("keeps so many and no more, the latest", () => {
  const spans = new KeptSpans({ most: 3 });
  for (let index = 0; index < 10; index += 1) spans.start(`call ${index}`, parent).end({});
  expect(spans.find(traceId).map(({ name }) => name)).toEqual(["call 7", "call 8", "call 9"]);
});

it("goes on to the exporter with the exporter's ids", () => {
  const ended: string[] = [];
  const exportedSpan = (name: string): OpenSpan => ({
    ...parent,
    child: exportedSpan,
    event: () => undefined,
    end: () => void ended.push(name),
  });
  const exported: Tracer = { start: exportedSpan, close: async () => undefined };
  const call = new KeptSpans({ exported }).start("notes.add", undefined);
  expect(call.traceparent).toBe(parent.traceparent);
  call.child("attempt", "internal").end({});
  call.end({});
  expect(ended).toEqual(["attempt", "notes.add"]);
});

it("begins no span while nothing watches, and says of a trace what is kept of it", async () => {
  const spans = new KeptSpans();
  const loaded = Promise.resolve(spans);
  const kernelEvents = makeEvents();
  const stop = new AbortController();
  const tracer = watchedTracer({ exported: undefined, isWatched: () => kernelEvents.isRead, load: () => loaded });
  expect(tracer.start("notes.add", parent)).toBeUndefined();
  const contract = defineContract({
    id: "probe",
    version: "1.0.0",
    summary: "Answers.",
    procedures: { answer: query({ summary: "Answers.", input: z.object({}), output: z.int().describe("It.") }) },
  });
  const composition = compose({
    config: readConfig({}),
    services: [defineService(contract, () => ({ handlers: { answer: () => 1 } }))],
    env: {},
    events: kernelEvents,
    log: () => undefined,
    schema: async () => undefined,
    tracer,
  });
  const call = (procedure: string, input: object) =>
    composition.dispatch.call({ procedure, input, trace: parent, principal: localPrincipal, transport: "memory" });
  await call("probe.answer", {});
  expect(await call("kernel.trace", { traceId })).toMatchObject({ ok: false, error: { reason: "unknown_trace" } });
  const reader = kernelEvents.read({ signal: stop.signal })[Symbol.asyncIterator]();
  // The first call that is watched only loads what keeps them.
  const first = reader.next();
  while (!kernelEvents.isRead) await setImmediate();
  await call("probe.answer", {});
  await Promise.all([first, loaded]);
  await call("probe.answer", {});
  const answer = await call("kernel.trace", { traceId });
  expect(answer).toMatchObject({
    ok: true,
    value: { spans: [{ name: "probe.answer", parentId: "b7ad6b7169203331", startMs: 0, kind: "server", code: null }] },
  });
  stop.abort();
  await reader.return?.();
  await composition.close();
});
