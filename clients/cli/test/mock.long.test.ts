/** `fairlead mock` as a process: the contracts that ship, over every way in. */
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandProcess, parseError, start } from "./command-process.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let mock: CommandProcess;
let url: string;

beforeAll(async () => {
  const flags = [
    "--port",
    "0",
    "--json",
    "--items",
    "2",
    "--every",
    "0",
    "--fail",
    "connections.reconnect=unknown_connection",
  ];
  mock = start(["mock", ...flags], { cwd: root });
  const { http } = JSON.parse(await mock.until(/\n/));
  url = String(http).replace(/\/api$/, "");
});

afterAll(async () => {
  mock.child.kill("SIGINT");
  expect(await mock.ended).toMatchObject({ code: 130 });
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const input = { notation: "1d6" };

test("the same answer comes over HTTP, tRPC, MCP and the command line", async () => {
  const http = await (await post("/api/rules/roll", input)).json();
  const trpc = await fetch(`${url}/trpc/rules.roll?input=${encodeURIComponent(JSON.stringify(input))}`);
  expect(await trpc.json()).toEqual({ result: { data: http } });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/rules`)));
  const result = await client.callTool({ name: "roll_dice", arguments: input });
  await client.close();
  expect(result).toMatchObject({ structuredContent: http });
  const cli = await start(["call", "rules.roll", "-d", JSON.stringify(input), "--url", url], { cwd: root }).ended;
  expect(JSON.parse(cli.out)).toEqual(http);
});

test("a declared error comes over HTTP and to the command line as its service would send it", async () => {
  const failed = await post("/api/connections/reconnect", { name: "one" });
  expect(failed.status).toBe(404);
  expect(await failed.json()).toMatchObject({ code: "not_found", reason: "unknown_connection" });
  const args = ["call", "connections.reconnect", "-d", '{"name":"one"}', "--url", url];
  expect(parseError(await start(args, { cwd: root }).ended)).toMatchObject({ reason: "unknown_connection" });
});

test("a stream is sent event by event, and ends", async () => {
  const stream = await post("/api/connections/events", {}, { accept: "text/event-stream" });
  const text = await stream.text();
  expect(text.match(/^id: ?\d+$/gm)).toEqual(["id: 1", "id: 2"]);
});
