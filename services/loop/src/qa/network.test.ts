/** The network of verification commands: what they reach, who they are, and that nothing runs where the system has no namespace to give. */
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../testing/repository.ts";
import { probeNetwork, wrapCommand } from "./network.ts";
import { runCommand } from "./run-command.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.resetModules();
  folder.remove();
});

const hasNamespaces = (await probeNetwork("loopback")) === undefined;

const run = (network: "host" | "loopback" | "none") =>
  runCommand("node test/net.test.js", {
    folder: folder.path,
    timeLimitMs: 60_000,
    environment: [],
    network,
    clock: Date.now,
  });

/** Says who it is, whether its own server answers, and whether this process's does. */
const program = (port: number) => `
const net = require("node:net");
const reach = (port) => new Promise((resolve) => {
  net.connect(port, "127.0.0.1").on("connect", () => resolve("yes")).on("error", (error) => resolve(error.code));
});
const server = net.createServer((socket) => socket.end());
server.on("error", () => {});
const own = new Promise((resolve) => {
  server.on("error", (error) => resolve(error.code));
  server.listen(0, "127.0.0.1", () => resolve(reach(server.address().port)));
});
own.then(async (answer) => {
  console.log(JSON.stringify({ user: process.getuid(), own: answer, outside: await reach(${port}) }));
  process.exit();
});
`;

describe.runIf(hasNamespaces)("a verification command", () => {
  it.each([
    ["host", "yes", "yes"],
    ["loopback", "yes", "ECONNREFUSED"],
    ["none", "ENETUNREACH", "ENETUNREACH"],
  ] as const)(
    "with the network %s reaches its own loopback: %s, and this machine's: %s",
    async (network, own, outside) => {
      const server = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
      });
      const address = server.address();
      folder.write("test/net.test.js", program(typeof address === "object" && address !== null ? address.port : 0));
      const { output } = await run(network);
      server.close();
      const said = JSON.parse(output);
      expect(said).toMatchObject({ user: process.getuid?.(), outside });
      // Without a loopback a server may begin to listen, and nothing reaches it.
      if (network !== "none") expect(said.own).toBe(own);
      else expect(said.own).not.toBe("yes");
    },
  );
});

it("is not run where the system gives no namespace, and says why", async () => {
  vi.stubEnv("PATH", "/nowhere");
  vi.resetModules();
  const fresh = await import("./network.ts");
  expect(await fresh.wrapCommand("loopback", ["true"])).toMatchObject({
    ok: false,
    why: expect.stringContaining("qaNetwork"),
  });
  vi.unstubAllEnvs();
  expect(await wrapCommand("host", ["true"])).toEqual({ ok: true, argv: ["true"] });
});
