/** Keyed calls whose service is stopped under them, or whose kernel closes: what may have run is not run again by a repeat. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, FairleadError, mutation } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { KernelDispatch, KernelSupervision } from "../boot/parts.ts";
import { localPrincipal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";
import type { StoppableDispatch } from "./dispatch.ts";
import { drain } from "./drain.ts";

const common = { summary: "Pays late.", retry: "keyed", input: z.object({}), output: z.int() } as const;
const contract = defineContract({
  id: "till",
  version: "1.0.0",
  summary: "Pays.",
  procedures: { pay: mutation(common), alone: mutation({ ...common, policy: { concurrency: 1, queue: 1 } }) },
});

/** How a handler breaks off at its call's end. */
const ways = {
  "with the reason of its signal": (reason: unknown) => reason,
  "with an error of its own": () => new Error("broken off"),
  "with what a call of its own ended with": () => new FairleadError({ code: "unavailable", message: "it stops" }),
} as const;

type Handler = (input: unknown, call: { readonly signal: AbortSignal }) => Promise<number> | number;

const newFolder = (): string => mkdtempSync(join(tmpdir(), "fairlead-stop-"));

const launch = (stateDir: string, handler: Handler) => {
  const kernel = compose({
    config: readConfig({ flags: { stateDir } }),
    services: [defineService(contract, () => ({ handlers: { pay: handler, alone: handler } }))],
    sections: new Map(),
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });
  const dispatch = Context.get(kernel.parts, KernelDispatch);
  const call = (idempotencyKey?: string, name = "pay") =>
    connect(dispatch, localPrincipal).call(`till.${name}`, {}, idempotencyKey === undefined ? {} : { idempotencyKey });
  return { kernel, dispatch, call, supervision: Context.get(kernel.parts, KernelSupervision) };
};

const open = (breakOff: (reason: unknown) => unknown = ways["with the reason of its signal"]) => {
  let runs = 0;
  const handler: Handler = (_, { signal }) => {
    runs += 1;
    if (runs > 1) return runs;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(breakOff(signal.reason)), { once: true });
    });
  };
  return { ...launch(newFolder(), handler), runs: () => runs };
};

/** As a restart does it. */
const stop = ({ open: calls }: StoppableDispatch): Promise<unknown> => {
  const [call] = calls.calls;
  if (call === undefined) throw new Error("no call is open");
  return Effect.runPromise(drain(calls, call.target.instance, { graceMs: 0, stopMs: 1_000_000 }));
};

const close = async (dispatch: StoppableDispatch): Promise<void> =>
  dispatch.endAll(new FairleadError({ code: "unavailable", message: "the kernel is shutting down" }));

const lost = {
  ok: false,
  error: { code: "unavailable", message: expect.stringContaining("may have run"), retryable: false },
};

it.each([
  ["a service that stops", stop],
  ["a kernel that closes", close],
] as const)("a keyed call of %s is lost with its key, for each of its callers", async (_, end) => {
  for (const breakOff of Object.values(ways)) {
    const { kernel, dispatch, call, runs } = open(breakOff);
    const first = call("once");
    await expect.poll(runs, { interval: 1 }).toBe(1);
    const joined = call("once");
    await expect.poll(() => dispatch.open.calls.size, { interval: 1 }).toBe(3);
    await end(dispatch);
    for (const reply of [await first, await joined]) expect(reply).toMatchObject(lost);
    await expect.poll(() => dispatch.open.calls.size, { interval: 1 }).toBe(0);
    expect(await call("once")).toMatchObject(lost);
    expect(runs()).toBe(1);
    await kernel.close();
  }
});

it("one that waited for its place goes on with its key, and one without a key is as it was", async () => {
  const { kernel, dispatch, call, runs } = open();
  const first = call("first", "alone");
  await expect.poll(runs, { interval: 1 }).toBe(1);
  const waiting = call("second", "alone");
  await close(dispatch);
  expect(await first).toMatchObject(lost);
  expect(await waiting).toMatchObject({ error: { message: "the kernel is shutting down", retryable: true } });
  expect(await call("second", "alone")).toEqual({ ok: true, value: 2 });
  await kernel.close();

  const other = open();
  const plain = other.call();
  await expect.poll(other.runs, { interval: 1 }).toBe(1);
  await stop(other.dispatch);
  expect(await plain).toMatchObject({ error: { message: "the service till was stopped before it answered" } });
  await other.kernel.close();
});

it("one of a service that is stopped changes nothing, and runs with its key once the service is back", async () => {
  let runs = 0;
  const { kernel, call, supervision } = launch(newFolder(), () => {
    runs += 1;
    return runs;
  });
  await call();
  supervision.stop("till");
  await Effect.runPromise(supervision.settled("till"));
  for (const _ of [1, 2])
    expect(await call("once")).toMatchObject({
      error: { code: "unavailable", message: expect.stringContaining("is stopped") },
    });
  supervision.start("till");
  expect(await call("once")).toEqual({ ok: true, value: 2 });
  expect(await call("once")).toEqual({ ok: true, value: 2 });
  await kernel.close();
});
