/** The configuration's own rules for an upstream's tools: which are shown, under what names, and that a look at it tells so. */
import { afterAll, beforeAll, expect, it } from "vitest";
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
}, 30_000);
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
  const { tools: many } = await board.status("all");
  const few = await board.status("few");
  expect(few.tools).toBe(1);
  expect(few.filtered).toContain("slow");
  expect(few.filtered).not.toContain("echo");
  expect(few.filtered).toHaveLength(many - 1);
  expect(await board.status("all")).toMatchObject({ filtered: [], unusable: [] });
});
