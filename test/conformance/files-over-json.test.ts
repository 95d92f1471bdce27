/** Files where answers are JSON: over MCP in both eras, over stdio with the client's folders, and over tRPC with its own client. One story for all. */
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { links } from "@fairlead/client/trpc";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createTRPCClient, httpLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type RunningProject, startProject } from "./kernel.ts";
import type { AppRouter } from "./project/gen/app-router.ts";
import { stdioOf } from "./stdio.ts";

const info = { name: "conformance", version: "1.0.0" };
const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
const roots = { capabilities: { roots: {} } };
const folder = mkdtempSync(join(tmpdir(), "fairlead-conformance-roots-"));
const outside = mkdtempSync(join(tmpdir(), "fairlead-conformance-outside-"));
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0]);

let project: RunningProject;
beforeAll(async () => {
  writeFileSync(join(folder, "notes.txt"), "from a folder");
  writeFileSync(join(outside, "secret.txt"), "not for models");
  symlinkSync(join(outside, "secret.txt"), join(folder, "link.txt"));
  project = await startProject();
});
afterAll(() => project.kernel.close());

/** What both generations of the SDK's client do here. */
interface McpClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  close(): Promise<void>;
}

const answerRoots = () => ({ roots: [{ uri: pathToFileURL(folder).href }] });

const openSession = async (over: "HTTP" | "stdio"): Promise<McpClient> => {
  const client = new ClientV1(info, over === "HTTP" ? {} : roots);
  if (over === "stdio") client.setRequestHandler(ListRootsRequestSchema, answerRoots);
  const server = { ...stdioOf(projectFolder), stderr: "ignore" } as const;
  await client.connect(over === "HTTP" ? new HttpV1(new URL(`${project.url}/mcp`)) : new StdioV1(server));
  return client;
};

const openStateless = async (over: "HTTP" | "stdio"): Promise<McpClient> => {
  const client = new ClientV2(info, { ...modern, ...(over === "stdio" && roots) });
  if (over === "stdio") client.setRequestHandler("roots/list", answerRoots);
  const server = { ...stdioOf(projectFolder), stderr: "ignore" } as const;
  await client.connect(over === "HTTP" ? new HttpV2(new URL(`${project.url}/mcp`)) : new StdioV2(server));
  return client;
};

const isLong = process.env.TESTS_TIER === "long";

