/**
 * A foreign program, inspected from its process id on: attached, asked, its leak found by what holds its objects, detached; and who may not attach. The
 * kernel's user comes by the private socket of the state folder, as `fairlead attach` does.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ownBin, run, start } from "./command.ts";

const inLongTier = process.env.TESTS_TIER === "long";
const requests = 40;

/** The program with its process id, after some requests; its inspector takes any free port. */
const startShop = async () => {
  const app = fileURLToPath(new URL("./shop-app.cjs", import.meta.url));
  const child = spawn(process.execPath, ["--inspect-port=127.0.0.1:0", app], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const port = /ready on (\d+)/.exec(String(said))?.[1];
  for (let sent = 0; sent < requests; sent++) await (await fetch(`http://127.0.0.1:${port}/page`)).text();
  return { pid: Number(child.pid), port };
};

let kernel: Kernel;
beforeAll(async () => {
  kernel = await openKernel({
    env: {},
    flags: { port: 0, lagMs: 60_000 },
    config: { services: { inspector: { limits: { wallMs: 60_000 }, attach: { heapMb: 400 } } } },
    log: makeLog({ level: "error", write: () => {} }),
  });
});
afterAll(() => kernel.close());

test("20,000 orders of a mapper are queried by their accessors, and the leak is found by what holds it", async () => {
  const { pid, port } = await startShop();
  const owner = kernel.connect();
  const call = (procedure: string, input: object) => owner.call(`inspector.${procedure}`, input);
  expect(await call("attach", { pid, calls: "checked" })).toMatchObject({
    ok: true,
    value: { pid, opened: true, roots: ["shopApp", "Global"] },
  });
  expect(
    await call("query", {
      from: "shopApp.database.orders",
      where: 'dataValues.status == "paid" && dataValues.lines.Sum(price * quantity) == 98',
      select: "new { id, customer.name, total }",
      take: 2,
    }),
  ).toMatchObject({
    ok: true,
    value: {
      rows: [
        { id: 49, name: "customer 49", total: 98 },
        { id: 199, name: "customer 99", total: 98 },
      ],
    },
  });
  expect(await call("explore", { target: "shopApp.database.customers[3]" })).toMatchObject({
    value: { members: expect.arrayContaining([expect.objectContaining({ name: "password", redacted: true })]) },
  });
  expect(await call("explore", { target: "instances:Session" })).toMatchObject({
    value: { count: requests, holders: [{ path: "shopApp.sessions[*].session", count: requests }] },
  });
  await (await fetch(`http://127.0.0.1:${port}/page`)).text();
  const first = await call("heap", { pid, orderBy: "count" });
  expect(first).toMatchObject({ ok: true, value: { holders: [] } });
  for (let sent = 0; sent < 7; sent++) await (await fetch(`http://127.0.0.1:${port}/page`)).text();
  expect(await call("heap", { pid, class: "Session", orderBy: "growth" })).toMatchObject({
    ok: true,
    value: {
      classes: expect.arrayContaining([expect.objectContaining({ name: "Session", count: requests + 8, grown: 7 })]),
      holders: [{ path: expect.stringContaining("sessions"), count: requests + 8 }],
    },
  });
  // It went on serving.
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).json()).toEqual({ orders: 20_000 });
  expect(await call("detach", {})).toEqual({ ok: true, value: { detached: [pid] } });
});

test("callers of the network may not attach, whatever their rights", async () => {
  const { port } = await kernel.serve();
  const answer = await fetch(`http://localhost:${port}/api/inspector/attach`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pid: process.ppid }),
  });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ reason: "not_owner" });
});

if (inLongTier) {
  test("`fairlead attach` asks the kernel that runs, and `fairlead detach` closes the port", async () => {
    const { pid } = await startShop();
    const folder = mkdtempSync(join(tmpdir(), "fairlead-attach-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const command = {
      bin: ownBin,
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { FAIRLEAD_STATE_DIR: folder },
    };
    expect(await run(command, ["attach", String(pid)])).toMatchObject({ code: 4 });
    const up = start(command, ["up", "--port", "0"]);
    onTestFinished(() => void up.child.kill("SIGKILL"));
    await up.until(/MCP/);
    expect(await run(command, ["attach", String(pid)])).toMatchObject({
      code: 0,
      out: expect.stringContaining("shopApp"),
    });
    const count = ["call", "inspector.eval", "-d", '{ "expr": "shopApp.database.orders.Count()" }'];
    expect(await run(command, count)).toMatchObject({ code: 0, out: "20000\n" });
    expect(await run(command, ["detach", String(pid)])).toMatchObject({ code: 0, out: `detached ${pid}\n` });
    expect(await run(command, ["detach", String(pid)])).toMatchObject({
      code: 5,
      err: expect.stringContaining("is not attached"),
    });
    up.child.kill("SIGTERM");
    await up.ended;
  });
}
