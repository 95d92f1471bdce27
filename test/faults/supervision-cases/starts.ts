/** Starts: what fails is tried again, what hangs is shown and ended, and services wait for those they need. */
import { FairleadError } from "@fairlead/contracts";
import { openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { expect } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { contractOf, emptyManifest, idle, open, restart, status } from "./kit.ts";

const shop = contractOf("shop");
const base = contractOf("base");
const away = (more: { readonly retryAfterMs?: number } = {}) =>
  new FairleadError({ code: "unavailable", message: "the database is away", retryable: true, ...more });
const quick = { baseMs: 1, capMs: 2, slowMs: 4 };

const never = (): Promise<never> => new Promise(() => {});

export const startCases: readonly SupervisionCase[] = [
  {
    name: "what a service needs is away for longer than the intensity bears",
    trusted: "OTP: shutdown of the supervisor. systemd and Kubernetes: tried for ever, with growing pauses.",
    ours: "tried slowly for ever; it comes back by itself",
    check: async () => {
      let tries = 0;
      const service = defineService(shop, () => {
        tries += 1;
        if (tries < 12) throw away();
        return { handlers: { ...idle, ask: () => tries } };
      });
      const { kernel } = open([service], { supervision: { shop: { backoff: quick } } });
      await expect.poll(() => kernel.call("shop.ask", {})).toEqual({ ok: true, value: 12 });
      expect(await status(kernel, "shop")).toMatchObject({ state: "Ready", restarts: 11 });
    },
  },
  {
    name: "a plain service throws an error of its driver when it starts",
    trusted: "OTP: any exit reason but normal is a failure, and is restarted",
    ours: "a defect may pass as well as a typed failure: retried",
    check: async () => {
      let tries = 0;
      const service = defineService(shop, async () => {
        tries += 1;
        if (tries < 9) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        return { handlers: idle };
      });
      const { kernel } = open([service], { supervision: { shop: { backoff: quick } } });
      await expect.poll(() => status(kernel, "shop")).toMatchObject({ state: "Ready", restarts: 8 });
    },
  },
  {
    name: "a failed start says when it may pass",
    trusted: "gRPC: RetryInfo and retry pushback are honoured",
    ours: "no start before `retryAfterMs`; the caller's error has the same time",
    check: async () => {
      const service = defineService(shop, () => {
        throw away({ retryAfterMs: 60_000 });
      });
      const { kernel } = open([service]);
      const reply = await kernel.call("shop.ask", {});
      expect(reply).toMatchObject({ ok: false, error: { code: "unavailable", retryable: true } });
      const wait = reply.ok ? 0 : reply.error.retryAfterMs;
      expect(wait).toBeGreaterThan(50_000);
      expect(wait).toBeLessThanOrEqual(60_000);
    },
  },
  {
    name: "a start fails in a way that no repeat fixes",
    trusted: "gRPC: FAILED_PRECONDITION is not to be retried until the state is fixed",
    ours: "`Failed` at the first try, not `retryable`, and the hint is the service's own",
    check: async () => {
      const service = defineService(shop, () => {
        throw new FairleadError({ code: "failed_precondition", message: "no engine", hint: "install the engine" });
      });
      const { kernel } = open([service]);
      expect(await kernel.call("shop.ask", {})).toMatchObject({
        ok: false,
        error: { code: "unavailable", retryable: false, hint: "install the engine" },
      });
      expect(await status(kernel, "shop")).toMatchObject({ state: "Failed", restarts: 0 });
    },
  },
  {
    name: "a service is to stay down after too many failures",
    trusted: "OTP: the supervisor gives up after the intensity",
    ours: "`exceeded: stay_down`: exactly so many restarts, then `Failed` until somebody asks",
    check: async () => {
      let tries = 0;
      const service = defineService(
        shop,
        () => {
          tries += 1;
          throw away();
        },
        { supervision: { exceeded: "stay_down", intensity: { restarts: 3 }, backoff: quick } },
      );
      const { kernel } = open([service]);
      await expect.poll(() => status(kernel, "shop")).toMatchObject({ state: "Failed" });
      expect(tries).toBe(4);
      const hint = expect.stringContaining("fairlead services restart shop");
      expect(await kernel.call("shop.ask", {})).toMatchObject({ ok: false, error: { retryable: false, hint } });
    },
  },
  {
    name: "the operator's setting stands over the author's",
    trusted: "systemd: drop-ins override the unit",
    ours: "setting by setting",
    check: async () => {
      let tries = 0;
      const service = defineService(
        shop,
        () => {
          tries += 1;
          throw away();
        },
        { supervision: { exceeded: "stay_down", intensity: { restarts: 100 }, backoff: quick } },
      );
      const { kernel } = open([service], { supervision: { shop: { intensity: { restarts: 1 } } } });
      await expect.poll(() => status(kernel, "shop")).toMatchObject({ state: "Failed" });
      expect(tries).toBe(2);
    },
  },
  {
    name: "a start hangs",
    trusted: "systemd: TimeoutStartSec, and `activating` with its job in the status",
    ours: "shown with what it waits for; after `startTimeoutMs` it is a failed start",
    check: async () => {
      const { kernel } = open([defineService(shop, never)], {
        supervision: { shop: { startTimeoutMs: 2_000, exceeded: "stay_down", intensity: { restarts: 0 } } },
      });
      expect(await status(kernel, "shop")).toMatchObject({ state: "Starting", waitsFor: "its start" });
      await expect
        .poll(() => status(kernel, "shop"))
        .toMatchObject({
          state: "Failed",
          waitsFor: null,
          degraded: { why: "shop was not ready after 2000 ms" },
        });
    },
  },
  {
    name: "a start hangs where it cannot be interrupted",
    trusted: "OTP: the start timeout kills the process, whatever it does",
    ours: "its time is up all the same; what it acquires after that is released at once, and the log says so",
    check: async () => {
      const opened = Promise.withResolvers<void>();
      const journal: string[] = [];
      let isFirst = true;
      const service = defineService(shop, () => {
        if (!isFirst) return { handlers: { ...idle, ask: () => 2 } };
        isFirst = false;
        return Effect.acquireRelease(
          Effect.promise(() => opened.promise),
          () => Effect.sync(() => void journal.push("released")),
        ).pipe(Effect.as({ handlers: idle }));
      });
      const { kernel, lines } = open([service], { supervision: { shop: { startTimeoutMs: 20, stopTimeoutMs: 20 } } });
      await expect.poll(() => kernel.call("shop.ask", {})).toEqual({ ok: true, value: 2 });
      expect(lines).toContainEqual({
        level: "error",
        message: "the start of a service continues although it was interrupted",
        fields: { service: "shop", ms: 20, what: "its start" },
      });
      opened.resolve();
      await expect.poll(() => journal).toEqual(["released"]);
      expect(await kernel.call("shop.ask", {})).toEqual({ ok: true, value: 2 });
    },
  },
  {
    name: "a service is restarted while its start hangs",
    trusted: "systemd: restart cancels the start job",
    ours: "the start is interrupted, and the next one begins",
    check: async () => {
      let isFirst = true;
      const service = defineService(shop, () => {
        if (!isFirst) return { handlers: { ...idle, ask: () => 2 } };
        isFirst = false;
        return Effect.never;
      });
      const { kernel } = open([service]);
      await restart(kernel, shop);
      expect(await kernel.call("shop.ask", {})).toEqual({ ok: true, value: 2 });
    },
  },
  {
    name: "a service starts after another",
    trusted: "systemd: After= and Requires=. OTP: children start in order.",
    ours: "it waits, says for which, and its callers wait with it",
    check: async () => {
      const opened = Promise.withResolvers<void>();
      const below = defineService(base, async () => {
        await opened.promise;
        return { handlers: idle };
      });
      const above = defineService(shop, () => ({ handlers: { ...idle, ask: () => 7 } }), {
        supervision: { startAfter: ["base"] },
      });
      const { kernel } = open([above, below]);
      expect(await status(kernel, "shop")).toMatchObject({ state: "Starting", waitsFor: "the service base" });
      const held = kernel.call("shop.ask", {});
      opened.resolve();
      expect(await held).toEqual({ ok: true, value: 7 });
    },
  },
  {
    name: "the service that another one waits for is down",
    trusted: "systemd: the dependency failed, and so does the job",
    ours: "it waits on; its callers are refused at once, with the reason of the other",
    check: async () => {
      const below = defineService(base, () => {
        throw new FairleadError({ code: "failed_precondition", message: "no disk", hint: "mount the disk" });
      });
      const above = defineService(shop, () => ({ handlers: idle }), { supervision: { startAfter: ["base"] } });
      const { kernel } = open([above, below]);
      await expect
        .poll(() => kernel.call("shop.ask", {}))
        .toMatchObject({
          ok: false,
          error: {
            code: "unavailable",
            message: "shop.ask is not available: it waits for base: no disk",
            hint: "mount the disk",
            retryable: false,
          },
        });
    },
  },
  {
    name: "a service is restarted with the one it depends on",
    trusted: "OTP: rest_for_one. systemd: BindsTo=.",
    ours: "`restartWith`: it stops first and starts last; those that only start after it run on",
    check: async () => {
      const journal: string[] = [];
      const service = (id: string, supervision: object = {}) =>
        defineService(
          contractOf(id),
          () => {
            journal.push(`+${id}`);
            return { handlers: idle, stop: () => void journal.push(`-${id}`) };
          },
          { supervision },
        );
      const { kernel } = open([
        service("base"),
        service("bound", { restartWith: ["base"] }),
        service("loose", { startAfter: ["base"] }),
      ]);
      await Promise.all(["bound", "loose"].map((id) => kernel.call(`${id}.ask`, {})));
      journal.length = 0;
      await restart(kernel, base);
      await expect.poll(() => journal).toEqual(["-bound", "-base", "+base", "+bound"]);
    },
  },
  {
    name: "services wait for each other",
    trusted: "systemd: ordering cycle found, one job is dropped",
    ours: "refused before anything starts, with the circle by name",
    check: async () => {
      const service = (id: string, other: string) =>
        defineService(contractOf(id), () => ({ handlers: idle }), { supervision: { startAfter: [other] } });
      expect(() => open([service("one", "two"), service("two", "three"), service("three", "one")])).toThrow(
        "services wait for each other: one starts after two starts after three starts after one",
      );
      expect(() => open([service("one", "twoo"), service("two", "two")])).toThrow(
        "one starts after twoo, and there is no such service",
      );
    },
  },
  {
    name: "a service whose failure is the kernel's fails too often",
    trusted: "OTP: a supervisor that gives up fails in its own supervisor, up to the node",
    ours: "`exceeded: escalate`: `kernel.failed` resolves with its error, and `fairlead up` ends in order",
    check: async () => {
      const service = defineService(
        shop,
        () => {
          throw away();
        },
        { supervision: { exceeded: "escalate", intensity: { restarts: 1 } } },
      );
      const kernel = await openKernel({ services: [service], manifest: emptyManifest, env: {}, log: () => {} });
      expect(await kernel.failed).toMatchObject({ code: "unavailable", message: "the database is away" });
      await kernel.close();
    },
  },
];
