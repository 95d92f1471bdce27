/**
 * A typed contract of a live upstream, as a user makes one: imported, generated, compiled, called by the typed client; and told when the
 * upstream's tools are not what they were.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Command, ownBin, repository, run as runCommand, type Started, start, stop } from "../e2e/command.ts";
import { type ServedPeer, serveV1 } from "./peers/v1.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-import-")));
const everything = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const execute = promisify(execFile);
let peer: ServedPeer;
let kernel: Started | undefined;
let command: Command = { bin: ownBin, cwd: folder };

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const run = async (...args: readonly string[]) => {
  const ended = await runCommand(command, args);
  expect(ended, ended.err).toMatchObject({ code: 0 });
  return ended.out;
};

const restart = async (): Promise<void> => {
  if (kernel !== undefined) await stop(kernel);
  kernel = start({ bin: ownBin, cwd: folder }, ["up", "--port", "0", "--json"]);
  const { http } = JSON.parse(await kernel.until(/\n/));
  command = { bin: ownBin, cwd: folder, env: { FAIRLEAD_URL: String(http).replace(/\/api$/, "") } };
};

/** How the service that an import has written says that it is. */
const degraded = async (): Promise<unknown> => {
  const { services } = JSON.parse(await run("call", "kernel.services", "-d", "{}")) as {
    readonly services: readonly { readonly id: string; readonly degraded: unknown }[];
  };
  return services.find(({ id }) => id === "peer")?.degraded;
};

const connected = async (name: string): Promise<void> => {
  await expect
    .poll(async () => JSON.parse(await run("conn", "status", name, "--json")).connection.state)
    .toBe("connected");
};

beforeAll(async () => {
  peer = await serveV1();
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  write("package.json", '{ "name": "importing", "private": true, "type": "module" }');
  write(
    "fairlead.config.ts",
    `export default {
      manifest: "./gen/manifest.ts", stateDir: "./state",
      gen: { include: ["@fairlead/service-connections"] },
      services: { connections: { upstreams: {
        everything: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(everything)}, "stdio"] },
        "my-peer": { url: ${JSON.stringify(peer.url)} },
      } } },
    };`,
  );
  write("tsconfig.json", JSON.stringify({ extends: join(repository, "tsconfig.base.json"), include: ["."] }));
  write(
    "use.ts",
    `import { createClient, fetchTransport } from "@fairlead/client";
     import { type EverythingTypes, everything } from "./gen/everything.ts";
     const client = createClient<EverythingTypes>(everything, fetchTransport({ url: process.argv[2] ?? "" }));
     const { temperature } = await client.getStructuredContent({ location: "New York" });
     const { text } = await client.getSum({ a: 2, b: 3 });
     const exact: number = temperature;
     // @ts-expect-error a city that the upstream does not name
     const refused = await client.getStructuredContent({ location: "Paris" }).catch((error) => error.code);
     console.log(JSON.stringify({ exact: typeof exact, text, refused }));`,
  );
  await run("gen");
  await restart();
});

afterAll(async () => {
  if (kernel !== undefined) await stop(kernel);
  await peer.close();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

it("what is imported from a server is accepted by `gen` and used by a typed client", async () => {
  await connected("everything");
  expect(await run("conn", "import", "everything")).toContain("contracts/everything.contract.ts");
  await connected("my-peer");
  expect(await run("conn", "import", "my-peer", "--as", "peer")).toContain("contracts/peer.contract.ts");
  await run("gen");
  await restart();
  await connected("everything");
  await execute(process.execPath, [join(repository, "node_modules/typescript/bin/tsc"), "-p", folder], { cwd: folder });
  const { stdout } = await execute(
    process.execPath,
    ["--conditions=@fairlead/source", "use.ts", command.env?.FAIRLEAD_URL ?? ""],
    { cwd: folder },
  );
  expect(JSON.parse(stdout)).toEqual({
    exact: "number",
    text: "The sum of 2 and 3 is 5.",
    refused: "invalid_argument",
  });
});

it("its tools are procedures on every way in, with the errors that the contract names", async () => {
  await connected("my-peer");
  expect(JSON.parse(await run("call", "peer.echo", "-d", '{"message":"typed"}'))).toMatchObject({ text: "typed" });
  const failed = await runCommand(command, ["call", "peer.fail"]);
  expect(failed.err).toContain("it failed");
  expect(JSON.parse(failed.err.trim().split("\n").at(-1) ?? "")).toMatchObject({ error: { code: "unknown" } });
  const { FAIRLEAD_URL: url } = command.env ?? {};
  const answer = await fetch(`${url}/api/peer/echo`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"message":"over http"}',
  });
  expect(await answer.json()).toMatchObject({ text: "over http" });
});

it("drift is an event with a diff, and the service says so (property 15)", async () => {
  const watching = start(command, ["conn", "status", "my-peer", "--watch"]);
  await watching.until(/state +connected/);
  peer.state.description = "Gives back something else.";
  peer.state.extra = [{ name: "extra", description: "New.", inputSchema: { type: "object" } }];
  for (const tell of peer.state.changed) tell();
  const seen = await watching.until(/Drifted my-peer importer=peer added=extra changed=echo\n.*->/);
  await expect.poll(degraded).toMatchObject({ why: expect.stringContaining("echo") });
  expect(seen).toContain('echo description: "Gives back what it is given." -> "Gives back something else."');
  peer.state.description = "Gives back what it is given.";
  peer.state.extra = [];
  for (const tell of peer.state.changed) tell();
  await watching.until(/Drifted my-peer importer=peer\n/);
  await expect.poll(degraded).toBeNull();
  watching.child.kill("SIGINT");
  await watching.ended;
});
