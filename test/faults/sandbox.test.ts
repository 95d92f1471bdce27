/** What the sandbox of an upstream denies its program, and that a server works inside one; where this system can hold one. */
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeContainment } from "@fairlead/kernel/subprocess";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { peerProgram } from "./peers/program.ts";

const { denials } = await probeContainment();
const canHold = denials.includes("network") && denials.includes("writing");
if (!canHold) process.stderr.write("skipped: sandboxes of upstreams, because this system denies programs nothing\n");

let board: Board | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-sandbox-"));
  mkdirSync(join(folder, "own"));
  mkdirSync(join(folder, "secret"));
  writeFileSync(join(folder, "secret", "key"), "x");
});
afterEach(async () => {
  await board?.close();
  board = undefined;
  rmSync(folder, { recursive: true });
});

/** Ends with what it could do. */
const trial = (port: number): string => `
  const { readFileSync, writeFileSync } = require("node:fs");
  const attempt = (name, work) => { try { work(); return name + " done"; } catch (error) { return name + " " + error.code; } };
  const results = [
    attempt("own", () => writeFileSync("own/x", "")),
    attempt("outside", () => writeFileSync("x", "")),
    attempt("hidden", () => readFileSync("secret/key")),
  ];
  const socket = require("node:net").connect(${port}, "127.0.0.1");
  const end = (net) => { console.error("Error: " + [...results, net].join(", ")); process.exit(1); };
  socket.once("connect", () => end("net done")).once("error", (error) => end("net " + error.code));
`;

it.runIf(canHold)("writes in its own folders alone, finds hidden ones empty, and reaches no address", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const sandbox = { write: [join(folder, "own")], hide: [join(folder, "secret")] };
  const program = { command: process.execPath, args: ["-e", trial(port)], cwd: folder };
  board = await openBoard({
    upstreams: {
      free: program,
      held: { ...program, sandbox },
      online: { ...program, sandbox: { ...sandbox, network: true } },
      lost: { ...program, sandbox: { write: [join(folder, "none")] } },
    },
  });
  for (const name of ["free", "held", "online"]) await board.becomes(name, "reconnecting");
  const said = async (name: string) => (await board?.status(name))?.lastError?.message;
  expect(await said("free")).toContain("own done, outside done, hidden done, net done");
  expect(await said("held")).toContain("own done, outside EROFS, hidden ENOENT, net ENETUNREACH");
  expect(await said("online")).toContain("own done, outside EROFS, hidden ENOENT, net done");
  await board.becomes("lost", "blocked");
  expect((await board.status("lost")).lastError).toMatchObject({
    reason: "missing_folder",
    message: expect.stringContaining("which its sandbox names"),
  });
  expect(existsSync(join(folder, "own", "x"))).toBe(true);
  server.close();
});

it.runIf(canHold)("an MCP server works in one that denies it everything", async () => {
  board = await openBoard({ upstreams: { up: { ...peerProgram("v1", "stdio"), sandbox: {} } } });
  await board.becomes("up", "connected");
  expect(await board.call("up__echo", { message: "held" })).toMatchObject({ ok: true, text: "held" });
});

it.runIf(canHold)("does not see the folders of the kernel's owner, even where it may write", async () => {
  const [state, home, runtime] = [join(folder, "state"), join(folder, "home"), join(folder, "runtime")];
  for (const at of [join(state, "owner"), join(home, "fairlead", "owner"), join(runtime, "fairlead")])
    mkdirSync(at, { recursive: true });
  const sockets = ["state/owner", "home/fairlead/owner", "runtime/fairlead"].map((at) => join(folder, at, "1.sock"));
  const servers = sockets.map((path) => createServer((socket) => socket.end()).listen(path));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const work = `
    const { connect } = require("node:net");
    const reach = (path) => new Promise((resolve) => {
      connect({ path }).once("connect", () => resolve("done")).once("error", (error) => resolve(error.code));
    });
    Promise.all(${JSON.stringify(sockets)}.map(reach)).then((all) => { console.error("Error: " + all); process.exit(1); });
  `;
  const program = { command: process.execPath, args: ["-e", work], cwd: tmpdir() };
  const env = { XDG_STATE_HOME: home, XDG_RUNTIME_DIR: runtime };
  const upstreams = { free: program, held: { ...program, sandbox: { network: true, write: [folder, home] } } };
  board = await openBoard({ upstreams }, { stateDir: state, env });
  for (const name of ["free", "held"]) await board.becomes(name, "reconnecting");
  const said = async (name: string) => (await board?.status(name))?.lastError?.message;
  expect(await said("free")).toContain("Error: done,done,done");
  expect(await said("held")).toContain("Error: ENOENT,ENOENT,ENOENT");
  await board.close();
  board = undefined;
  for (const server of servers) server.close();
});
