/** A handler that holds up the event loop is named. The clock is the test's own: nothing is really held up. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, mutation, query, subscription } from "@fairlead/contracts";
import * as Context from "effect/Context";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { kernelFigures } from "../boot/figures.ts";
import { KernelDispatch } from "../boot/parts.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const common = { summary: "Works.", input: z.object({}), output: z.int() };
const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Blocks.",
  procedures: {
    quick: query(common),
    sync: query(common),
    async: query(common),
    later: query(common),
    queued: query({ ...common, policy: { concurrency: 1 } }),
    keyed: mutation({ ...common, retry: "keyed" }),
    follow: subscription(common),
  },
});

const open = () => {
  const lines: { readonly message: string; readonly [field: string]: unknown }[] = [];
  const finish = Promise.withResolvers<void>();
  const take = (ms: number): number => {
    vi.advanceTimersByTime(ms);
    return ms;
  };
  const service = defineService(contract, () => ({
    handlers: {
      quick: () => take(499),
      sync: () => take(1_000),
      async: async () => take(1_000),
      later: async () => {
        await finish.promise;
        return take(1_000);
      },
      queued: () => take(1_000),
      keyed: () => take(1_000),
      follow: async function* () {
        yield 1;
        await finish.promise;
        yield take(1_000);
      },
    },
  }));
  const composition = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-blocking-")) } }),
    services: [service],
    sections: new Map(),
    env: {},
    events: makeEvents(),
    log: (_, message, fields) => void lines.push({ message, ...fields }),
    schema: async () => undefined,
  });
  const figures = (): string => kernelFigures({ ...composition, subscriptions: new Set() })();
  return { composition, lines, finish, figures, kernel: connect(composition.dispatch) };
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

it.each(["sync", "async", "queued"])(
  "a handler that blocks the event loop is named in the log and the metrics: %s",
  async (name) => {
    const { composition, lines, figures, kernel } = open();
    await kernel.call("probe.quick", {});
    expect(lines).toEqual([]);
    await Promise.all([kernel.call(`probe.${name}`, {}), kernel.call("probe.quick", {})]);
    expect(lines).toEqual([
      {
        message: "a handler blocked the event loop: all other calls waited",
        procedure: `probe.${name}`,
        milliseconds: 1_000,
      },
    ]);
    expect(figures()).toContain(`fairlead_event_loop_blocks_total{procedure="probe.${name}"} 1\n`);
    expect(figures()).toContain(`fairlead_event_loop_blocks_total{procedure="probe.quick"} 0\n`);
    await composition.close();
  },
);

it("a keyed one, too", async () => {
  const { composition, lines, kernel } = open();
  await kernel.call("probe.keyed", {}, { idempotencyKey: "k" });
  expect(lines[0]).toMatchObject({
    message: expect.stringContaining("blocked"),
    procedure: "probe.keyed",
    milliseconds: 1_000,
  });
  await composition.close();
});

it("one that blocks after its first wait is among those that are logged for a delay of the loop", async () => {
  const { composition, lines, finish, figures, kernel } = open();
  await kernel.call("probe.quick", {});
  const later = kernel.call("probe.later", {});
  finish.resolve();
  vi.advanceTimersByTime(5_000);
  Context.get(composition.parts, KernelDispatch).reportDelay(990.4);
  expect(lines).toEqual([
    {
      message: "the event loop was blocked: one of these is likely to have done it",
      milliseconds: 990,
      procedures: ["probe.later"],
    },
  ]);
  expect(figures()).not.toContain('fairlead_event_loop_blocks_total{procedure="probe.later"} 1\n');
  await later;
  expect(figures()).toContain('fairlead_event_loop_blocks_total{procedure="probe.later"} 1\n');
  await composition.close();
});

it("an open stream is blamed for a delay only when it gave an event meanwhile", async () => {
  const { composition, lines, finish, kernel } = open();
  const opened = await kernel.subscribe("probe.follow", {});
  if (!opened.ok) throw new Error(opened.error.message);
  const events = opened.items[Symbol.asyncIterator]();
  await events.next();
  const dispatch = Context.get(composition.parts, KernelDispatch);
  vi.advanceTimersByTime(5_000);
  dispatch.reportDelay(990);
  expect(lines).toEqual([{ message: "the event loop was blocked while no call was running", milliseconds: 990 }]);
  const next = events.next();
  finish.resolve();
  await next;
  dispatch.reportDelay(990);
  expect(lines[1]).toMatchObject({ procedures: ["probe.follow"] });
  await composition.close();
});

it("a delay that a handler was named for is not logged again", async () => {
  const { composition, lines, kernel } = open();
  await kernel.call("probe.sync", {});
  Context.get(composition.parts, KernelDispatch).reportDelay(1_000);
  expect(lines).toHaveLength(1);
  await composition.close();
});