describe.each([
  ["2025-11-25 over HTTP", () => openSession("HTTP"), false],
  ["2026-07-28 over HTTP", () => openStateless("HTTP"), false],
  ["2025-11-25 over stdio", () => openSession("stdio"), true],
  ...(isLong ? [["2026-07-28 over stdio", () => openStateless("stdio"), true] as const] : []),
] as const)("MCP %s", (era, open, isLocal) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await open();
  });
  afterAll(() => client.close());

  const keep = (as: string, file: unknown) => client.callTool({ name: "probe_keep", arguments: { as, file } });

  test("a file in the arguments is kept, and its answer's link is read", async () => {
    const as = `${era} ü & =`;
    expect(await keep(as, { text: "hello ü", name: "../hello.txt" })).toMatchObject({
      structuredContent: { bytes: 8, name: "hello.txt", type: "text/plain" },
    });
    const answer = await client.callTool({ name: "probe_kept", arguments: { as } });
    const uri = `fairlead://probe/kept?${new URLSearchParams({ as })}`;
    expect(answer).toMatchObject({
      structuredContent: { name: "hello.txt", type: "text/plain", size: 8, url: uri },
      content: [{ type: "text" }, { type: "resource_link", uri, name: "hello.txt", mimeType: "text/plain", size: 8 }],
    });
    expect(await client.readResource({ uri })).toMatchObject({
      contents: [{ uri, mimeType: "text/plain", text: "hello ü" }],
    });
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: expect.arrayContaining([
        expect.objectContaining({ uriTemplate: "fairlead://probe/kept{?as}", name: "probe_kept" }),
      ]),
    });
  });

  test("bytes that are no text come as base64", async () => {
    const blob = png.toString("base64");
    await keep("png", { base64: blob, type: "application/octet-stream" });
    expect(await client.readResource({ uri: "fairlead://probe/kept?as=png" })).toMatchObject({
      contents: [{ mimeType: "application/octet-stream", blob }],
    });
  });

  test("what is refused says why", async () => {
    const refused = (text: string) => ({ isError: true, content: [{ text: expect.stringContaining(text) }] });
    expect(await keep("x", { text: "a", base64: "" })).toMatchObject(refused("several of"));
    expect(await keep("x", { base64: "a%" })).toMatchObject(refused("not base64"));
    expect(await keep("x", { text: "a".repeat(600_000) })).toMatchObject(refused("524288 bytes"));
    expect(await keep("x", { text: "a", type: "image/png" })).toMatchObject(refused("media type"));
    expect(await keep("x", { text: "a".repeat(600_000) })).toMatchObject(
      refused(isLocal ? "send its `path`" : "a person"),
    );
    const fileless = await client.callTool({ name: "probe_keep", arguments: { as: "x" } });
    expect(fileless).toMatchObject(refused("takes a file"));
    expect(fileless).toMatchObject(refused("as `text`, as `base64`"));
    expect(JSON.stringify(fileless)).not.toContain("multipart");
    expect(await client.callTool({ name: "probe_kept", arguments: { as: "none" } })).toMatchObject(refused(""));
    for (const uri of [
      "fairlead://probe/kept?as=none",
      "fairlead://probe/sum?a=1",
      "fairlead://x/y",
      "file:///etc/passwd",
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  });

  test("a path is one of the client's folders, where it has started the server", async () => {
    const sent = await keep("path", { path: join(folder, "notes.txt"), type: "text/plain" });
    if (!isLocal)
      return expect(sent).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/file: expected a file; send the file as `text` or `base64`$/) }],
      });
    expect(sent).toMatchObject({ structuredContent: { bytes: 13, name: "notes.txt" } });
    for (const path of ["link.txt", "none.txt", ".", "../"].map((each) => join(folder, each)))
      expect(await keep("path", { path })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("of no file in the client's folders") }],
      });
    expect(await keep("path", { path: join(outside, "secret.txt") })).toMatchObject({ isError: true });
    expect(await keep("path", { path: "notes.txt" })).toMatchObject({ isError: true });
  });
});

describe("tRPC", () => {
  const client = () => createTRPCClient<AppRouter>({ links: [httpLink({ url: `${project.url}/trpc` })] });
  const form = (as: unknown, content: string, type = "text/plain"): FormData => {
    const sent = new FormData();
    sent.append("input", JSON.stringify({ as }));
    sent.append("file", new File([content], "form.txt", { type }));
    return sent;
  };

  test("its client sends a form, and a download says where its bytes are", async () => {
    expect(await client().probe.keep.mutate(form("trpc", "by form"))).toMatchObject({ bytes: 7, name: "form.txt" });
    const ours = createTRPCClient<AppRouter>({ links: links({ url: project.url }) });
    expect(await ours.probe.keep.mutate(form("trpc", "by form"))).toMatchObject({ bytes: 7, name: "form.txt" });
    const described = await client().probe.kept.query({ as: "trpc" });
    expect(described).toMatchObject({ name: "form.txt", type: "text/plain", size: 7, url: "/api/probe/kept?as=trpc" });
    const bytes = await fetch(`${project.url}${described.url}`);
    expect(await bytes.text()).toBe("by form");
  });

  test("what is refused is in tRPC's shape", async () => {
    await expect(client().probe.keep.mutate(form("", "x"))).rejects.toMatchObject({
      data: { code: "BAD_REQUEST", path: "probe.keep", error: { issues: [{ path: "as" }] } },
    });
    await expect(client().probe.keep.mutate(form("x", "x", "image/png"))).rejects.toMatchObject({
      data: { error: { issues: [{ path: "file" }] } },
    });
    await expect(client().probe.keep.mutate(form("x", "x".repeat(8_000_001)))).rejects.toMatchObject({
      data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413 },
    });
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"as":"x"}' };
    expect(await (await fetch(`${project.url}/trpc/probe.keep`, json)).text()).toContain("multipart/form-data");
  });
});
