/** Stops: running calls finish, new ones wait, then what was acquired is released. */
import { defineService } from "@fairlead/kernel/service";
import { lineProtocol, makeSubprocess, type Subprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { expect } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { contractOf, effectIdle, idle, open, restart, status } from "./kit.ts";

const shop = contractOf("shop");

/** A child of the line protocol that keeps questions until `go` comes, and then answers them all, the last first. */
const child = `
  const write = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
  write({ fairlead: "answers", versions: [1] });
  const waiting = [];
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.quit) process.exit(0);
    waiting.push(message.id);
    if (message.call === "go") for (const id of waiting.splice(0).reverse()) write({ id, ok: true, value: "from the child" });
  });
`;

/** A promise that a test resolves, and a count of those that wait for it. */
const signal = () => Promise.withResolvers<void>();

export const stopCases: readonly SupervisionCase[] = [
  {
    name: "a call that runs when its service is restarted gets its answer, and the resources are there until then",
    trusted:
      "gRPC: GracefulStop waits for pending calls. OTP: a worker finishes its message before it obeys a shutdown.",
    ours: "running calls finish within `graceMs`, then the finalizers run",
    check: async () => {
      const [begun, go] = [signal(), signal()];
      const journal: string[] = [];
      const service = defineService(shop, () => ({
        handlers: {
          ...idle,
          wait: async () => {
            begun.resolve();
            await go.promise;
            journal.push("answered");
            return "done";
          },
        },
        stop: () => void journal.push("released"),
      }));
      const { kernel } = open([service], { supervision: { shop: { graceMs: 60_000 } } });
      const waiting = kernel.call("shop.wait", {});
      await begun.promise;
      await restart(kernel, shop);
      expect((await status(kernel, "shop"))?.state).toBe("Draining");
      go.resolve();
      expect(await waiting).toEqual({ ok: true, value: "done" });
      await expect.poll(() => journal).toEqual(["answered", "released"]);
    },
  },
  {
    name: "a child's answer is on its way when its service is restarted",
    trusted: "OTP: a supervisor ends its children after those that use them",
    ours: "the answer is delivered; the child ends after the calls",
    check: async () => {
      const children: Subprocess[] = [];
      const asked = signal();
      const service = defineService(shop, () =>
        Effect.gen(function* () {
          const own = yield* makeSubprocess({
            name: "answers",
            command: process.execPath,
            args: ["-e", child],
            cwd: import.meta.dirname,
            dialect: lineProtocol({ protocol: "answers", versions: [1], onTimeout: "drop" }),
          });
          children.push(own);
          yield* Effect.promise(() => own.start());
          return {
            handlers: {
              ...idle,
              wait: async () => {
                const answer = own.ask({ call: "wait" });
                asked.resolve();
                return String((await answer).value);
              },
            },
          };
        }),
      );
      const { kernel } = open([service], { supervision: { shop: { graceMs: 60_000 } } });
      const waiting = kernel.call("shop.wait", {});
      await asked.promise;
      await restart(kernel, shop);
      expect((await status(kernel, "shop"))?.state).toBe("Draining");
      await children[0]?.ask({ call: "go" });
      expect(await waiting).toEqual({ ok: true, value: "from the child" });
      expect(await kernel.call("shop.ask", {})).toMatchObject({ ok: true });
      expect(children[0]?.status().state.tag).toBe("Stopped");
    },
  },
  {
    name: "a call that comes while its service is restarted is held, and answered by the next run",
    trusted:
      "OTP: gen_server:call to a name that is restarting fails with noproc; gRPC holds a call with wait_for_ready.",
    ours: "held within its deadline, as while a service starts",
    check: async () => {
      const [begun, go] = [signal(), signal()];
      let starts = 0;
      const service = defineService(shop, () => {
        starts += 1;
        const run = starts;
        return {
          handlers: {
            ...idle,
            ask: () => run,
            wait: async () => {
              begun.resolve();
              await go.promise;
              return "done";
            },
          },
        };
      });
      const { kernel } = open([service], { supervision: { shop: { graceMs: 60_000 } } });
      const running = kernel.call("shop.wait", {});
      await begun.promise;
      await restart(kernel, shop);
      const held = kernel.call("shop.ask", {});
      const impatient = await kernel.call("shop.ask", {}, { timeoutMs: 20 });
      expect(impatient).toMatchObject({ ok: false, error: { code: "deadline_exceeded" } });
      go.resolve();
      expect(await running).toMatchObject({ ok: true });
      expect(await held).toEqual({ ok: true, value: 2 });
    },
  },
  {
    name: "an Effect handler that takes longer than the grace time is interrupted before its layer is released",
    trusted: "OTP: exit(Pid, shutdown), then kill after the timeout of the child spec",
    ours: "interrupted after `graceMs`; its own finalizers run first, then those of the layer",
    check: async () => {
      const begun = signal();
      const journal: string[] = [];
      const layer = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => void journal.push("released"))));
      const service = defineService(shop, {
        layer,
        handlers: {
          ...effectIdle,
          wait: () =>
            Effect.sync(() => begun.resolve()).pipe(
              Effect.andThen(Effect.never),
              Effect.onInterrupt(() => Effect.sync(() => void journal.push("interrupted"))),
            ),
        },
      });
      const { kernel } = open([service], { supervision: { shop: { graceMs: 5 } } });
      const waiting = kernel.call("shop.wait", {});
      await begun.promise;
      await restart(kernel, shop);
      expect(await waiting).toMatchObject({
        ok: false,
        error: { code: "unavailable", message: expect.stringContaining("shop was stopped"), retryable: true },
      });
      await expect.poll(() => journal).toEqual(["interrupted", "released"]);
    },
  },
  {
    name: "a plain handler sees its signal, and one that ignores it is named in the log",
    trusted: "OTP: brutal kill after the timeout; what hung is in the supervisor report",
    ours: "the signal fires after `graceMs`; after `stopTimeoutMs` the handler is named and the release goes on",
    check: async () => {
      const begun = signal();
      let aborted = false;
      const service = defineService(shop, () => ({
        handlers: {
          ...idle,
          wait: (_, call) => {
            call.signal.addEventListener("abort", () => {
              aborted = true;
            });
            begun.resolve();
            return new Promise<string>(() => {});
          },
        },
      }));
      const { kernel, lines } = open([service], { supervision: { shop: { graceMs: 5, stopTimeoutMs: 5 } } });
      const waiting = kernel.call("shop.wait", {});
      await begun.promise;
      await restart(kernel, shop);
      expect(await waiting).toMatchObject({ ok: false, error: { code: "unavailable" } });
      expect(aborted).toBe(true);
      await expect
        .poll(() => lines)
        .toContainEqual({
          level: "error",
          message: "handlers ignore that their service stops",
          fields: { service: "shop", procedures: ["shop.wait"] },
        });
      await expect.poll(() => kernel.call("shop.ask", {})).toMatchObject({ ok: true });
    },
  },
  {
    name: "a call that may have had its effect is not retryable when its service stops under it",
    trusted: "gRPC: UNAVAILABLE is retried transparently only where the server has seen nothing",
    ours: "`unavailable`, `retryable: false` for an `unsafe` mutation that had begun",
    check: async () => {
      const begun = signal();
      const service = defineService(shop, () => ({
        handlers: {
          ...idle,
          change: () => {
            begun.resolve();
            return new Promise<number>(() => {});
          },
        },
      }));
      const { kernel } = open([service], { supervision: { shop: { graceMs: 1, stopTimeoutMs: 1 } } });
      const waiting = kernel.call("shop.change", {});
      await begun.promise;
      await restart(kernel, shop);
      expect(await waiting).toMatchObject({ ok: false, error: { code: "unavailable", retryable: false } });
    },
  },
  {
    name: "an open stream ends at once with an error that says that it can be opened again",
    trusted: "gRPC: GOAWAY, then the stream ends with UNAVAILABLE",
    ours: "ended at once, since it has no end of its own to wait for; its handler ends before the release",
    check: async () => {
      const journal: string[] = [];
      const service = defineService(shop, () => ({
        handlers: {
          ...idle,
          follow: async function* (_, { signal: ended }) {
            try {
              yield 1;
              await new Promise((_resolve, reject) => ended.addEventListener("abort", reject));
            } finally {
              journal.push("handler ended");
            }
          },
        },
        stop: () => void journal.push("released"),
      }));
      const { kernel } = open([service]);
      const opened = await kernel.subscribe("shop.follow", {});
      if (!opened.ok) throw new Error(opened.error.message);
      const items = opened.items[Symbol.asyncIterator]();
      expect((await items.next()).value).toMatchObject({ value: 1 });
      const next = items.next().catch((error: unknown) => error);
      await restart(kernel, shop);
      expect(await next).toMatchObject({ code: "unavailable", retryable: true });
      await expect.poll(() => journal).toEqual(["handler ended", "released"]);
    },
  },
  {
    name: "a service calls another one while it stops, on somebody's request to restart it",
    trusted: "OTP: terminate/2 runs in the process of the child, whoever asked for its end",
    ours: "the stop inherits nothing of the call that asked for it, whose end it outlives",
    check: async () => {
      const replies: unknown[] = [];
      const base = contractOf("base");
      const service = defineService(
        shop,
        (host) => ({
          handlers: idle,
          stop: async () => {
            await new Promise((resolve) => setImmediate(resolve));
            replies.push(await host.peer(base).ask({}));
          },
        }),
        { supervision: { startAfter: ["base"] } },
      );
      const { kernel } = open([service, defineService(base, () => ({ handlers: { ...idle, ask: () => 6 } }))]);
      await kernel.call("shop.ask", {});
      await restart(kernel, shop);
      await expect.poll(() => replies).toEqual([6]);
    },
  },
  {
    name: "a kernel that closes lets a running call finish",
    trusted: "gRPC: GracefulStop. Kubernetes: SIGTERM, then the grace period.",
    ours: "the same as a restart of each service",
    check: async () => {
      const [begun, go] = [signal(), signal()];
      const service = defineService(shop, () => ({
        handlers: {
          ...idle,
          wait: async () => {
            begun.resolve();
            await go.promise;
            return "done";
          },
        },
      }));
      const { kernel } = open([service], { supervision: { shop: { graceMs: 60_000 } } });
      const waiting = kernel.call("shop.wait", {});
      await begun.promise;
      const closed = kernel.close();
      go.resolve();
      expect(await waiting).toEqual({ ok: true, value: "done" });
      await closed;
    },
  },
];
