/** Runs that end by themselves: a fiber, a timer or a promise of a service that fails when no call waits for it. */
import { defineService } from "@fairlead/kernel/service";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { expect } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { contractOf, effectIdle, inProcess, open, status } from "./kit.ts";

const shop = contractOf("shop");
const fell = new Error("the feed was cut");

/** A service whose layer forks this effect, and whose calls answer the number of its run. */
const withFiber = (background: Effect.Effect<unknown, unknown>, fork = Effect.forkScoped) => {
  let runs = 0;
  const layer = Layer.effectDiscard(
    Effect.andThen(
      Effect.sync(() => {
        runs += 1;
      }),
      fork(background),
    ),
  );
  return defineService(shop, { layer, handlers: { ...effectIdle, ask: () => Effect.sync(() => runs) } });
};

export const runCases: readonly SupervisionCase[] = [
  {
    name: "a fiber that a layer forked dies",
    trusted: "OTP: a linked process takes its own down with it; the supervisor restarts that.",
    ours: "the run of the service ends, is logged with the error, and is restarted",
    check: async () => {
      const end = Deferred.makeUnsafe<never, Error>();
      let isFirst = true;
      const background = Effect.suspend(() => {
        if (!isFirst) return Effect.never;
        isFirst = false;
        return Deferred.await(end);
      });
      const { kernel, lines } = open([withFiber(background)]);
      expect(await kernel.call("shop.ask", {})).toEqual({ ok: true, value: 1 });
      Deferred.doneUnsafe(end, Effect.fail(fell));
      await expect.poll(() => kernel.call("shop.ask", {})).toEqual({ ok: true, value: 2 });
      expect(await status(kernel, "shop")).toMatchObject({ state: "Ready", restarts: 1 });
      expect(lines).toContainEqual({
        level: "error",
        message: "service failed while it ran",
        fields: { service: "shop", error: fell },
      });
    },
  },
  {
    name: "a fiber of a layer dies while the rest of the layer is still being built",
    trusted: "OTP: init fails when a linked process dies in it",
    ours: "seen all the same: the run ends as soon as it is ready",
    check: async () => {
      let isFirst = true;
      const background = Effect.suspend(() => {
        if (!isFirst) return Effect.never;
        isFirst = false;
        return Effect.fail(fell);
      });
      const { kernel } = open([withFiber(Effect.andThen(Effect.yieldNow, background))]);
      await expect.poll(() => status(kernel, "shop")).toMatchObject({ state: "Ready", restarts: 1 });
    },
  },
  {
    name: "a fiber of a layer ends well",
    trusted: "OTP: a normal exit is no reason for anything",
    ours: "nothing happens",
    check: async () => {
      const { kernel } = open([withFiber(Effect.void)]);
      expect(await kernel.call("shop.ask", {})).toEqual({ ok: true, value: 1 });
      expect(await status(kernel, "shop")).toMatchObject({ state: "Ready", restarts: 0 });
    },
  },
  {
    name: "a detached fiber dies",
    trusted: "OTP: spawn without link",
    ours: "nothing happens: who detaches looks after it",
    check: async () => {
      const { kernel } = open([withFiber(Effect.fail(fell), Effect.forkDetach as typeof Effect.forkScoped)]);
      expect(await kernel.call("shop.ask", {})).toEqual({ ok: true, value: 1 });
      expect(await status(kernel, "shop")).toMatchObject({ state: "Ready", restarts: 0 });
    },
  },
  {
    name: "a fiber dies again and again",
    trusted: "OTP: the restart intensity counts it",
    ours: "counted as a failed start is, with the same pauses",
    check: async () => {
      const { kernel } = open([withFiber(Effect.andThen(Effect.yieldNow, Effect.fail(fell)))], {
        supervision: { shop: { intensity: { restarts: 2 }, exceeded: "stay_down" } },
      });
      await expect.poll(() => status(kernel, "shop")).toMatchObject({ state: "Failed", restarts: 2 });
      expect(await kernel.call("shop.ask", {})).toMatchObject({ ok: false, error: { retryable: false } });
    },
  },
  {
    name: "a timer of a plain service throws",
    trusted: "OTP: the process that crashes is restarted, its neighbours live on. Node: the process ends.",
    ours: "that service is restarted, its neighbour is not touched, the log has the stack",
    check: async () => {
      const { code, out, err } = await inProcess("process.ts", "timer");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(JSON.parse(out)).toEqual({
        ascribed: "shop",
        shop: { state: "Ready", restarts: 1 },
        other: { state: "Ready", restarts: 0 },
        stack: expect.stringMatching(/the timer fell\n.*process\.ts:\d+/),
      });
    },
  },
  {
    name: "a promise of a handler is rejected after its call was answered",
    trusted: "Node: the process ends",
    ours: "the service of the call is restarted",
    check: async () => {
      const { code, out } = await inProcess("process.ts", "handler");
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ ascribed: "shop", shop: { state: "Ready", restarts: 1 } });
    },
  },
  {
    name: "a service calls process.exit in its start, in a handler, in a timer and in its stop",
    trusted: "OTP: exit(Reason) ends the process that calls it, and no other; only init:stop ends the node",
    ours: "it throws there: the start fails, the call gets `internal`, the timer's service is restarted; the log has the place, the kernel lives",
    check: async () => {
      const { code, out, err } = await inProcess("exit-process.ts");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      const exits = (number: number) => expect.stringContaining(`it calls process.exit(${number})`);
      expect(JSON.parse(out)).toEqual({
        code: "internal",
        ascribed: "shop",
        services: [
          { id: "other", restarts: 0 },
          { id: "shop", restarts: 2 },
        ],
        errors: [exits(7), exits(8), exits(9), exits(10), exits(10)],
      });
    },
  },
  {
    name: "an error that nothing caught belongs to no service",
    trusted: "OTP: the node ends when its top supervisor does, children first",
    ours: "it is ascribed to none; the kernel is closed in order: finalizers run, calls are answered",
    check: async () => {
      const { code, out } = await inProcess("process.ts", "nobody");
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual({ ascribed: null, reply: { ok: true, value: "done" }, released: true });
    },
  },
];
