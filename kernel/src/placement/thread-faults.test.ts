/** A service that breaks its promises in its thread: what the kernel is left with. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import { expect, it } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { makeEvents } from "../observe/events.ts";
import type { PlacedCall } from "./placement.ts";
import { openThread } from "./thread.ts";

const module = new URL("../testing/unruly.fixture.ts", import.meta.url).href;

const open = (section: object, events = makeEvents()) =>
  openThread({
    start: {
      service: "unruly",
      module,
      section,
      env: {},
      stays: true,
      stateDir: mkdtempSync(join(tmpdir(), "fairlead-unruly-")),
    },
    events,
    log: () => undefined,
    connect: () => expect.fail("it calls no peer"),
    stopMs: 100,
  });

const call: PlacedCall = {
  procedure: "spoil",
  input: {},
  principal: localPrincipal,
  leftMs: 200_000,
  deadlineMs: 200_000,
  traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
  idempotencyKey: undefined,
  lastEventId: undefined,
  onBlocked: () => undefined,
};

/** Resolves when the next thread that is started has ended. */
const nextExit = (): Promise<unknown> => {
  const exited = Promise.withResolvers<unknown>();
  process.once("worker", (worker: Worker) => worker.once("exit", exited.resolve));
  return exited.promise;
};

it.each(["hang", "block"])("ends the thread of a service whose stop does %s", async (stop) => {
  const exited = nextExit();
  const run = Effect.gen(function* () {
    const placement = yield* open({ stop });
    yield* Effect.addFinalizer(() => placement.drain);
  });
  await Effect.runPromise(Effect.scoped(run));
  await exited;
});

it("ends the thread of a service whose start blocks when it is given up", async () => {
  const exited = nextExit();
  const events = makeEvents();
  const blocking = Promise.withResolvers<void>();
  events.onEvent(({ type }) => type === "blocking" && blocking.resolve());
  const starting = Effect.runFork(Effect.scoped(open({ start: "block" }, events)));
  await blocking.promise;
  await Effect.runPromise(Fiber.interrupt(starting));
  await exited;
});

it("goes on with a service that throws, or says what no message can carry, when it is looked at", async () => {
  const run = Effect.gen(function* () {
    const placement = yield* open({});
    const reads = Number(yield* placement.call(call));
    const laterReads = () => Number(placement.health().info.reads) - reads;
    yield* Effect.promise(() => expect.poll(laterReads).toBeGreaterThan(1));
    expect(placement.health()).toMatchObject({
      condition: { state: "degraded", why: expect.stringContaining("spoilt") },
      children: [],
    });
    expect(yield* placement.call(call)).toBeGreaterThan(reads);
    yield* placement.drain;
  });
  await Effect.runPromise(Effect.scoped(run));
});

it("ends a thread that a call blocks past its deadline, and says which call", async () => {
  const exited = nextExit();
  const named = Promise.withResolvers<void>();
  const run = Effect.gen(function* () {
    const placement = yield* open({});
    const blocking = { ...call, procedure: "block", deadlineMs: 20, onBlocked: named.resolve };
    expect(Exit.isFailure(yield* Effect.exit(placement.call(blocking)))).toBe(true);
  });
  await Effect.runPromise(Effect.scoped(run));
  await Promise.all([named.promise, exited]);
});
