/** The real thing: a kernel process with a startup script, a `.mcp.json` and the command line, whatever the upstreams do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, ownBin, run as runCommand, type Started, start, stop } from "../e2e/command.ts";
import { runHere } from "../e2e/command-here.ts";
import { type ServedPeer, serveV1 } from "./peers/v1.ts";

const v2 = fileURLToPath(new URL("./peers/v2.ts", import.meta.url));
const secret = "do-not-show-this-anywhere";
const folder = mkdtempSync(join(tmpdir(), "fairlead-startup-"));
let holler: ServedPeer;
let blackHole: Server;
let kernel: Started;
let url: string;

/** As a process of its own. */
const runAlone = (...args: string[]): Promise<Ended> =>
  runCommand({ bin: ownBin, cwd: folder, env: { FAIRLEAD_URL: url } }, args);

/** In this process. */
const run = (...args: string[]) => runHere(args, { cwd: folder, env: { FAIRLEAD_URL: url } });

const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};

beforeAll(async () => {
  holler = await serveV1();
  blackHole = createServer(() => undefined);
  await new Promise<void>((resolve) => blackHole.listen(0, "127.0.0.1", resolve));
  const address = blackHole.address();
  const hole = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/mcp` : "";
  mkdirSync(join(folder, "state"));
  writeFileSync(
    join(folder, "startup.lua"),
    `
      tools.mcp_add("holler", "${holler.url}")
      tools.mcp_add("refused", "http://127.0.0.1:1/mcp")
      for i = 1, 10 do tools.mcp_add("hole" .. i, "${hole}") end
      print("state of holler: " .. tools.mcp_status("holler").state)
      tools.mcp_add("gone", "http://127.0.0.1:2/mcp")
      tools.mcp_remove("gone")
    `,
  );
  writeFileSync(
    join(folder, ".mcp.json"),
    JSON.stringify({
      mcpServers: {
        files: {
          command: process.execPath,
          args: ["--conditions=@fairlead/source", v2, "stdio"],
          env: { GIVEN: "$" + "{SECRET}" },
        },
        missing: { type: "stdio", command: "surely-not-there" },
        later: { url: holler.url, disabled: true },
        token: { url: holler.url, headers: { authorization: "Bearer $" + "{NOT_SET}" } },
      },
    }),
  );
  writeFileSync(
    join(folder, "fairlead.config.ts"),
    `export default { port: 0, stateDir: "${join(folder, "state")}", only: ["connections"],
       services: { connections: { mcpJson: ".mcp.json" } } };`,
  );
  kernel = start({ bin: ownBin, cwd: folder, env: { SECRET: secret } }, ["up", "--json"]);
  const { http } = JSON.parse(await kernel.until(/\n/));
  url = String(http).replace(/\/api$/, "");
});

afterAll(async () => {
  await stop(kernel);
  await holler.close();
  blackHole.close();
  rmSync(folder, { recursive: true });
});

const status = async (name: string) => (await json("conn", "status", name)).connection;
/** Over HTTP, so that looking often costs no command each time. */
const becomes = (name: string, state: string) =>
  expect.poll(async () => (await fetch(`${url}/api/connections/status?name=${name}`)).json()).toMatchObject({ state });

describe("after the start", () => {
  it("everything is there, as it is", async () => {
    await becomes("holler", "connected");
    await becomes("files", "connected");
    const { connections } = await json("conn", "ls");
    const states = Object.fromEntries(connections.map(({ name, state }: Record<string, string>) => [name, state]));
    expect(states).toMatchObject({ holler: "connected", files: "connected", missing: "blocked", token: "blocked" });
    expect(states.refused).toBe("reconnecting");
    expect(states.hole1).toMatch(/connecting/);
    expect(Object.keys(states)).not.toContain("gone");
    expect(Object.keys(states)).not.toContain("later");
    expect((await status("token")).lastError).toMatchObject({ reason: "missing_variable" });
    expect((await status("missing")).lastError).toMatchObject({ reason: "missing_command" });
  });

  it("tools are called by their shown names from the command line", async () => {
    const echoed = await runAlone("call", "connections.holler__echo", "-d", '{"message":"from the shell"}');
    expect(JSON.parse(echoed.out)).toMatchObject({ content: [{ text: "from the shell" }] });
    const given = await run("call", "connections.files__env");
    const env = JSON.parse(JSON.parse(given.out).content[0].text);
    expect(env).toMatchObject({ GIVEN: secret });
    expect(Object.keys(env)).not.toContain("SECRET");
    const none = await run("call", "connections.holler__ecko");
    expect(none.code).toBe(6);
    const failed = await run("call", "connections.holler__fail");
    expect(failed).toMatchObject({ code: 5, out: "", err: expect.stringMatching(/^error: it failed\n/) });
  });

  it("no secret is shown", async () => {
    const { out } = await run("conn", "ls", "--json");
    expect(out).not.toContain(secret);
    expect((await run("conn", "status", "files")).out).not.toContain(secret);
  });

  it("a caller may add an address, or name what is configured, but no program", async () => {
    expect((await json("conn", "add", "later")).connection).toMatchObject({ name: "later" });
    await becomes("later", "connected");
    expect((await json("conn", "add", "mine", holler.url)).connection).toMatchObject({
      state: expect.stringMatching(/^connect(ing|ed)$/),
    });
    await becomes("mine", "connected");
    const unknown = await run("conn", "add", "nobody");
    expect(unknown.code).toBe(6);
    expect(unknown.err).toContain("later");
    const program = await run("call", "connections.add", "-d", '{"name":"x","command":"id","args":[]}');
    expect(program.code).not.toBe(0);
    const inside = await run("conn", "add", "inside", "http://169.254.169.254/latest");
    expect(inside.code).toBe(5);
    expect(inside.err).toContain("must be https");
    const greedy = await run("conn", "add", "greedy", holler.url, "-H", "x-secret: $" + "{SECRET}");
    expect(greedy.code).toBe(5);
    expect(greedy.err).toContain("only in the server's own configuration");
    const framed = await run("conn", "add", "framed", holler.url, "-H", "content-length: 5");
    expect(framed.code).toBe(7);
    expect(framed.err).toContain('the header "content-length" cannot be sent');
    await json("conn", "reconnect", "mine");
    await json("conn", "rm", "mine");
    expect((await run("conn", "rm", "mine")).code).toBe(6);
  });

  it("it can be watched", async () => {
    const watching = start({ bin: ownBin, cwd: folder, env: { FAIRLEAD_URL: url } }, ["conn", "ls", "--watch"]);
    await watching.until(/holler +connected/);
    await json("conn", "add", "seen", holler.url);
    expect(await watching.until(/ Connected seen /)).toMatch(/ Connecting seen /);
    await json("conn", "rm", "seen");
    await watching.until(/ Removed seen/);
    watching.child.kill("SIGINT");
    await watching.ended;
  });

  it("nothing is left when it ends", async () => {
    kernel.child.kill("SIGTERM");
    const { code } = await kernel.ended;
    expect(code).toBe(143);
    expect(kernel.groupLives()).toBe(false);
  });
});
