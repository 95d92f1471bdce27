/** What must never happen: processes that stay, handles that pile up, floods of notices, an upstream that holds up the others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { peerProgram } from "./peers/program.ts";
import { serveV1 } from "./peers/v1.ts";
import { freshMark, marked } from "./processes.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const file = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

let board: Board | undefined;
afterEach(async () => {
  await board?.close();
  board = undefined;
});

describe("processes", () => {
  if (inLongTier) {
    it("none survives the kernel's SIGKILL, not behind a shell or npx either (property 9)", async () => {
      const mark = freshMark();
      const stateDir = mkdtempSync(join(tmpdir(), "fairlead-orphans-"));
      const kernel = spawn(
        process.execPath,
        ["--conditions=@fairlead/source", file("kernel-process.ts"), mark, stateDir],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      onTestFinished(() => void kernel.kill("SIGKILL"));
      await once(kernel.stdout, "data");
      // A shell and a program each, more behind npx, launchers besides.
      expect(marked(mark).length).toBeGreaterThanOrEqual(44);
      kernel.kill("SIGKILL");
      await expect.poll(() => marked(mark), { interval: 100 }).toEqual([]);
      rmSync(stateDir, { recursive: true });
    });
  }

  it("removing a connection ends its program, and its helpers", async () => {
    const mark = freshMark();
    board = await openBoard({
      upstreams: { up: peerProgram("v1", "stdio", { MARK: mark }) },
    });
    await board.becomes("up", "connected");
    expect(marked(mark).length).toBeGreaterThan(0);
    expect(await board.ask("remove", { name: "up" })).toBe(true);
    await expect.poll(() => marked(mark)).toEqual([]);
    expect(board.happened.filter(({ type }) => type === "Removed")).toHaveLength(1);
  });
});

describe("dead upstreams", () => {
  if (inLongTier) {
    it("do not hold up a live one, and adding never waits (property 1)", async () => {
      const hole: Server = createServer(() => undefined);
      await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
      const address = hole.address();
      const swallowed = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/mcp` : "";
      const peer = await serveV1();
      board = await openBoard();
      for (let at = 0; at < 20; at += 1) await board.add(`refused${at}`, "http://127.0.0.1:1/mcp");
      for (let at = 0; at < 20; at += 1) await board.add(`hole${at}`, swallowed);
      await board.add("live", peer.url);
      // A tool that is not known yet is waited for; long before the first black hole is given up.
      expect(await board.call("live__echo", { message: "here" })).toMatchObject({ ok: true, text: "here" });
      await peer.close();
      hole.close();
    });
  }
});

describe("an upstream that never answers", () => {
  it("has so many calls and no more; the others do not notice", async () => {
    const hanging = await serveV1();
    const peer = await serveV1();
    board = await openBoard();
    await board.add("hung", hanging.url);
    await board.add("live", peer.url);
    await board.becomes("hung", "connected");
    const stuck = Array.from({ length: 256 }, () => board?.call("hung__hang"));
    await expect.poll(() => hanging.state.hanging).toBe(256);
    expect(await board.call("hung__echo")).toMatchObject({
      ok: false,
      error: { code: "resource_exhausted", reason: "busy", retryable: true, data: { connection: "hung" } },
    });
    expect(await board.call("live__echo", { message: "here" })).toMatchObject({ ok: true, text: "here" });
    await board.ask("remove", { name: "hung" });
    await Promise.all(stuck);
    await board.add("hung", hanging.url);
    await board.becomes("hung", "connected");
    expect(await board.call("hung__echo", { message: "again" })).toMatchObject({ ok: true, text: "again" });
    await Promise.all([peer.close(), hanging.close()]);
  });
});

describe("a reader of events", () => {
  it("may begin with how things are, and misses nothing after that", async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "fairlead-snapshot-"));
    const kernel = openMemoryKernel([connections], { stateDir });
    const add = (name: string) => kernel.call("connections.add", { name, url: "http://127.0.0.1:1/mcp" });
    await add("before");
    const stop = new AbortController();
    const opened = await kernel.subscribe("connections.events", { snapshot: true }, { signal: stop.signal });
    if (!opened.ok) throw new Error(opened.error.message);
    const items = opened.items[Symbol.asyncIterator]();
    const { value: first } = await items.next();
    expect(first).toMatchObject({
      value: { event: { type: "Snapshot", connections: [{ name: "before" }] }, seq: expect.any(Number) },
    });
    await add("after");
    const hear = async (): Promise<unknown> => {
      const { value } = await items.next();
      const { event } = (value as { readonly value: { readonly event: { readonly type: string } } }).value;
      return event.type === "Connecting" ? event : hear();
    };
    expect(await hear()).toMatchObject({ name: "after" });
    stop.abort();
    await kernel.close();
    rmSync(stateDir, { recursive: true });
  });

  it("that is too slow learns how many it missed (property 12)", async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "fairlead-slow-"));
    const kernel = openMemoryKernel([connections], { stateDir });
    const stop = new AbortController();
    const opened = await kernel.subscribe("connections.events", { snapshot: true }, { signal: stop.signal });
    if (!opened.ok) throw new Error(opened.error.message);
    const items = opened.items[Symbol.asyncIterator]();
    const next = async () => {
      const { value } = await items.next();
      return (value as { readonly value: { readonly event: { readonly type: string; readonly count?: number } } }).value
        .event;
    };
    // From here on nothing is missed but what the reader is too slow for.
    expect(await next()).toMatchObject({ type: "Snapshot" });
    const first = next();
    // Until it listens.
    await new Promise(setImmediate);
    const rounds = 1_000;
    for (let at = 0; at < rounds; at += 1) {
      await kernel.call("connections.add", { name: "up", url: "http://127.0.0.1:1/mcp" });
      await kernel.call("connections.remove", { name: "up" });
    }
    expect(await first).toMatchObject({ type: "Connecting" });
    let seen = 1;
    let dropped = 0;
    for (let event = await next(); ; event = await next()) {
      seen += event.type === "Dropped" ? 0 : 1;
      dropped += event.count ?? 0;
      if (seen + dropped >= 2 * rounds) break;
    }
    expect(dropped).toBeGreaterThan(0);
    stop.abort();
    await kernel.close();
    rmSync(stateDir, { recursive: true });
  });

  it.each([{ lastEventId: "900" }, { after: 900 }, { lastEventId: "of-another" }])(
    "that goes on after an event of an earlier kernel (%j) learns of it, and gets all of this one",
    async ({ lastEventId, after }) => {
      const kernel = openMemoryKernel([connections]);
      await kernel.call("connections.add", { name: "up", url: "http://127.0.0.1:1/mcp" });
      const input = after === undefined ? {} : { after };
      const opened = await kernel.subscribe(
        "connections.events",
        input,
        lastEventId === undefined ? {} : { lastEventId },
      );
      if (!opened.ok) throw new Error(opened.error.message);
      const items = opened.items[Symbol.asyncIterator]();
      expect((await items.next()).value).toMatchObject({ value: { event: { type: "Dropped" } } });
      expect((await items.next()).value).toMatchObject({ value: { event: { type: "Connecting", name: "up" } } });
      await kernel.close();
    },
  );

  it("hears everything that happens, in its order and without a gap", async () => {
    board = await openBoard();
    for (let at = 0; at < 50; at += 1) {
      await board.add("up", `http://127.0.0.1:${1 + at}/mcp`);
      await board.ask("remove", { name: "up" });
    }
    const names = () => board?.happened.filter(({ type }) => type === "Connecting" || type === "Removed") ?? [];
    await expect.poll(() => names().length).toBe(100);
    expect(names().map(({ type }) => type)).toEqual(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? "Connecting" : "Removed")),
    );
  });
});
