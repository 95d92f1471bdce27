/** The configuration's own rules for an upstream's tools: which are shown, under what names, and that a look at it tells so. */
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type Board, openBoard } from "./board.ts";
import { type ServedPeer, serveV1 } from "./peers/v1.ts";

let peer: ServedPeer;
let board: Board;

beforeAll(async () => {
  peer = await serveV1();
  const { url } = peer;
  board = await openBoard({
    upstreams: {
      few: { url, tools: { allow: ["echo", "slow"], deny: ["slow"], rename: { echo: "say" } } },
      all: { url },
    },
  });
  for (const name of ["few", "all"]) await board.becomes(name, "connected");
});
afterAll(async () => {
  await board.close();
  await peer.close();
});

it("shows and relays what is wanted, and nothing else", async () => {
  const { tools } = (await board.ask("tools", { connection: "few" })) as { readonly tools: readonly object[] };
  expect(tools).toMatchObject([{ name: "few__say", upstreamName: "echo" }]);
  expect(await board.call("few__say", { message: "hello" })).toMatchObject({ ok: true, text: "hello" });
  for (const name of ["few__echo", "few__slow"]) {
    expect(await board.call(name)).toMatchObject({ ok: false, error: { code: "not_found" } });
  }
});

it("a look at the connection names what is left out", async () => {
  const { tools: offered } = await board.status("all");
  const few = await board.status("few");
  expect(few.tools).toBe(offered);
  expect(few.filtered).toContain("slow");
  expect(few.filtered).not.toContain("echo");
  expect(few.filtered).toHaveLength(offered - 1);
  expect(await board.status("all")).toMatchObject({ filtered: [], unusable: [] });
});

it("a look at the connection names the rules that fit no tool, or give two of them one name", async () => {
  const rename = { echo: "same", slow: "same" };
  const own = await openBoard({
    upstreams: { up: { url: peer.url, tools: { allow: ["echo", "slow", "nosuch"], rename } } },
  });
  await own.becomes("up", "connected");
  expect((await own.status("up")).unusable).toEqual([
    "slow: echo is shown as up__same already",
    "nosuch: `tools.allow` names it, and the upstream has no such tool",
  ]);
  await own.close();
});

it("an unknown field of what is to be added is refused, with what was meant", async () => {
  await expect(board.ask("add", { name: "x", urll: peer.url })).rejects.toMatchObject({
    wire: { code: "invalid_argument", issues: [{ path: "urll", fix: "did you mean url?" }] },
  });
});

it("hold for their name wherever a caller leads it, and its headers go nowhere else", async () => {
  const heard: unknown[] = [];
  const other = await serveV1();
  const tapped = createServer((request, response) => {
    heard.push(request.headers["x-key"]);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => tapped.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(tapped.address());
  const own = await openBoard(
    {
      upstreams: {
        up: { url: peer.url, headers: { "x-key": "$" + "{KEY}" }, tools: { allow: ["echo"], rename: { echo: "say" } } },
      },
    },
    { env: { KEY: "a-secret-of-ours" } },
  );
  const offers = async (): Promise<unknown> => {
    const { tools } = (await own.ask("tools", { connection: "up" })) as { readonly tools: readonly { name: string }[] };
    return tools.map(({ name }) => name);
  };
  await own.becomes("up", "connected");
  const { generation } = await own.status("up");
  await own.add("up", peer.url);
  expect(await own.status("up")).toMatchObject({ configured: true, generation });
  await own.add("up", other.url);
  expect(await own.status("up")).toMatchObject({ configured: false });
  await own.becomes("up", "connected");
  expect(await offers()).toEqual(["up__say"]);
  await own.add("up", `http://127.0.0.1:${port}/mcp`);
  await own.becomes("up", "blocked");
  expect(new Set(heard)).toEqual(new Set([undefined]));
  await own.add("up", peer.url);
  await own.becomes("up", "connected");
  expect(await own.status("up")).toMatchObject({ configured: true });
  expect(await offers()).toEqual(["up__say"]);
  await own.close();
  await other.close();
  tapped.close();
});
