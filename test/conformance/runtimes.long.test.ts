/** The suite over `fairlead/handler` in runtimes that are not Node: bundled, and started as a server of theirs. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createClient, fetchTransport } from "@fairlead/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { handlerWires } from "./handler-wires.ts";
import { projectFolder } from "./kernel.ts";
import { type ProbeTypes, probe } from "./project/gen/probe.ts";
import { testWires } from "./suite.ts";

const isArm = process.arch === "arm64";

/** The program, and what it is called with; both in the installed folder. */
const runtimes: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bun: [`@oven/bun-linux-${isArm ? "aarch64" : "x64"}/bin/bun`, "dist/bun/main.js"],
  deno: [`@deno/linux-${isArm ? "arm64" : "x64"}-glibc/deno`, "run", "--allow-all", "dist/deno/main.js"],
  workerd: [
    `@cloudflare/workerd-linux-${isArm ? "arm64" : "64"}/bin/workerd`,
    "serve",
    "dist/workerd/config.capnp",
    "--control-fd=1",
  ],
};

let installed: ForeignProgram;
beforeAll(async () => {
  installed = await installForeign("runtimes");
}, 300_000);
afterAll(() => installed?.remove());

describe.each(Object.entries(runtimes))("in %s", (name, [program, ...parameters]) => {
  let server: ChildProcessByStdio<null, Readable, Readable>;
  let url = "";
  /** The end of what it wrote to stderr. */
  let written = "";
  beforeAll(async () => {
    await installed.run("bundle.js", name, join(projectFolder, "handler.ts"));
    server = spawn(join(installed.folder, "node_modules", program), parameters, {
      cwd: installed.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      written = (written + text).slice(-10_000);
    });
    for await (const line of createInterface(server.stdout)) {
      const port: unknown = JSON.parse(line).port;
      if (typeof port !== "number") continue;
      url = `http://127.0.0.1:${port}`;
      break;
    }
    if (url === "") throw new Error(`${name} did not start: ${written}`);
    server.stdout.resume();
  }, 120_000);
  afterEach(({ task }) => {
    if (task.result?.state === "fail") console.error(written);
  });
  afterAll(() => void server?.kill("SIGKILL"));

  // Workers are not told: the deadline ends such a call.
  const seesHangUp = name !== "workerd";
  testWires(handlerWires(() => url).map((wire) => ({ ...wire, seesHangUp })));

  it("streams", async () => {
    const found: number[] = [];
    for await (const { value } of createClient<ProbeTypes>(probe, fetchTransport({ url })).count({ to: 3 }))
      found.push(value);
    expect(found).toEqual([1, 2, 3]);
  });

  it("takes and gives files of three megabytes", async () => {
    const client = createClient<ProbeTypes>(probe, fetchTransport({ url }));
    const bytes = randomBytes(3_000_000);
    const sent = await client.keep({ as: "file" }, new File([bytes], "a.bin", { type: "text/plain" }));
    expect(sent).toMatchObject({ bytes: bytes.length, name: "a.bin" });
    const { stream } = await client.kept({ as: "file" });
    expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(bytes)).toBe(true);
    const part = await client.kept({ as: "file" }, { range: { start: 1_000_000, end: 1_000_009 } });
    expect(Buffer.from(await new Response(part.stream).arrayBuffer())).toEqual(bytes.subarray(1_000_000, 1_000_010));
  });
});
