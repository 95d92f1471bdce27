/** What a service releases when it stops: in which order, and what the log says of what throws or hangs. */
import { defineService } from "@fairlead/kernel/service";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { expect } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { contractOf, effectIdle, idle, open, restart } from "./kit.ts";

const shop = contractOf("shop");

export const releaseCases: readonly SupervisionCase[] = [
  {
    name: "a stop that throws is logged with its error, and the service starts again",
    trusted: "OTP: the supervisor report names the child and the reason",
    ours: "logged with the error itself, and with which finalizer it was",
    check: async () => {
      const failure = new Error("the file is gone");
      const layer = Layer.effectDiscard(
        Effect.withSpan(
          Effect.addFinalizer(() => Effect.die(failure)),
          "open the file",
        ),
      );
      const handlers = { ...effectIdle, ask: () => Effect.succeed(4) };
      const { kernel, lines } = open([defineService(shop, { layer, handlers })]);
      await kernel.call("shop.ask", {});
      await restart(kernel, shop);
      expect(await kernel.call("shop.ask", {})).toEqual({ ok: true, value: 4 });
      expect(lines).toContainEqual({
        level: "error",
        message: "service did not stop cleanly",
        fields: {
          service: "shop",
          what: expect.stringContaining("a finalizer of its layer, added in open the file"),
          error: failure,
        },
      });
    },
  },
  {
    name: "a stop that hangs is cut off, and the log says what hung",
    trusted: "OTP: killed after the timeout of the child spec, with a report",
    ours: "waited for `stopTimeoutMs`; the log names `stop`, and the children that were still up",
    check: async () => {
      const service = defineService(shop, () => ({
        handlers: idle,
        stop: () => new Promise<void>(() => {}),
        children: () => [
          { id: "engine", restart: "permanent", restarts: 0, state: { tag: "Ready", since: 0, life: 1 } },
        ],
      }));
      const { kernel, lines } = open([service], { supervision: { shop: { stopTimeoutMs: 5 } } });
      await kernel.call("shop.ask", {});
      await restart(kernel, shop);
      expect(await kernel.call("shop.ask", {})).toMatchObject({ ok: true });
      expect(lines).toContainEqual({
        level: "error",
        message: "service did not stop in time",
        fields: { service: "shop", ms: 5, what: "its `stop`", children: ["engine (Ready)"] },
      });
    },
  },
  {
    name: "one finalizer of several layers hangs",
    trusted: "OTP: the report names the child that was killed",
    ours: "the log names that one: by what its layer gives, and the function or span that added it",
    check: async () => {
      const openTill = (hangs: boolean) =>
        Effect.fn("openTill")(function* () {
          yield* Effect.addFinalizer(() => (hangs ? Effect.never : Effect.void));
          return {};
        })();
      class Till extends Context.Service<Till, object>()("shop/Till") {}
      class Stock extends Context.Service<Stock, object>()("shop/Stock") {}
      const layer = Layer.mergeAll(Layer.effect(Till, openTill(true)), Layer.effect(Stock, openTill(false)));
      const service = defineService(shop, { layer, handlers: effectIdle });
      const { kernel, lines } = open([service], { supervision: { shop: { stopTimeoutMs: 5 } } });
      await kernel.call("shop.ask", {});
      await restart(kernel, shop);
      expect(await kernel.call("shop.ask", {})).toMatchObject({ ok: true });
      expect(lines).toContainEqual({
        level: "error",
        message: "service did not stop in time",
        fields: {
          service: "shop",
          ms: 5,
          what: expect.stringMatching(
            /^a finalizer of its layer of shop\/Till, added in openTill \(releases\.ts:\d+:\d+\)$/,
          ),
          children: [],
        },
      });
    },
  },
  {
    name: "services that do not depend on each other stop at the same time",
    trusted: "systemd: units without an order stop in parallel. OTP: one after the other, the last first.",
    ours: "in parallel; a dependent before what it depends on",
    check: async () => {
      const stopping = new Set<string>();
      const bothStop = Promise.withResolvers<void>();
      const journal: string[] = [];
      const service = (id: string, startAfter: readonly string[] = []) =>
        defineService(
          contractOf(id),
          () => ({
            handlers: idle,
            stop: async () => {
              journal.push(id);
              if (id === "base") return;
              stopping.add(id);
              if (stopping.size === 2) bothStop.resolve();
              // Neither ends before the other has begun.
              await bothStop.promise;
            },
          }),
          { supervision: { startAfter } },
        );
      const { kernel, lines } = open([service("base"), service("left", ["base"]), service("right", ["base"])]);
      await Promise.all(["left", "right"].map((id) => kernel.call(`${id}.ask`, {})));
      await kernel.close();
      expect(journal.toSorted()).toEqual(["base", "left", "right"]);
      expect(journal.at(-1)).toBe("base");
      expect(lines.map(({ message }) => message)).not.toContain("service did not stop in time");
    },
  },
];
