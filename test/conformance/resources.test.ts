/** Resources of contracts over MCP in both eras and over stdio, and the same over HTTP: listed, read, completed, and followed as they change. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import pob from "@fairlead/service-pob";
import rules from "@fairlead/service-rules";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const build =
  '<PathOfBuilding><Build level="20" targetVersion="3_0" className="Witch" ascendClassName="None"/></PathOfBuilding>';

let kernel: Kernel;
let origin: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-resources-"));
  mkdirSync(join(folder, "builds"), { recursive: true });
  writeFileSync(join(folder, "builds", "my witch.xml"), build);
  kernel = await openKernel({
    env: { POB_BUILDS_PATH: join(folder, "builds") },
    services: [rules, pob],
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
  const client = new Client({ name: "resources", version: "1.0.0" }, eras[era]);
  await client.connect(new StreamableHTTPClientTransport(new URL(path, origin)));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
};

const textOf = async (client: Client, uri: string): Promise<string> => {
  const [content] = (await client.readResource({ uri })).contents;
  return content !== undefined && "text" in content && typeof content.text === "string" ? content.text : "";
};

describe.each(["session", "stateless"] as const)("%s", (era) => {
  test("they are listed, and what has fields is a template", () =>
    using("/mcp", era, async (client) => {
      const uris = (await client.listResources()).resources.map(({ uri }) => uri);
      expect(uris).toEqual(
        expect.arrayContaining(["fairlead://kernel/services", "fairlead://pob/builds", "fairlead://rules/encounters"]),
      );
      expect(uris).toContain("fairlead://pob/builds/my%20witch.xml");
      const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
      expect(templates).toContain("fairlead://rules/reference/{edition}/{topic}");
    }));

  test("they are read, and refused in words", () =>
    using("/mcp", era, async (client) => {
      expect(await textOf(client, "fairlead://rules/reference/5.2/weapons")).toMatch(/Longsword .*1d8 slashing.*Sap/);
      expect(await textOf(client, "fairlead://rules/monsters/5.1/Goblin")).toContain('"Goblin"');
      expect(await textOf(client, "fairlead://pob/builds/my%20witch.xml")).toContain("Witch");
      expect(await textOf(client, "fairlead://kernel/events")).toContain("service.state");
      await expect(client.readResource({ uri: "fairlead://rules/nothing" })).rejects.toThrow(/not found/i);
      await expect(client.readResource({ uri: "fairlead://rules/monsters/5.1/%E0%A4%A" })).rejects.toThrow();
      await expect(client.readResource({ uri: "fairlead://rules/monsters/5.1/Nobody" })).rejects.toThrow(/Nobody/);
      await expect(client.readResource({ uri: "fairlead://pob/builds/..%2Fx.xml" })).rejects.toThrow();
    }));

  test("fields are completed, also by what is known of the others", () =>
    using("/mcp", era, async (client) => {
      const complete = async (uri: string, name: string, value: string, given: Record<string, string> = {}) =>
        (
          await client.complete({
            ref: { type: "ref/resource", uri },
            argument: { name, value },
            context: { arguments: given },
          })
        ).completion.values;
      expect(await complete("fairlead://rules/reference/{edition}/{topic}", "topic", "wea")).toEqual(["weapons"]);
      const monster = "fairlead://rules/monsters/{edition}/{name}";
      expect(await complete(monster, "name", "gobl", { edition: "5.1" })).toEqual(expect.arrayContaining(["Goblin"]));
      expect(await complete("fairlead://pob/builds/{file}", "file", "WITCH")).toEqual(["my witch.xml"]);
      expect(await complete("fairlead://pob/nothing/{file}", "file", "")).toEqual([]);
    }));

  test("an address of one service has its own alone", () =>
    using("/mcp/rules", era, async (client) => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => new URL(uri).host)).not.toContain("pob");
      await expect(client.readResource({ uri: "fairlead://pob/builds" })).rejects.toThrow(/not found/i);
    }));
});

const uri = "fairlead://kernel/services";
const restart = () => kernel.connect().call("kernel.restart", { service: "pob" });

test("a session hears of a change until it unsubscribes", () =>
  using("/mcp", "session", async (client) => {
    const updates: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updates.push(params.uri));
    await client.subscribeResource({ uri });
    await restart();
    await expect.poll(() => updates).toContain(uri);
    await client.unsubscribeResource({ uri });
    await expect(client.subscribeResource({ uri: "fairlead://kernel/nothing" })).rejects.toThrow(/not found/i);
  }));

test("a stream of the stateless era has the changes of what it names and may be read, until it is closed", () =>
  using("/mcp", "stateless", async (client) => {
    const updates: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updates.push(params.uri));
    const listening = await client.listen({ resourceSubscriptions: [uri, "fairlead://pob/builds/nothing.xml"] });
    expect(listening.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
    await restart();
    await expect.poll(() => updates).toContain(uri);
    await listening.close();
  }));

const ask = async (procedure: string, input: unknown) => {
  const answer = await fetch(new URL(`/api/kernel/${procedure}`, origin), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return { status: answer.status, body: await answer.json() };
};

test("HTTP has the same", async () => {
  expect(await ask("listResources", {})).toMatchObject({
    body: { resources: expect.arrayContaining([expect.objectContaining({ uri: "fairlead://pob/builds" })]) },
  });
  expect(await ask("readResource", { uri: "fairlead://rules/reference/5.1/skills" })).toMatchObject({
    status: 200,
    body: { type: "text/markdown", text: expect.stringContaining("| Stealth | dexterity |") },
  });
  expect(await ask("readResource", { uri: "fairlead://rules/none" })).toMatchObject({ status: 404 });
  expect(await ask("readResource", { uri: "fairlead://rules/monsters/5.1/Nobody" })).toMatchObject({ status: 400 });
  expect(await ask("completeArgument", { of: "rules_encounter", argument: "edition", typed: "5.2" })).toMatchObject({
    body: { values: ["5.2"], total: 1 },
  });
  expect(await ask("completeArgument", { of: "rules_nothing", argument: "x" })).toMatchObject({ status: 404 });
});

test("HTTP streams the changes", async () => {
  const end = new AbortController();
  const answer = await fetch(new URL(`/api/kernel/watchResource?uri=${encodeURIComponent(uri)}`, origin), {
    headers: { accept: "text/event-stream" },
    signal: end.signal,
  });
  expect(answer.status).toBe(200);
  let seen = "";
  const reading = answer.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (text) => {
        seen += text;
      },
    }),
  );
  const items = (): number => seen.split(uri).length - 1;
  await expect.poll(items).toBe(1);
  await restart();
  await expect.poll(items).toBeGreaterThan(1);
  end.abort();
  await reading?.catch(() => undefined);
});

test("who may not use a service sees and reads nothing of it", async () => {
  const only = kernel.connect({ id: "table", access: ["read", "call"], services: ["rules", "kernel"] });
  const listed = await only.call("kernel.listResources", {});
  expect(JSON.stringify(listed)).toContain("fairlead://rules/encounters");
  expect(JSON.stringify(listed)).not.toContain("fairlead://pob");
  expect(await only.call("kernel.readResource", { uri: "fairlead://pob/builds" })).toMatchObject({
    error: { code: "not_found", reason: "unknown_resource" },
  });
});
