/** Prompts over MCP in both eras, with the shipped contracts: listed by address, filled in, and completed by a real query. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import loop from "@fairlead/service-loop";
import rules from "@fairlead/service-rules";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";

let kernel: Kernel;
let origin: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-prompts-"));
  kernel = await openKernel({
    env: {},
    services: [loop, rules],
    flags: { port: 0, lagMs: 60_000, stateDir: folder },
    log: makeLog({ level: "error", write: () => {} }),
  });
  origin = `http://127.0.0.1:${(await kernel.serve()).port}`;
});

afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

const eras = { session: {}, stateless: { versionNegotiation: { mode: { pin: "2026-07-28" } } } } as const;

const using = async <T>(path: string, era: keyof typeof eras, use: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ name: "prompts", version: "1.0.0" }, eras[era]);
  await client.connect(new StreamableHTTPClientTransport(new URL(path, origin)));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
};

test.each(["session", "stateless"] as const)("%s: they are listed, filled in and completed", (era) =>
  using("/mcp", era, async (client) => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["loop_improve", "loop_status", "rules_encounter"]);
    const { messages } = await client.getPrompt({ name: "rules_encounter", arguments: { foes: "two goblins" } });
    expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("Foes: two goblins") } }]);
    expect(JSON.stringify(messages)).toContain("`start_encounter`");
    await expect(client.getPrompt({ name: "rules_encounter" })).rejects.toThrow(/foes/);
    const complete = async (name: string, argument: string, value: string) =>
      (await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument, value } })).completion
        .values;
    expect(await complete("rules_encounter", "edition", "5.2")).toEqual(["5.2"]);
    expect(await complete("loop_improve", "formula", "")).toEqual(expect.arrayContaining(["cleanup", "docs"]));
    expect(await complete("loop_improve", "formula", "clean")).toEqual(["cleanup"]);
  }),
);

test("an address of one service has its own", () =>
  using("/mcp/rules", "stateless", async (client) => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["rules_encounter"]);
    await expect(client.getPrompt({ name: "loop_status" })).rejects.toThrow(/no such prompt/);
  }));
