/**
 * What models read of the tools' answers: each tool that needs no program of its own is called over MCP on real inputs, and its text has at most 2,000
 * tokens as o200k_base counts them, whatever the whole answer has. `ANSWERS=1` prints the table.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import inspector from "@fairlead/contracts/inspector";
import rules from "@fairlead/contracts/rules";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";

const build = readFileSync(new URL("../e2e/tiny-witch.xml", import.meta.url), "utf8");
const longBuild = readFileSync(new URL("../bench/field.xml", import.meta.url), "utf8");

let kernel: Kernel;
let url: URL;
let folder: string;
const rows: (readonly [tool: string, whole: number, shown: number])[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-answers-"));
  kernel = await openKernel({
    env: {},
    config: { stateDir: folder },
    flags: { port: 0, lagMs: 60_000 },
    log: makeLog({ level: "error", write: () => {} }),
  });
  url = new URL(`http://127.0.0.1:${(await kernel.serve()).port}/mcp`);
});

afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
  if (process.env.ANSWERS === "1")
    process.stderr.write(`${rows.map(([tool, whole, shown]) => `| ${tool} | ${whole} | ${shown} |`).join("\n")}\n`);
});

const connect = async (name: string): Promise<Client> => {
  const client = new Client({ name, version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
};

interface Answer {
  readonly whole: unknown;
  readonly texts: readonly string[];
}

const ask = async (client: Client, name: string, input: object): Promise<Answer> => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } });
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  expect({ name, isError, texts }).toMatchObject({ isError: undefined });
  const shown = texts.reduce((sum, text) => sum + countTokens(text), 0);
  rows.push([name, countTokens(JSON.stringify(structuredContent)), shown]);
  return { whole: structuredContent, texts };
};

/** The tools of contracts whose examples stand for themselves: those by handle are called below. */
const byHandle = new Set(["encounter_state", "end_turn", "undo_action", "end_encounter"]);

const examples = async (client: Client): Promise<readonly (readonly [tool: string, input: unknown])[]> => {
  const { tools } = await client.listTools();
  const listed = new Set(tools.map(({ name }) => name));
  const entries = await kernel.manifest.tools();
  return entries.flatMap(({ procedure, tool }) => {
    const [service = "", name = ""] = procedure.split(".");
    const contract = service === "rules" ? rules : service === "inspector" ? inspector : undefined;
    const procedures: Readonly<Record<string, { readonly examples?: readonly { readonly input: unknown }[] }>> =
      contract?.procedures ?? {};
    if (!listed.has(tool.name) || byHandle.has(tool.name)) return [];
    return (procedures[name]?.examples ?? []).map(({ input }) => [tool.name, input] as const);
  });
};

test("every answer on real inputs has at most 2,000 tokens for a model", async () => {
  const client = await connect("answers");
  for (const [name, input] of await examples(client)) await ask(client, name, Object(input));
  for (const each of [build, longBuild]) await ask(client, "parse_build", { source: { build: each } });
  for (const name of ["kernel_services", "kernel_stats", "kernel_process", "mcp_list", "list_builds"])
    await ask(client, name, {});
  await ask(client, "kernel_describe", { service: "rules" });
  await ask(client, "explore", { depth: 6 });
  await ask(client, "roll_dice", { notation: "100d6" });
  await client.close();
  for (const [tool, , shown] of rows)
    expect({ tool, shown }).toMatchObject({ shown: expect.toSatisfy((n) => n <= 2_000) });
});
