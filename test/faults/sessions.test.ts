/** Sessions that an upstream forgets: one new one for all calls, none of them visible to a harmless call, none of the others run twice. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { type ServedPeer, serveV1 } from "./peers/v1.ts";
import { faultProxy } from "./proxy.ts";

describe("sessions", () => {
  let peer: ServedPeer;
  let board: Board;
  beforeEach(async () => {
    peer = await serveV1();
    board = await openBoard();
    await board.add("up", peer.url);
    await board.becomes("up", "connected");
  });
  afterEach(async () => {
    await board.close();
    await peer.close();
  });

  it("100 calls on a forgotten session open one new session, and none of the harmless ones fails (property 3)", async () => {
    const before = peer.opened();
    peer.forget();
    const calls = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        board.call(at % 2 === 0 ? "up__echo" : "up__repeat", { message: String(at) }),
      ),
    );
    expect(calls.map((each) => each.ok && each.text)).toEqual(calls.map((_, at) => String(at)));
    expect(peer.opened() - before).toBe(1);
  });

  it("calls that are not to be repeated are not, and say that they may be sent again", async () => {
    const before = peer.opened();
    peer.forget();
    const calls = await Promise.all(Array.from({ length: 100 }, () => board.call("up__count")));
    const failed = calls.filter((each) => !each.ok);
    expect(failed.length).toBeGreaterThan(0);
    for (const each of failed) {
      expect(each).toMatchObject({ error: { data: { reason: "session_expired" }, retryable: true } });
    }
    expect(peer.state.counted).toBe(100 - failed.length);
    await expect.poll(() => peer.opened() - before).toBe(1);
    expect(await board.call("up__count")).toMatchObject({ ok: true });
  });

  it("a server that forgets every session at once is not called connected", async () => {
    const proxy = await faultProxy(peer.url);
    proxy.fault = "forgets";
    await board.add("bad", proxy.url);
    await board.becomes("bad", "reconnecting");
    expect(await board.call("bad__echo")).toMatchObject({ ok: false });
    expect((await board.status("bad")).state).not.toBe("connected");
    await proxy.close();
  });
});
