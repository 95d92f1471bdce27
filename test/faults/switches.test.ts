/** What a person turns off, writes down, groups and holds to a policy: by command, and in the configuration. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import connections from "@fairlead/service-connections";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { type BoardOptions, calmTimes, openBoard } from "./board.ts";
import { serveV1 } from "./peers/v1.ts";

const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-switches-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const openPeer = async () => {
  const peer = await serveV1();
  onTestFinished(() => peer.close());
  return peer;
};

const board = async (section: Readonly<Record<string, unknown>>, options: BoardOptions = {}) => {
  const opened = await openBoard(section, options);
  onTestFinished(() => opened.close());
  return opened;
};

it("a connection that is disabled stays down when files are read again, and one of its tools can be hidden", async () => {
  const [peer, folder] = [await openPeer(), freshFolder()];
  const list = join(folder, ".mcp.json");
  writeFileSync(list, JSON.stringify({ mcpServers: { up: { url: peer.url } } }));
  const { ask, becomes, call } = await board({ mcpJson: list });
  await becomes("up", "connected");

  expect(await ask("disable", { name: "up", tools: ["count"] })).toEqual({ enabled: true, disabledTools: ["count"] });
  expect(await ask("listDisabled", {})).toEqual({ connections: [], tools: [{ name: "up", tools: ["count"] }] });
  expect(await call("up__count")).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(await call("up__echo", { message: "still" })).toMatchObject({ ok: true, text: "still" });
  const unknown = await ask("disable", { name: "up", tools: ["cuont"] }).catch((error: unknown) => error);
  expect(unknown).toMatchObject({ wire: { reason: "unknown_upstream_tool", hint: "did you mean count?" } });
  expect(await ask("enable", { name: "up", tools: ["count"] })).toEqual({ enabled: true, disabledTools: [] });
  expect(await call("up__count")).toMatchObject({ ok: true });

  expect(await ask("disable", { name: "up" })).toEqual({ enabled: false, disabledTools: [] });
  expect(await ask("status", { name: "up" })).toBeNull();
  writeFileSync(list, JSON.stringify({ mcpServers: { up: { url: `${peer.url}?changed` } } }));
  await ask("applyPlan", {});
  expect(await ask("status", { name: "up" })).toBeNull();
  expect(await ask("enable", { name: "up" })).toEqual({ enabled: true, disabledTools: [] });
  await becomes("up", "blocked");
});

it("a connection is saved into the .mcp.json beside its comments, once, and without headers", async () => {
  const [peer, folder] = [await openPeer(), freshFolder()];
  const list = join(folder, ".mcp.json");
  const before = '{\n  // by hand\n  "mcpServers": {\n  }\n}\n';
  writeFileSync(list, before);
  const { ask, add, becomes } = await board({ mcpJson: list, watch: false });
  await add("holler", peer.url);
  await becomes("holler", "connected");
  const saved = await ask("save", { name: "holler" });
  expect(saved).toMatchObject({
    path: list,
    backup: `${list}.bak`,
    added: expect.arrayContaining([expect.stringContaining(peer.url)]),
  });
  expect(readFileSync(`${list}.bak`, "utf8")).toBe(before);
  expect(readFileSync(list, "utf8")).toContain("// by hand");
  await ask("applyPlan", {});
  await becomes("holler", "connected");
  expect(await ask("status", { name: "holler" })).toMatchObject({ configured: true });
  expect(await ask("save", { name: "holler" })).toEqual({ path: list, backup: null, added: [] });
  writeFileSync(list, readFileSync(list, "utf8").replace(peer.url, `${peer.url}/other`));
  const other = await ask("save", { name: "holler" }).catch((error: unknown) => error);
  expect(other).toMatchObject({ wire: { reason: "not_saved", message: "holler is written down already" } });
});

it("a connection is saved with its era and without what may be a secret; no copy that lies beside the file is written over", async () => {
  const [peer, folder] = [await openPeer(), freshFolder()];
  const list = join(folder, ".mcp.json");
  writeFileSync(list, "{}");
  writeFileSync(`${list}.bak`, "the user's own");
  const { ask } = await board({ mcpJson: list, watch: false });
  const secrets = {
    "has headers": { url: peer.url, headers: { "x-key": "a-secret" } },
    "has a query in its address": { url: `${peer.url}?key=a-secret` },
  };
  for (const [why, added] of Object.entries(secrets)) {
    await ask("add", { name: "secret", ...added });
    const refused = await ask("save", { name: "secret" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ wire: { reason: "not_saved", message: expect.stringContaining(why) } });
    expect(JSON.stringify((refused as { readonly wire: unknown }).wire)).not.toContain("a-secret");
  }
  await ask("add", { name: "one", url: peer.url, era: "legacy" });
  await ask("add", { name: "two", url: peer.url });
  const saved = await Promise.all(["one", "two", "one"].map((name) => ask("save", { name })));
  expect(saved.map((one) => (one as { readonly backup: unknown }).backup)).toEqual([
    `${list}.bak.1`,
    `${list}.bak.2`,
    null,
  ]);
  expect(readFileSync(`${list}.bak`, "utf8")).toBe("the user's own");
  expect(JSON.parse(readFileSync(list, "utf8"))).toEqual({
    mcpServers: { one: { type: "http", url: peer.url, era: "legacy" }, two: { type: "http", url: peer.url } },
  });
  await ask("applyPlan", {});
  expect(await ask("status", { name: "one" })).toMatchObject({ configured: true });
  expect(readdirSync(folder).toSorted()).toEqual([".mcp.json", ".mcp.json.bak", ".mcp.json.bak.1", ".mcp.json.bak.2"]);
});

it("no more are up, and no more are disabled, than there may be; what is disabled is listed, and can be removed", async () => {
  const peer = await openPeer();
  const { ask } = await board({ most: 1 });
  const wire = async (procedure: string, input: object) =>
    ask(procedure, input).then(
      () => "ok",
      (error: unknown) => (error as { readonly wire: { readonly reason?: string } }).wire.reason,
    );
  await ask("add", { name: "one", url: peer.url });
  expect(await wire("disable", { name: "one" })).toBe("ok");
  await ask("add", { name: "two", url: `${peer.url}?key=a-secret` });
  expect(await wire("disable", { name: "two" })).toBe("too_many");
  expect(await wire("enable", { name: "one" })).toBe("too_many");
  const endpoint = peer.url;
  expect(await ask("listDisabled", {})).toEqual({ connections: [{ name: "one", endpoint }], tools: [] });
  expect(await ask("remove", { name: "one" })).toBe(true);
  expect(await wire("enable", { name: "one" })).toBe("unknown_connection");
  expect(await wire("disable", { name: "two" })).toBe("ok");
  expect(await ask("listDisabled", {})).toEqual({ connections: [{ name: "two", endpoint }], tools: [] });
});

it("tools have descriptions, hints and policies of ours, and each call is a line where audit is on", async () => {
  const peer = await openPeer();
  const tools = {
    describe: { echo: "Says it again." },
    annotate: { count: { readOnlyHint: true } },
    policy: { count: { perMinute: 1 }, hang: { callMs: 20 }, fail: { access: "admin" } },
  };
  const { ask, becomes, call } = await board({ upstreams: { up: { url: peer.url, tools } }, audit: true });
  await becomes("up", "connected");
  const { tools: shown } = (await ask("tools", {})) as { readonly tools: readonly Readonly<Record<string, unknown>>[] };
  expect(shown.find(({ name }) => name === "up__echo")).toMatchObject({ description: "Says it again." });
  expect(shown.find(({ name }) => name === "up__count")).toMatchObject({ annotations: { readOnlyHint: true } });
  expect(await call("up__count")).toMatchObject({ ok: true, text: "1" });
  expect(await call("up__count")).toMatchObject({ ok: false, error: { code: "resource_exhausted", retryable: true } });
  expect(await call("up__hang")).toMatchObject({ ok: false, error: { code: "deadline_exceeded" } });
  expect(await call("up__fail")).toMatchObject({ ok: false, error: { reason: "tool_failed" } });
  expect(peer.state.counted).toBe(1);
});

it("the connections of a group have an address together; a token without admin is refused where a policy says so; lines of audit have no values", async () => {
  const [peer, stateDir] = [await openPeer(), freshFolder()];
  const [lines, token]: [string[], string] = [[], "caller-token-of-some-length"];
  const write = process.stderr.write;
  process.stderr.write = ((text: string) => lines.push(String(text)) > 0) as typeof write;
  onTestFinished(() => {
    process.stderr.write = write;
  });
  const url = peer.url;
  const kernel = await openKernel({
    services: [connections],
    config: {
      lagMs: 60_000,
      port: 0,
      stateDir,
      tokens: [{ name: "caller", sha256: createHash("sha256").update(token).digest("hex"), access: ["read", "call"] }],
      services: {
        connections: {
          times: calmTimes,
          audit: true,
          upstreams: {
            one: { url, group: "web" },
            two: { url, group: "web", tools: { policy: { echo: { access: "admin" } } } },
            other: { url },
          },
        },
      },
      log: { level: "info" },
    },
    env: { PATH: process.env.PATH },
  });
  onTestFinished(() => kernel.close());
  const { mcp } = await kernel.serve();
  for (const name of ["one", "two", "other"]) {
    const status = () => kernel.connect().call("connections.status", { name });
    await expect.poll(status, { timeout: 60_000 }).toMatchObject({ value: { state: "connected" } });
  }
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${mcp}/connections/web`), { requestInit }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(new Set(tools.map(({ name }) => name.split("__")[0]))).toEqual(new Set(["one", "two"]));
  expect(await client.callTool({ name: "one__echo", arguments: { message: "a secret" } })).toMatchObject({
    content: [{ text: "a secret" }],
  });
  const refused = await client.callTool({ name: "two__echo", arguments: { message: "no" } });
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused.content)).toContain("admin access only");
  await expect.poll(() => lines.join("")).toContain("relayed call");
  const [line = ""] = lines.filter((text) => text.includes("relayed call"));
  expect(line).toMatch(
    /"connection":"one","tool":"echo","principal":"[^"]*caller[^"]*","arguments":\["message"\],"outcome":"ok"/,
  );
  expect(lines.join("")).not.toContain("a secret");
});
