/** Who holds the places of a keyed call: its run, and none of its callers. The clock is the test's own. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, mutation } from "@fairlead/contracts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { localPrincipal, type Principal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const common = { summary: "Pays late.", retry: "keyed", input: z.object({}), output: z.int() } as const;
const contract = defineContract({
  id: "till",
  version: "1.0.0",
  summary: "Pays.",
  procedures: {
    single: mutation({ ...common, policy: { concurrency: 1, queue: 0, deadlineMs: 60_000 } }),
    double: mutation({ ...common, policy: { concurrency: 2, queue: 0, deadlineMs: 60_000 } }),
  },
});

const open = () => {
  const lines: string[] = [];
  const runs: PromiseWithResolvers<number>[] = [];
  const handler = (): Promise<number> => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  };
  const kernel = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-places-")) } }),
    services: [defineService(contract, () => ({ handlers: { single: handler, double: handler } }))],
    sections: new Map(),
    env: {},
    events: makeEvents(),
    log: (level, message) => void (level === "warn" && lines.push(message)),
    schema: async () => undefined,
  });
  const call = (
    name: string,
    idempotencyKey: string,
    { principal = localPrincipal, ...options }: { signal?: AbortSignal; principal?: Principal } = {},
  ) => connect(kernel.dispatch, principal).call(`till.${name}`, {}, { idempotencyKey, ...options });
  /** Starts one, whose caller leaves once its handler runs. */
  const leave = async (name: string, key: string, principal?: Principal): Promise<void> => {
    const controller = new AbortController();
    const before = runs.length;
    const left = call(name, key, { signal: controller.signal, ...(principal !== undefined && { principal }) });
    await expect.poll(() => runs.length, { interval: 1 }).toBe(before + 1);
    controller.abort();
    expect(await left).toMatchObject({ error: { code: "canceled" } });
  };
  return { kernel, call, leave, runs, lines };
};

const full = { ok: false, error: { code: "resource_exhausted" } };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("a run whose caller left keeps its place until it ends", async () => {
  const { kernel, call, leave, runs } = open();
  await leave("single", "a");
  vi.advanceTimersByTime(30_000);
  expect(await call("single", "b")).toMatchObject(full);
  runs[0]?.resolve(1);
  await expect.poll(() => call("single", "a")).toEqual({ ok: true, value: 1 });
  expect(runs).toHaveLength(1);
  // It gave back one place, and not two.
  await leave("single", "c");
  expect(await call("single", "d")).toMatchObject(full);
  runs[1]?.resolve(1);
  await kernel.close();
});

it("and the place of the one who called, among those that it may have at a time", async () => {
  const { kernel, call, leave, runs } = open();
  const principal: Principal = { id: "p", access: ["call"], rate: { perSecond: 100, concurrent: 1 } };
  await leave("double", "a", principal);
  expect(await call("double", "b", { principal })).toMatchObject(full);
  const other = call("double", "b", { principal: { ...principal, id: "q" } });
  await expect.poll(() => runs.length, { interval: 1 }).toBe(2);
  for (const { resolve } of runs) resolve(1);
  expect(await other).toEqual({ ok: true, value: 1 });
  await expect.poll(() => call("double", "a", { principal })).toEqual({ ok: true, value: 1 });
  await kernel.close();
});

it("one that ignores its own end loses the place ten seconds after it, and is named", async () => {
  const { kernel, call, leave, runs, lines } = open();
  await leave("single", "a");
  vi.advanceTimersByTime(60_000);
  expect(await call("single", "b")).toMatchObject(full);
  expect(lines).not.toContain("a handler ignores the end of its call");
  vi.advanceTimersByTime(10_000);
  expect(lines).toContain("a handler ignores the end of its call");
  const next = call("single", "b");
  await expect.poll(() => runs.length, { interval: 1 }).toBe(2);
  for (const { resolve } of runs) resolve(1);
  expect(await next).toEqual({ ok: true, value: 1 });
  await kernel.close();
});

it("a caller that waits for another's run takes its place with it when it leaves", async () => {
  const { kernel, call, leave, runs } = open();
  await leave("double", "a");
  const controller = new AbortController();
  const joined = call("double", "a", { signal: controller.signal });
  expect(await call("double", "b")).toMatchObject(full);
  controller.abort();
  expect(await joined).toMatchObject({ error: { code: "canceled" } });
  const other = call("double", "b");
  await expect.poll(() => runs.length, { interval: 1 }).toBe(2);
  for (const { resolve } of runs) resolve(1);
  expect(await other).toEqual({ ok: true, value: 1 });
  await kernel.close();
});
