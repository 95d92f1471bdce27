/**
 * A kernel whose configuration needs a secret of its shell, and commands in another shell that does not have it: those that use the kernel work,
 * and those that would need the secret themselves name it.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../src/commands.ts";
import { completeWords } from "../src/completion/candidates.ts";
import { type CommandProcess, parseError, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";
import { begin, echo, echoed, startServer } from "./stdio-servers.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const service = `import { defineService } from "@fairlead/kernel/service";
import { probe } from "../../contracts/probe.contract.ts";
import * as z from "zod";
const no = () => { throw new Error("not in this test"); };
export default defineService(probe, () => ({ handlers: {
  echo: (input) => input, short: (input) => input, fail: no, refuse: no, wait: no, add: no, ticks: no,
} }), { config: z.strictObject({ key: z.string().min(1).describe("A secret.") }) });
`;

const nothing = (): void => undefined;
const silentIo = {
  out: nothing,
  err: nothing,
  tty: { in: false, out: false, err: false, size: () => ({ columns: 80, rows: 24 }) },
  signal: new AbortController().signal,
  stdin: async () => "",
  flush: async () => undefined,
};

/** How a configuration may read a variable, and its folder for state. */
const styles = {
  "throws without it": `import { join } from "node:path";
const { PARCELS_KEY: key } = process.env;
if (key === undefined) throw new Error("PARCELS_KEY is missing");
export default { manifest: "./gen/manifest.ts", stateDir: join(import.meta.dirname, "data"), services: { probe: { key } } };
`,
  "leaves it undefined": `export default { manifest: "./gen/manifest.ts", services: { probe: { key: process.env.PARCELS_KEY } } };
`,
};

describe.each(Object.entries(styles).slice(0, inLongTier ? 2 : 1))("a configuration that %s", (_, configuration) => {
  let project: OutsideProject;
  let kernel: CommandProcess;

  const home = (): { readonly XDG_STATE_HOME: string; readonly XDG_RUNTIME_DIR: string } => ({
    XDG_STATE_HOME: join(project.folder, "home"),
    XDG_RUNTIME_DIR: project.folder,
  });
  const run = (...args: readonly string[]) => runHere(args, { cwd: project.folder, env: home() });

  beforeAll(async () => {
    const generated = outsideProject();
    expect((await runHere(["gen"], { cwd: generated.folder })).code).toBe(0);
    // Node keeps what a configuration was: each has a folder of its own.
    project = outsideProject(generated);
    generated.remove();
    project.write("fairlead.config.ts", configuration);
    project.write("services/probe/service.ts", service);
    const env = { ...home(), FAIRLEAD_LOG_CALLS: "all", PARCELS_KEY: "a-secret-of-this-shell" };
    kernel = start(["up", "--port", "0", "--json"], { cwd: project.folder, env });
    await kernel.until(/\n/);
  });

  afterAll(async () => {
    kernel.child.kill("SIGKILL");
    await kernel.ended;
    project.remove();
  });

  test.each([
    ["call", "probe.short", "-d", '{"level":3}'],
    ["probe", "short", "--level", "3"],
    ["level", "--level", "3"],
  ])("%s calls the running kernel", async (...args) => {
    const ended = await run(...args);
    expect(ended).toMatchObject({ code: 0, err: "", out: expect.stringContaining("3") });
  });

  test.each([
    [["status"], /^(?!.*\ndiffers).* owns /s],
    [["logs"], /probe\.short/],
    [["services", "ls"], /probe.*Ready/],
    [["ls"], /probe/],
    [["describe", "probe.short"], /Travels in the URL/],
    [["--help"], /Show a level/],
    [["probe", "short", "--help"], /--level/],
  ])("%j works", async (args, shown) => {
    const ended = await run(...args);
    expect(ended.code, ended.err).toBe(0);
    expect(ended.out).toMatch(shown);
  });

  test("an MCP client's stdio server attaches to it", async () => {
    const server = startServer(project.folder, home());
    await begin(server);
    expect(await echo(server, 7)).toMatchObject(echoed(7));
    server.process.child.stdin.end();
    expect(await server.process.ended).toMatchObject({ code: 0, err: "" });
  });

  test("the words after a service are completed", async () => {
    const io = { ...silentIo, env: home() };
    const found = await completeWords(["--cwd", project.folder, "probe", "ec"], { commands, io });
    expect(found.map(({ word }) => word)).toEqual(["echo"]);
  });

  test("what would start a kernel of its own names the variable", async () => {
    const ended = await run("call", "probe.short", "--local");
    expect(ended.code).toBe(2);
    expect(parseError(ended)).toMatchObject({ hint: expect.stringContaining("reads PARCELS_KEY, which is not set") });
  });

  test("doctor names the variable", async () => {
    const { out } = await run("doctor", "--json");
    expect(out).toMatch(/PARCELS_KEY[^"]*not set in this shell/);
  });

  if (inLongTier) {
    test("a kernel that was ended is not replaced without the secret", async () => {
      const ended = await run("stop");
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("stopped") });
      await kernel.ended;
      expect(await run("stop")).toMatchObject({ code: 0 });
      expect(await run("logs")).toMatchObject({ code: 0 });
      const call = await run("call", "probe.short");
      expect(call.code).toBe(2);
      expect(parseError(call)).toMatchObject({ hint: expect.stringContaining("PARCELS_KEY") });
    });
  }
});
