/** Servers that others have written, from the registry: over processes and HTTP, called through us, killed and back. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { freshMark, programOf } from "./processes.ts";

const installed = (name: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js");

/** A machine may be busy; these programs take a second to start on one that is not. */
const times = { connectMs: 60_000 };

let board: Board | undefined;
const cleanups: (() => void)[] = [];
afterEach(async () => {
  await board?.close();
  board = undefined;
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "fairlead-foreign-"));
  cleanups.push(() => rmSync(made, { recursive: true }));
  return made;
};

/** Run in a program before its own code: reports the port that the system gave its server. */
const reportPort = `data:text/javascript,${encodeURIComponent(`
  import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...options) {
    this.once("listening", () => process.send(this.address().port));
    return listen.apply(this, options);
  };`)}`;

/** Starts `server-everything` on a free port. */
const startEverything = async () => {
  const child = spawn(process.execPath, ["--import", reportPort, installed("server-everything"), "streamableHttp"], {
    env: { PATH: process.env.PATH ?? "", PORT: "0" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  cleanups.push(() => child.kill("SIGKILL"));
  const [port] = await once(child, "message");
  return { child, port: Number(port) };
};

const open = async (command: Readonly<Record<string, unknown>>): Promise<Board> => {
  board = await openBoard({ times, upstreams: { up: { command: process.execPath, ...command } } });
  await board.becomes("up", "connected");
  return board;
};

describe("over a process", () => {
  it("server-everything: its tools, progress and all, and back after a kill", async () => {
    const mark = freshMark();
    const up = await open({ args: [installed("server-everything"), "stdio"], env: { MARK: mark } });
    expect((await up.status("up")).tools).toBeGreaterThan(8);
    expect(await up.call("up__echo", { message: "hi" })).toMatchObject({ ok: true, text: "Echo: hi" });
    expect(await up.call("up__get-sum", { a: 2, b: 3 })).toMatchObject({
      ok: true,
      text: expect.stringContaining("5"),
    });
    process.kill(programOf(mark), "SIGKILL");
    await expect.poll(() => up.happened.map(({ type }) => type)).toContain("Reconnecting");
    await up.becomes("up", "connected");
    expect(await up.call("up__echo", { message: "back" })).toMatchObject({ ok: true, text: "Echo: back" });
  });

  it("server-filesystem reads what it was given", async () => {
    const given = folder();
    writeFileSync(join(given, "note.txt"), "written by a test");
    const up = await open({ args: [installed("server-filesystem"), given] });
    const read = await up.call("up__read_text_file", { path: join(given, "note.txt") });
    expect(read).toMatchObject({ ok: true, text: "written by a test" });
    expect(await up.call("up__read_text_file", { path: "/etc/passwd" })).toMatchObject({
      ok: false,
      error: { reason: "tool_failed" },
    });
  });

  it("server-memory remembers", async () => {
    const file = join(folder(), "memory.json");
    mkdirSync(dirname(file), { recursive: true });
    const up = await open({ args: [installed("server-memory")], env: { MEMORY_FILE_PATH: file } });
    const entities = [{ name: "Fairlead", entityType: "kernel", observations: ["leads lines"] }];
    expect(await up.call("up__create_entities", { entities })).toMatchObject({ ok: true });
    expect(await up.call("up__search_nodes", { query: "lines" })).toMatchObject({
      ok: true,
      text: expect.stringContaining("Fairlead"),
    });
  });
});

describe("over HTTP", () => {
  it("server-everything: its tools, and back after a kill and a start", async () => {
    const first = await startEverything();
    // A place that stays ours while no program is behind it.
    let target = first.port;
    const relay = createServer((socket) => {
      const program = connect(target, "127.0.0.1");
      socket.on("error", () => program.destroy()).pipe(program);
      program.on("error", () => socket.destroy()).pipe(socket);
    });
    cleanups.push(() => void relay.close());
    await once(relay.listen(0, "127.0.0.1"), "listening");
    const { port } = relay.address() as AddressInfo;
    board = await openBoard({ times, upstreams: { up: { url: `http://127.0.0.1:${port}/mcp` } } });
    await board.becomes("up", "connected");
    expect(await board.status("up")).toMatchObject({ era: "legacy" });
    expect(await board.call("up__echo", { message: "hi" })).toMatchObject({ ok: true, text: "Echo: hi" });
    first.child.kill("SIGKILL");
    await board.becomes("up", "reconnecting");
    target = (await startEverything()).port;
    await board.becomes("up", "connected");
    expect(await board.call("up__echo", { message: "back" })).toMatchObject({ ok: true, text: "Echo: back" });
  });
});
