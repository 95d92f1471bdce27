/** Calls over a wire that does not answer as it should. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { outcomes } from "./outcome.ts";
import { wireSender } from "./sender.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const descriptor = { name: "a.b", kind: "query", path: "/api/a/b", retry: "safe" } as const;
const call = { descriptor, input: {}, tool: "a_b", newKey: () => "key" };

const open = async (listener: RequestListener, ends: { limitMs?: number; signal?: AbortSignal } = {}) => {
  server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: undefined };
  const { limitMs = 60_000, signal = new AbortController().signal } = ends;
  return wireSender(address, "http", call, { limitMs, signal });
};

describe("a call that is not answered", () => {
  test("ends at its limit, also where bytes come", async () => {
    const silent = await open(() => undefined, { limitMs: 20 });
    expect(await silent.send()).toEqual({ code: "deadline_exceeded" });
    const begun = await open((_, response) => void response.write("{"), { limitMs: 200 });
    expect(await begun.send()).toEqual({ code: "deadline_exceeded" });
  });

  test("ends with the command", async () => {
    const controller = new AbortController();
    const sender = await open(() => controller.abort(), { signal: controller.signal });
    expect(await sender.send()).toEqual({ code: "canceled" });
  });
});

test("a connection that is lost is unavailable, and the system's word is beside it", async () => {
  const sender = await open((request) => request.socket.destroy());
  expect(await sender.send()).toEqual({ code: "unavailable", detail: "econnreset" });
});

test.each([
  ["http", 502, "<html>", "unavailable"],
  ["http", 404, "", "not_found"],
  ["http", 418, "{}", "unknown"],
  ["http", 500, '{"code":"internal"}', "internal"],
  ["trpc", 400, '{"error":{"data":{"code":"BAD_REQUEST"}}}', "invalid_argument"],
  ["mcp", 503, "", "unavailable"],
  ["mcp", 200, '{"error":{"code":-32601}}', "unimplemented"],
  ["mcp", 200, '{"error":{"code":-1}}', "unknown"],
] as const)("over %s a status of %d with %s is of the closed table", (name, status, text, code) => {
  expect(outcomes[name](status, text)).toMatchObject({ code });
});
