/** Which calls are open, and how those of a service that stops are waited for. */
import { defineContract, query, subscription } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { KernelDispatch } from "../boot/parts.ts";
import { localPrincipal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";
import { drain } from "./drain.ts";

const common = { summary: "Waits.", input: z.object({}), output: z.int() };
const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Waits.",
  procedures: { wait: query(common), events: subscription(common) },
});

const open = () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const service = defineService(contract, () => ({
    handlers: {
      wait: () => {
        const run = Promise.withResolvers<number>();
        runs.push(run);
        return run.promise;
      },
      events: async function* () {
        yield 1;
      },
    },
  }));
  const composition = compose({
    config: readConfig({}),
    services: [service],
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });
  const dispatch = Context.get(composition.parts, KernelDispatch);
  return { composition, dispatch, runs, kernel: connect(dispatch) };
};

it("a call that is refused is open no more, nor is a stream", async () => {
  const { composition, dispatch, kernel } = open();
  const stranger = connect(dispatch, { ...localPrincipal, id: "stranger", access: [] });
  for (const input of [7, "x"]) await kernel.call("probe.wait", input);
  expect(await stranger.call("probe.wait", {})).toMatchObject({ error: { code: "permission_denied" } });
  expect(await stranger.subscribe("probe.events", {})).toMatchObject({ error: { code: "permission_denied" } });
  expect(dispatch.open.calls.size).toBe(0);
  await composition.close();
});

it("a call whose caller has left is open until its work has ended", async () => {
  const { composition, dispatch, runs, kernel } = open();
  const controller = new AbortController();
  const left = kernel.call("probe.wait", {}, { signal: controller.signal });
  await expect.poll(() => runs.length).toBe(1);
  controller.abort();
  expect(await left).toMatchObject({ error: { code: "canceled" } });
  expect(dispatch.open.calls.size).toBe(1);
  runs[0]?.resolve(1);
  await expect.poll(() => dispatch.open.calls.size).toBe(0);
  await composition.close();
});

it("whoever makes a call learns when its work begins, and when no more of it goes on", async () => {
  const { composition, dispatch, runs } = open();
  const work: boolean[] = [];
  const ended = Promise.withResolvers<void>();
  const controller = new AbortController();
  const left = dispatch.call({
    procedure: "probe.wait",
    input: {},
    principal: localPrincipal,
    transport: "memory",
    signal: controller.signal,
    onWork: (isAtWork) => {
      work.push(isAtWork);
      if (!isAtWork) ended.resolve();
    },
  });
  await expect.poll(() => runs.length).toBe(1);
  controller.abort();
  await left;
  expect(work).toEqual([true]);
  runs[0]?.resolve(1);
  await ended.promise;
  expect(work).toEqual([true, false]);
  await composition.close();
});

it("a service that stops waits for each of its calls, and no longer", async () => {
  const { composition, dispatch, runs, kernel } = open();
  const calls = [kernel.call("probe.wait", {}), kernel.call("probe.wait", {})];
  await expect.poll(() => runs.length).toBe(2);
  const [first] = dispatch.open.calls;
  if (first === undefined) throw new Error("no call is open");
  let isDrained = false;
  const draining = Effect.runPromise(
    drain(dispatch.open, first.target.instance, { graceMs: 1_000_000, stopMs: 1_000_000 }),
  ).finally(() => {
    isDrained = true;
  });
  runs[0]?.resolve(1);
  await calls[0];
  await new Promise(setImmediate);
  expect(isDrained).toBe(false);
  runs[1]?.resolve(1);
  await calls[1];
  expect(await draining).toEqual([]);
  await composition.close();
});
