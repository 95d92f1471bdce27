/**
 * Workers on NATS as processes: one of two is killed, one is stopped, one is written in Python. Each call is made through a kernel that sends what it may.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @boundaries-ignore the helper is the kernel's own
import { hasNats, type NatsServer, startNats } from "../../kernel/src/testing/nats-server.ts";
import { projectFolder } from "../conformance/kernel.ts";
import { findPython } from "../python/interpreter.ts";
import { ownBin, repository, run, type Started, start, stop } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-fleet-"));
const secret = "a secret of this test alone";
const python = findPython("json");

describe.runIf(hasNats())("a fleet", () => {
  let server: NatsServer;
  let front: Kernel;
  const open: Started[] = [];
  let snake: ChildProcess | undefined;

  const command = () => ({
    bin: ownBin,
    cwd: projectFolder,
    env: { FAIRLEAD_NATS: server.url, FAIRLEAD_NATS_SECRET: secret, FAIRLEAD_STATE_DIR: folder },
  });
  const startWorker = async (name: string): Promise<Started> => {
    const worker = start(command(), ["worker", "--name", name]);
    open.push(worker);
    await worker.until(/takes calls of \d+ procedures/);
    return worker;
  };
  const sum = async (): Promise<unknown> => {
    const reply = await front.connect().call("probe.sum", { a: 1, b: 2 });
    return reply.ok ? reply.value : reply.error;
  };

  beforeAll(async () => {
    server = await startNats();
    front = await openKernel({
      config: { manifest: "./gen/manifest.ts", nats: { servers: server.url } },
      root: projectFolder,
      env: { FAIRLEAD_NATS_SECRET: secret },
      flags: { stateDir: join(folder, "front") },
      log: () => undefined,
    });
    await front.started();
  });
  afterAll(async () => {
    snake?.kill();
    await front?.close();
    await Promise.all(open.map(stop));
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("answers all calls but those that a killed worker has, which may have run", async () => {
    const [first, second] = await Promise.all([startWorker("first"), startWorker("second")]);
    const lanes = 8;
    let left = 400;
    const failed: unknown[] = [];
    let answered = 0;
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        if (left === 200) first.child.kill("SIGKILL");
        const value = await sum();
        if (value === 3) answered += 1;
        else failed.push(value);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    expect(failed.length).toBeLessThanOrEqual(lanes);
    expect(answered + failed.length).toBe(400);
    for (const error of failed)
      expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("may have run") });

    // The other one is stopped beside the same traffic, and then there is none.
    left = 200;
    const traffic = Promise.all(Array.from({ length: lanes }, lane));
    const before = failed.length;
    second.child.kill("SIGTERM");
    await traffic;
    expect(await second.ended).toMatchObject({ code: 143 });
    for (const error of failed.slice(before))
      expect(error).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("no worker on NATS offers it"),
      });
    expect(await sum()).toMatchObject({ code: "unavailable", retryable: true });
  });

  it("ends a worker that has lost NATS", async () => {
    const other = await startNats();
    const worker = start({ ...command(), env: { ...command().env, FAIRLEAD_NATS: other.url } }, [
      "worker",
      "--name",
      "lost",
    ]);
    open.push(worker);
    await worker.until(/takes calls/);
    await other.stop();
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toMatchObject({ code: 143 });
  });

  it.runIf(python !== undefined)("calls a worker in Python by the same subjects and schemas", async () => {
    const described = await run(command(), ["worker", "--describe", "--json"]);
    expect(described.code, described.err).toBe(0);
    const offer = join(folder, "offer.json");
    writeFileSync(offer, described.out);
    expect(JSON.parse(described.out)).toMatchObject({
      prefix: "fairlead",
      procedures: expect.arrayContaining([
        expect.objectContaining({ name: "probe.sum", input: expect.objectContaining({ type: "object" }) }),
      ]),
    });
    const script = join(repository, "examples/nats/worker.py");
    const child = spawn(python ?? "", [script, `127.0.0.1:${server.port}`, offer], {
      env: { PATH: process.env.PATH, FAIRLEAD_NATS_SECRET: secret },
      stdio: ["ignore", "pipe", "inherit"],
    });
    snake = child;
    await once(createInterface({ input: child.stdout }), "line");
    expect(await sum()).toBe(3);
    expect(await front.connect().call("probe.list", { count: 3 })).toMatchObject({ ok: true, value: [1, 2, 3] });
    expect(await front.connect().call("probe.sum", { a: 1_000, b: 1 })).toMatchObject({
      ok: false,
      error: { code: "out_of_range", reason: "too_big", data: { limit: 1_000 } },
    });
    const reader = { id: "writer", access: ["call" as const] };
    expect(await front.connect(reader).call("probe.sum", { a: 1, b: 2 })).toMatchObject({ ok: false });
  });
});
