/** Lists that are sent again: they follow what the tools are, and who sees them. */
import { afterEach, expect, test } from "vitest";
import { envelope, initialize, lastMessage, list, modern, rpc, send } from "../../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../../testing/mcp-fake-server.ts";

afterEach(stopAll);

const names = async (response: Response): Promise<readonly string[]> =>
  (await lastMessage(response)).result?.tools?.map(({ name }) => name) ?? [];

test("the second list is that of now, whatever changed since the first", async () => {
  const fake = await start();
  const { url } = fake.server;
  const all = await names(await list(url));
  expect(all).toContain("add");
  fake.switch("demo.add", false);
  expect(await names(await list(url))).toEqual(all.filter((name) => name !== "add"));
  fake.switch("demo.add", true);
  expect(await names(await list(url))).toEqual(all);
  expect(await names(await list(url))).toEqual(all);
});

test("each address has its own", async () => {
  const { url } = (await start()).server;
  for (const _ of [1, 2]) {
    expect(await names(await list(url))).toContain("add");
    expect(await names(await list(url, { path: "/mcp/other" }))).toEqual(["ping"]);
  }
  const introduced = async (path: string): Promise<unknown> =>
    (await lastMessage(await list(url, { path }))).result?._meta;
  expect(await introduced("/mcp/other")).toEqual(await introduced("/mcp/other"));
});

test("a request gets its own id, and what the SDK wrote, in a document or compressed", async () => {
  const { url } = (await start()).server;
  const ask = async (id: unknown, encoding: string): Promise<Response> =>
    send(url, rpc("tools/list", { _meta: envelope }, id), {
      headers: {
        "mcp-protocol-version": modern,
        "mcp-method": "tools/list",
        "accept-encoding": encoding,
      },
    });
  const first = await lastMessage(await ask(1, "identity"));
  for (const [id, encoding] of [
    [2, "gzip"],
    ["dréi", "gzip, br"],
    [4, "identity"],
    [5, "gzip;q=0"],
  ] as const) {
    const answer = await ask(id, encoding);
    expect(answer.headers.get("content-encoding")).toBe(/^gzip(?:$|,)/.test(encoding) ? "gzip" : null);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(await lastMessage(answer)).toEqual({ ...first, id });
  }
});

test("in a session, too, and each revision has its own", async () => {
  const { url } = (await start()).server;
  const seen: unknown[] = [];
  for (const revision of ["2025-11-25", "2025-11-25", "2024-11-05"]) {
    const { headers } = await initialize(url, revision);
    for (const id of [7, 8]) {
      const message = await lastMessage(await send(url, rpc("tools/list", {}, id), { headers }));
      expect(message.id).toBe(id);
      seen.push(message.result);
    }
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  expect(seen[5]).toEqual(seen[4]);
});
