/** A service in workers: where its calls go, and what is left when a worker is killed. */
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kernel, openKernel } from "../boot/kernel.ts";
import type { Reply } from "../call/call.ts";
import service from "../testing/placed.fixture.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let kernel: Kernel;
const lines: object[] = [];
const stateDir = mkdtempSync(join(tmpdir(), "fairlead-workers-"));
const module = new URL("../testing/placed.fixture.ts", import.meta.url).href;

beforeAll(async () => {
  kernel = await openKernel({
    services: [{ ...service, module } as typeof service],
    flags: { stateDir, workers: 2 },
    log: (_, message, fields) => lines.push({ message, ...fields }),
  });
  await kernel.started();
});
afterAll(() => kernel.close());

it("says when no service can use workers", async () => {
  const lines: string[] = [];
  const log = (_: unknown, message: string) => void lines.push(message);
  for (const services of [[], [service]]) {
    const idle = await openKernel({
      services,
      flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-idle-")), workers: 1 },
      log,
    });
    await idle.close();
  }
  expect(lines.filter((line) => line.includes("can use workers"))).toEqual([
    "no service can use workers, so none are started",
  ]);
});

const call = (name: string, input: object = {}, options: object = {}): Promise<Reply> =>
  kernel.connect().call(`placed.${name}`, input, options);

