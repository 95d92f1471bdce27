/** The examples of the documentation do what it says: no script of ours calls what is not there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StartupTools } from "./script-tools.ts";
import { runStartup } from "./startup.ts";

const page = readFileSync(new URL("../../../../docs/connections.md", import.meta.url), "utf8");

const exampleOf = (language: string, mark: string): string => {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, kind, text = ""]) => kind === language && text.includes(mark));
  if (found?.[2] === undefined) throw new Error(`the page has no ${mark}`);
  return found[2];
};

it.each([
  ["lua", "startup.lua", ["holler", "files"]],
  ["ts", "startup.ts", ["holler"]],
])("in %s", async (language, name, added) => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-examples-"));
  const file = join(folder, name);
  writeFileSync(file, exampleOf(language, name));
  const adds: [string, unknown][] = [];
  const tools: StartupTools = {
    mcp_add: (...args) => void adds.push(args),
    mcp_remove: () => true,
    mcp_status: (connection) => ({ name: connection, state: "connecting", tools: 0 }),
    mcp_list: () => [],
  };
  await runStartup(file, { tools, print: () => undefined });
  expect(adds.map(([connection]) => connection)).toEqual(added);
  expect(adds[0]?.[1]).toMatchObject({ url: "http://localhost:8080/mcp" });
  rmSync(folder, { recursive: true });
});

const nothing: StartupTools = {
  mcp_add: () => undefined,
  mcp_remove: () => true,
  mcp_status: () => undefined,
  mcp_list: () => [],
};

it.each([
  [
    "a wrong word",
    `export default (tools) => {\n  tools.mcp_add("x", { comand: "node" });\n};\n`,
    /^startup.ts:2: mcp_add: comand: there is no such field; did you mean `command`\?$/,
  ],
  ["what it rejects with", `export default async () => {\n  throw new Error("later");\n};\n`, /^startup.ts:2: later$/],
  ["no function", "export default 3;\n", /^startup.ts: it has no function as its default export$/],
  ["what it throws before it is run", `\nthrow new Error("odd");\n`, /^startup.ts:2: odd$/],
])("of %s in TypeScript is reported with its place", async (_, text, message) => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-examples-"));
  const file = join(folder, "startup.ts");
  writeFileSync(file, text);
  await expect(runStartup(file, { tools: nothing, print: () => undefined })).rejects.toThrow(message);
  rmSync(folder, { recursive: true });
});

it("bounds a script in TypeScript, logs what it prints, and leaves the kernel's thread alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-examples-"));
  const file = join(folder, "startup.ts");
  const printed: string[] = [];
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  const run = (timeMs: number, body: string) => {
    writeFileSync(file, `export default (tools: object): void => {\n${body}\n};\n`);
    return runStartup(file, { tools: nothing, print: (line) => void printed.push(line), limits: { timeMs } });
  };
  // It burns a core until its end.
  const timeMs = process.env.TESTS_TIER === "long" ? 2_000 : 200;
  await expect(run(timeMs, "for (;;);")).rejects.toThrow(`startup.ts ran for more than ${timeMs} ms`);
  expect(turns).toBeGreaterThan(1);
  clearInterval(timer);
  await run(60_000, 'console.log("here"); tools.mcp_remove("x");');
  await expect.poll(() => printed).toEqual(["here"]);
  rmSync(folder, { recursive: true });
});
