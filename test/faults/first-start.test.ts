/** A program that installs itself before it speaks has a limit of its own until it was up once; and the other limits of one upstream. */
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, type TestContext } from "vitest";
import type { Status } from "./board.ts";
import { peerProgram } from "./peers/program.ts";
import { boardOf } from "./stage.ts";

type Progress = { readonly step: string; readonly limitMs: number; readonly output: string | null };
type StatusWithSteps = Status & {
  readonly progress: Progress | null;
  readonly lastError: { readonly reason: string; readonly hint: string | null; readonly step: string | null } | null;
};

/** A stand-in for `npx`: it connects to the gate, says so on its error stream, and is a server from the moment on that the gate opens. */
const stub = (file: string, args: readonly string[]): string => `
  const { connect } = require("node:net");
  const gate = connect(process.env.GATE, () => process.stderr.write("fetching the package\\n"));
  gate.once("data", () => {
    gate.end();
    process.argv = [process.execPath, ${JSON.stringify(file)}, ...${JSON.stringify(args)}];
    import(${JSON.stringify(file)});
  });
`;

interface Gate {
  readonly program: { readonly command: string; readonly args: readonly string[]; readonly env: object };
  /** Resolves for the next program that has started. */
  started(): Promise<Socket>;
}

const gateOf = async ({ onTestFinished }: TestContext): Promise<Gate> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-first-"));
  const server: Server = createServer();
  const path = join(folder, "gate");
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const command = join(folder, "npx");
  symlinkSync(process.execPath, command);
  const { args, env } = peerProgram("v1", "stdio", { GATE: path });
  const [condition = "", file = "", ...rest] = args;
  return {
    program: { command, args: [condition, "-e", stub(file, rest)], env },
    started: async () => {
      const [socket] = (await once(server, "connection")) as [Socket];
      socket.on("error", () => undefined);
      return socket;
    },
  };
};

it("is not ended by the limit of later attempts, and status says that it installs", async (context) => {
  const { program, started } = await gateOf(context);
  const programStarts = started();
  // No program can have started within connectMs.
  const times = { connectMs: 10, firstConnectMs: 240_000, idleMs: 60_000, pingMs: 60_000 };
  const board = await boardOf(context, { times, upstreams: { up: { ...program, era: "legacy" } } });
  const status = async () => (await board.status("up")) as StatusWithSteps;
  const installs = await programStarts;
  await expect.poll(async () => (await status()).progress?.output).toBe("fetching the package");
  expect(await status()).toMatchObject({
    state: "connecting",
    attempt: 0,
    lastError: null,
    progress: { step: "install", limitMs: 240_000 },
  });
  installs.write("open");
  await board.becomes("up", "connected");
  expect(await status()).toMatchObject({ attempt: 0, lastError: null, progress: null });
  expect(await board.call("up__echo", { message: "here" })).toMatchObject({ ok: true, text: "here" });
});

it("is ended by the limits of its own, and status says in which step", async (context) => {
  const { program } = await gateOf(context);
  const limits = { connectMs: 10, firstConnectMs: 10 };
  const board = await boardOf(context, { upstreams: { up: { ...program, limits } } });
  await board.becomes("up", "reconnecting");
  const { lastError } = (await board.status("up")) as StatusWithSteps;
  expect(lastError).toMatchObject({ reason: "timeout", message: "no answer within 10 ms while connecting" });
  expect(["start", "install"]).toContain(lastError?.step);
});

it("is blocked when it is installed in part only, with the command that repairs it", async (context) => {
  const { program } = await gateOf(context);
  const folder = "/home/ann/.npm/_npx/a3241bba59c344f5";
  const words = `Cannot find package 'zod' imported from ${folder}/node_modules/server/index.js`;
  const args = ["-e", `process.stderr.write(${JSON.stringify(`${words}\n`)}); process.exitCode = 1;`];
  const board = await boardOf(context, { upstreams: { up: { ...program, args } } });
  await board.becomes("up", "blocked");
  const { lastError } = (await board.status("up")) as StatusWithSteps;
  expect(lastError).toMatchObject({ reason: "install_failed", step: "install" });
  expect(lastError?.hint).toContain(`rm -rf '${folder}'`);
});

it("answers no call later than its limit, and goes on", async (context) => {
  const limits = { callMs: 50 };
  const board = await boardOf(context, { upstreams: { up: { ...peerProgram("v1", "stdio"), limits } } });
  await board.becomes("up", "connected");
  const message = "up did not answer the call of up__hang within 50 ms";
  expect(await board.call("up__hang")).toMatchObject({ ok: false, error: { code: "deadline_exceeded", message } });
  expect(await board.status("up")).toMatchObject({ state: "connected", attempt: 0 });
});

it("has no more tools than its limit", async (context) => {
  const board = await boardOf(context, { upstreams: { up: { ...peerProgram("v1", "stdio"), limits: { tools: 2 } } } });
  await board.becomes("up", "connected");
  expect(await board.status("up")).toMatchObject({ unusable: ["…: there are more than 2 tools"] });
  expect((await board.status("up")).tools).toBeGreaterThan(2);
  expect(await board.ask("tools", { connection: "up" })).toMatchObject({ tools: [{}, {}] });
});