const value = async (name: string, input: object = {}): Promise<{ pid: number; count: number; folder: string }> => {
  const reply = await call(name, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as never;
};

interface Child {
  readonly id: string;
  readonly state: string;
  readonly pid: number | null;
  readonly restarts: number;
}

const shown = async (): Promise<{ degraded: unknown; children: Child[] }> => {
  const reply = await kernel.connect().call("kernel.services", {});
  if (!reply.ok) throw new Error(reply.error.message);
  const { services } = reply.value as { services: { id: string; degraded: unknown; children: Child[] }[] };
  return services.find(({ id }) => id === "placed") ?? expect.fail("there is no such service");
};

const untilUp = () =>
  expect.poll(async () => (await shown()).children.map(({ state }) => state)).toEqual(["Ready", "Ready"]);

/** Two sessions, the first of them of that worker, the other one of another. */
const twoSessions = async (): Promise<readonly [string, string]> => {
  const first = await value("add", { session: "first" });
  for (let number = 0; ; number += 1) {
    const other = `other ${number}`;
    if ((await value("add", { session: other })).pid !== first.pid) return ["first", other];
  }
};

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const waiting = (session: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  kernel.events.onEvent(({ type, data }) => {
    if (type === "waiting" && data.session === session) resolve();
  });
  return promise;
};

it("runs what has no state in each worker, and what is bound to the kernel there", async () => {
  const pids = new Set<number>();
  while (pids.size < 2) pids.add((await value("anywhere")).pid);
  expect(pids).not.toContain(process.pid);
  const { children } = await shown();
  expect(children.map(({ id, state, pid }) => [id, state, pids.has(pid ?? 0)])).toEqual([
    ["worker 1", "Ready", true],
    ["worker 2", "Ready", true],
  ]);
  expect((await value("here")).pid).toBe(process.pid);
});

it("gives each worker a folder of its own", async () => {
  const folders = new Set<string>();
  while (folders.size < 2) folders.add((await value("anywhere")).folder);
  expect([...folders].toSorted()).toEqual([1, 2].map((number) => join(stateDir, "workers", String(number), "placed")));
  expect((await value("here")).folder).toBe(join(stateDir, "placed"));
});

it("runs all calls of a session in one worker, under an old name of the procedure as well", async () => {
  const sessions = await twoSessions();
  const [one, other] = await Promise.all(sessions.map((session) => value("add", { session })));
  expect(one?.pid).not.toBe(other?.pid);
  const before = one?.count ?? 0;
  const more = await Promise.all([1, 2, 3, 4].map(() => value("increase", { session: sessions[0] })));
  expect(more.map(({ count }) => count - before).toSorted()).toEqual([1, 2, 3, 4]);
  expect(new Set(more.map(({ pid }) => pid))).toEqual(new Set([one?.pid]));
});

it("stores the answer of a key once, whichever worker gave it", async () => {
  const options = { idempotencyKey: "just-once" };
  const first = await call("add", { session: "first" }, options);
  expect(first).toMatchObject({ ok: true });
  expect(await call("add", { session: "first" }, options)).toEqual(first);
});

it("carries a stream, which ends with its reader, and the end of a call that is given up", async () => {
  const opened = await kernel.connect().subscribe("placed.ticks", { session: "first" });
  if (!opened.ok) throw new Error(opened.error.message);
  const counts: unknown[] = [];
  for await (const item of opened.items) {
    counts.push((item.value as { count: number }).count);
    if (counts.length === 3) break;
  }
  expect(counts).toEqual([1, 2, 3]);

  const ended = Promise.withResolvers<void>();
  kernel.events.onEvent(({ type, data }) => {
    if (type === "waited" && data.session === "given up") ended.resolve();
  });
  const begun = waiting("given up");
  const abort = new AbortController();
  const given = call("wait", { session: "given up" }, { signal: abort.signal });
  await begun;
  abort.abort();
  expect(await given).toMatchObject({ ok: false, error: { code: "canceled" } });
  await ended.promise;
});

it.each(["kill", "exit", "throw"].filter((_, at) => inLongTier || at % 3 === 0))(
  "loses only the calls that a worker has when it ends by %s",
  async (how) => {
    const [first, other] = await twoSessions();
    const { pid } = await value("add", { session: first });
    const begun = Promise.all([waiting(first), waiting(other)]);
    const abort = new AbortController();
    const lost = call("wait", { session: first });
    const safe = call("wait", { session: other }, { signal: abort.signal });
    await begun;
    const ending = call("end", { session: first, how });
    for (const reply of await Promise.all([lost, ending]))
      expect(reply).toMatchObject({
        ok: false,
        error: { code: "unavailable", message: expect.stringContaining("may have run, and its answer is lost: ") },
      });
    // Its next call waits for the worker that takes its place, which knows nothing of the session.
    expect(await value("add", { session: first })).toMatchObject({ count: 1 });
    expect((await value("add", { session: first })).pid).not.toBe(pid);
    abort.abort();
    expect(await safe).toMatchObject({ ok: false, error: { code: "canceled" } });
    await untilUp();
    expect((await shown()).degraded).toBeNull();
  },
);

it("runs a call with a key once, whose worker is lost with it, and answers its repeats with that", async () => {
  const { folder } = await value("anywhere");
  const options = { idempotencyKey: "spent-once" };
  const lost = {
    ok: false,
    error: { code: "unavailable", retryable: false, message: expect.stringContaining("may have run") },
  };
  expect(await call("spend", { session: "first" }, options)).toMatchObject(lost);
  await untilUp();
  expect(await call("spend", { session: "first" }, options)).toMatchObject(lost);
  const folders = [1, 2].map((number) => join(folder, "../..", String(number), "placed/spent"));
  expect(folders.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"))).toEqual(["x"]);
});

it("answers all calls but those that a killed worker has begun", async () => {
  const pids = new Set<number>();
  while (pids.size < 2) pids.add((await value("anywhere")).pid);
  const begun = Array.from({ length: 40 }, () => call("anywhere"));
  process.kill([...pids][0] ?? 0, "SIGKILL");
  const later = Array.from({ length: 40 }, () => call("anywhere"));
  const lost = (await Promise.all([...begun, ...later])).filter(({ ok }) => !ok);
  for (const reply of lost)
    expect(reply).toMatchObject({ error: { code: "unavailable", message: expect.stringContaining("may have run") } });
  await untilUp();
  const line = { service: "placed", process: expect.stringMatching(/^worker [12]$/) };
  for (const message of ["a process was lost", "a process works again"])
    expect(lines).toContainEqual(expect.objectContaining({ ...line, message }));
});

if (inLongTier) {
  it("ends the workers with the kernel", async () => {
    const pids = (await shown()).children.map(({ pid }) => pid);
    await kernel.close();
    expect(pids.map((pid) => pid !== null && isThere(pid))).toEqual([false, false]);
  });
}
