/** Another process, for real: asked, silent, busy, gone. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { RemoteProcess } from "./process.ts";

const script = fileURLToPath(new URL("./child.fixture.ts", import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts the program with its inspector on a free port; gives the address. */
const started = async (mode: string): Promise<{ readonly address: string; readonly child: ChildProcess }> => {
  const child = spawn(process.execPath, ["--inspect=127.0.0.1:0", "--conditions=@fairlead/source", script, mode], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  child.stderr?.on("data", (chunk) => {
    text += String(chunk);
    const found = /ws:\/\/([\d.]+:\d+)\//.exec(text)?.[1];
    if (found !== undefined) resolve(found);
  });
  const address = await promise;
  await once(child.stdout ?? child, "data");
  return { address, child };
};

const signal = new AbortController().signal;
const query = { from: "Entities", where: "level == 7", orderBy: "id desc", take: 2, select: "new { id, name }" };

test("questions are answered there", async () => {
  const { address } = await started("calm");
  const remote = new RemoteProcess({ address, timeoutMs: 20_000 });
  try {
    expect(await remote.ask("eval", { expr: "Player.name", depth: 1 }, signal)).toEqual({
      kind: "value",
      value: "remote",
    });
    expect(await remote.ask("query", query, signal)).toMatchObject({
      kind: "value",
      value: { rows: [{ id: 4907, name: "e4907" }, { id: 4807 }], matched: 50 },
    });
    expect(await remote.ask("eval", { expr: 'Playr + "); process.exit(); (\u2028"', depth: 1 }, signal)).toMatchObject({
      kind: "problem",
      problem: { code: "unknown_name", position: 0 },
    });
    expect(
      await remote.ask("explore", { target: "", depth: 1, includePrivate: true, limit: 5, offset: 0 }, signal),
    ).toMatchObject({ value: { members: [{ name: "Entities", count: 5_000 }, { name: "Player" }] } });
  } finally {
    await remote.close();
  }
});

test("a process that named nothing says how to", async () => {
  const { address } = await started("mute");
  const remote = new RemoteProcess({ address, timeoutMs: 20_000 });
  expect(await remote.ask("eval", { expr: "1", depth: 1 }, signal)).toMatchObject({
    kind: "gone",
    why: expect.stringContaining("inspect("),
  });
  await remote.close();
});

test("a process that named nothing is browsed by the roots of the configuration", async () => {
  const { address } = await started("mute");
  const remote = new RemoteProcess({
    address,
    timeoutMs: 20_000,
    roots: { Entities: "globalThis.app.Entities", Started: "app.started + 1", Broken: "nowhere.x" },
  });
  try {
    expect(await remote.ask("query", query, signal)).toMatchObject({
      kind: "value",
      value: { rows: [{ id: 4907 }, { id: 4807 }], matched: 50 },
    });
    expect(await remote.ask("eval", { expr: "Started", depth: 1 }, signal)).toEqual({ kind: "value", value: 8 });
    expect((await remote.ask("eval", { expr: "Broken", depth: 1 }, signal)).kind).not.toBe("value");
  } finally {
    await remote.close();
  }
});

test("a process in an endless loop is answered for or given up, never waited for", async () => {
  const { address } = await started("busy");
  const remote = new RemoteProcess({ address, timeoutMs: 1_500 });
  const answer = await remote.ask("eval", { expr: "Player.name", depth: 1 }, signal);
  expect(["value", "gone"]).toContain(answer.kind);
  await remote.close();
});

test("nobody there, or gone in between", async () => {
  const nobody = new RemoteProcess({ address: "127.0.0.1:1", timeoutMs: 5_000 });
  expect(await nobody.ask("eval", { expr: "1" }, signal)).toMatchObject({ kind: "gone" });
  await nobody.close();
  const { address, child } = await started("calm");
  const remote = new RemoteProcess({ address, timeoutMs: 20_000 });
  expect(await remote.ask("eval", { expr: "1 + 1", depth: 1 }, signal)).toEqual({ kind: "value", value: 2 });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await remote.ask("eval", { expr: "1 + 1", depth: 1 }, signal)).toMatchObject({ kind: "gone" });
  await remote.close();
});
