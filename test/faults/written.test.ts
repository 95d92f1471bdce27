/** What is written down, as a user's command meets it: read while calls come, read as far as it can be, and not begun for one call. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, ownBin, run as runCommand } from "../e2e/command.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-written-")));
const v2 = fileURLToPath(new URL("./peers/v2.ts", import.meta.url));
/** Written when the program of that upstream begins. */
const trace = (name: string): string => join(folder, `begun-${name}`);
const program = (name: string) => ({
  command: process.execPath,
  args: [
    "--conditions=@fairlead/source",
    "--import",
    `data:text/javascript,import{writeFileSync}from"node:fs";writeFileSync(${JSON.stringify(trace(name))},"")`,
    v2,
    "stdio",
  ],
});
const upstreams = ["own", "listed", "scripted"];
const begun = (): readonly string[] => upstreams.filter((name) => existsSync(trace(name)));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const run = (...args: string[]): Promise<Ended> => runCommand({ bin: ownBin, cwd: folder }, args);

beforeAll(() => {
  write(
    "fairlead.config.ts",
    `export default { stateDir: "./state", only: ["connections", "rules"],
       services: { connections: { mcpJson: ".mcp.json", upstreams: { own: ${JSON.stringify(program("own"))} } } } };`,
  );
  write(
    ".mcp.json",
    JSON.stringify({ mcpServers: { "not a name": program("odd"), empty: {}, listed: program("listed") } }),
  );
  write(
    "startup.lua",
    `tools.mcp_add("scripted", { command = [[${program("scripted").command}]], args = { ${program("scripted")
      .args.map((each) => `[[${each}]]`)
      .join(", ")} } })`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

describe("a command that runs the services by itself", () => {
  it("starts no upstream that its call has no use for", async () => {
    expect((await run("call", "rules.markNoCheck", "-d", '{"intent":{"reason":"none"}}')).code).toBe(0);
    expect((await run("ls")).code).toBe(0);
    expect(begun()).toEqual([]);
  });

  if (inLongTier) {
    it.each(upstreams)("calls a tool of %s, wherever it is written down, and begins no other", async (name) => {
      for (const one of upstreams) rmSync(trace(one), { force: true });
      const { out, err, code } = await run("call", `connections.${name}__echo`, "-d", '{"message":"here"}');
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ content: [{ text: "here" }] });
      expect(begun()).toEqual([name]);
    });

    it("says that there is no such tool once all was read", async () => {
      const { err, code } = await run("call", "connections.nobody__echo", "-d", "{}");
      expect(code).toBe(5);
      expect(err).toMatch(/^error: no upstream offers a tool nobody__echo$/m);
    });
  }
});

if (inLongTier) {
  it("the doctor says what of it cannot be followed", async () => {
    for (const one of upstreams) rmSync(trace(one), { force: true });
    write("startup.ts", "export default () => undefined;");
    const { out } = await run("doctor", "--json");
    expect(JSON.parse(out).rows).toContainEqual(
      expect.objectContaining({
        check: "  connections: configured connections",
        result: "warning",
        detail: expect.stringMatching(
          /startup\.ts is not run, for there is startup\.lua, too: .*"not a name", "empty"/,
        ),
      }),
    );
    // It would end them in the middle of their installation.
    expect(begun()).toEqual([]);
    expect(JSON.parse(out).rows).toContainEqual(
      expect.objectContaining({
        check: "  connections: upstreams",
        detail: expect.stringMatching(/^3, none of which is started for a look/),
      }),
    );
  });
}
