/**
 * The table of faults: what each does to a connection while it is made and to a call once it is there, over HTTP in both eras and over
 * a process. State, event and error are what the row says, and when the fault is over the connection is back by itself.
 */
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { peerState, peerTools } from "./peers/tools.ts";
import { type ServedPeer, serveV1 } from "./peers/v1.ts";
import { serveV2 } from "./peers/v2.ts";
import { freshMark, marked, programOf } from "./processes.ts";
import { type FaultName, type FaultProxy, faultProxy } from "./proxy.ts";

type Row = readonly [fault: FaultName | "refuse", state: string, event: string, reason: string];

/** While connecting. */
const opening: readonly Row[] = [
  ["refuse", "reconnecting", "Reconnecting", "refused"],
  ["hole", "reconnecting", "Reconnecting", "timeout"],
  ["reset", "reconnecting", "Reconnecting", "closed"],
  ["drip", "reconnecting", "Reconnecting", "timeout"],
  ["cut", "reconnecting", "Reconnecting", "closed"],
  ["garbled", "reconnecting", "Reconnecting", "closed"],
  ["overloaded", "reconnecting", "Reconnecting", "bad_status"],
  ["unauthorized", "blocked", "Blocked", "unauthorized"],
  ["forbidden", "blocked", "Blocked", "forbidden"],
  ["missing", "blocked", "Blocked", "not_found"],
  ["page", "blocked", "Blocked", "bad_answer"],
  ["redirect", "blocked", "Blocked", "bad_status"],
];

type CallRow = readonly [
  fault: FaultName | "refuse",
  reason: string,
  sent: boolean,
  harmful: boolean,
  harmless: boolean,
];

/** In a call: the reason, whether it was sent, and whether a harmful and a harmless one may be repeated. */
const calling: readonly CallRow[] = [
  ["refuse", "refused", false, true, true],
  ["cut", "closed", true, false, true],
  ["garbled", "closed", true, false, true],
  ["page", "closed", true, false, true],
  ["overloaded", "bad_status", true, false, true],
  ["unauthorized", "unauthorized", true, true, true],
  ["forbidden", "forbidden", true, true, true],
];

describe.each([
  ["legacy", serveV1],
  ["modern", serveV2],
] as const)("over HTTP, %s", (era, serve) => {
  let peer: ServedPeer;
  let proxy: FaultProxy;
  let board: Board;

  beforeAll(async () => {
    peer = await serve();
  });
  afterAll(() => peer.close());
  beforeEach(async () => {
    proxy = await faultProxy(peer.url);
    board = await openBoard();
  });
  afterEach(async () => {
    await board.close();
    await proxy.close();
  });

  const spoil = async (fault: Row[0]): Promise<void> => {
    if (fault === "refuse") await proxy.stop();
    else proxy.fault = fault;
  };
  const mend = async (): Promise<void> => {
    proxy.fault = "none";
    await proxy.stop();
    await proxy.start();
  };

  it.each(opening)("%s while connecting: %s, %s, %s; then it heals", async (fault, state, event, reason) => {
    await spoil(fault);
    await board.add("up", proxy.url);
    await board.becomes("up", state);
    expect(await board.status("up")).toMatchObject({ state, tools: 0, lastError: { reason } });
    await expect.poll(() => board.happened.map(({ type }) => type)).toContain(event);
    expect(board.happened.find(({ type }) => type === event)).toMatchObject({ name: "up", reason });
    await mend();
    if (state === "blocked") await board.ask("reconnect", { name: "up" });
    await board.becomes("up", "connected");
    expect(await board.status("up")).toMatchObject({
      era,
      error: null,
      attempt: 0,
      tools: peerTools(peerState()).length,
    });
    expect(await board.call("up__echo", { message: "back" })).toMatchObject({ ok: true, text: "back" });
  });

  it.each(calling)("%s in a call: %s, sent %s; then it heals", async (fault, reason, sent, harmful, harmless) => {
    for (const [tool, retryable] of [
      ["up__count", harmful],
      ["up__echo", harmless],
    ] as const) {
      await board.add("up", proxy.url);
      await board.becomes("up", "connected");
      await spoil(fault);
      // Until the end of the old sockets is noticed, nobody can tell what was sent on them.
      if (fault === "refuse") await board.becomes("up", "reconnecting");
      const failed = await board.call(tool);
      expect(failed).toMatchObject({
        ok: false,
        error: {
          code: "unavailable",
          reason: "upstream_unavailable",
          data: { connection: "up", reason, sent },
          retryable,
        },
      });
      // The status had left `connected` before the caller heard of it.
      if (!failed.ok) expect(failed.error.data).not.toMatchObject({ state: "connected" });
      await mend();
      await board.ask("reconnect", { name: "up" });
      await board.becomes("up", "connected");
    }
  });

  it("reset in a call: closed; may be repeated when it was not sent, or is harmless", async () => {
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    await spoil("reset");
    for (const tool of ["up__count", "up__echo"]) {
      const failed = await board.call(tool);
      if (failed.ok) throw new Error("it went through");
      const { sent } = failed.error.data as { readonly sent: boolean };
      expect(failed.error).toMatchObject({ data: { reason: "closed" }, retryable: !sent || tool === "up__echo" });
      expect(failed.error.data).not.toMatchObject({ state: "connected" });
    }
  });

  it.each(["hole", "drip"] as const)("%s under a connection: silent after three pings, and back", async (fault) => {
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    await spoil(fault);
    const late = await board.call("up__echo", { message: "x" }, 300);
    expect(late).toMatchObject({ ok: false, error: { code: "deadline_exceeded" } });
    await board.becomes("up", "reconnecting");
    expect(board.happened.find(({ type }) => type === "Reconnecting")).toMatchObject({ reason: "silent" });
    await mend();
    await board.becomes("up", "connected");
  });

  it("idle and silent: noticed without a call", async () => {
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    await spoil("hole");
    await board.becomes("up", "reconnecting");
    expect(board.happened.find(({ type }) => type === "Reconnecting")).toMatchObject({ reason: "silent" });
  });

  it("tools stay listed while it reconnects", async () => {
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    const names = async () => (await board.ask("tools", {})) as { tools: readonly { name: string; state: string }[] };
    const before = (await names()).tools.map(({ name }) => name);
    await spoil("refuse");
    await board.becomes("up", "reconnecting");
    const { tools } = await names();
    expect(tools.map(({ name }) => name)).toEqual(before);
    expect(new Set(tools.map(({ state }) => state))).toEqual(new Set(["reconnecting"]));
  });

  it("removed with a call under way that outlived a failure: nothing of it is left", async () => {
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    const before = peer.state.hanging;
    const hanging = board.call("up__hang");
    await expect.poll(() => peer.state.hanging).toBe(before + 1);
    await spoil("overloaded");
    expect(await board.call("up__echo")).toMatchObject({ ok: false, error: { data: { reason: "bad_status" } } });
    expect(await board.ask("remove", { name: "up" })).toBe(true);
    expect(await hanging).toMatchObject({ ok: false, error: { code: "unavailable", data: { sent: true } } });
  });

  it("killed with calls under way: they fail at once, the status is true, and it is back by itself", async () => {
    await board.add("up", proxy.url);
    await board.becomes("up", "connected");
    const calls = Array.from({ length: 10 }, () => board.call("up__hang"));
    await expect.poll(() => proxy.requests).toBeGreaterThan(10);
    const killed = performance.now();
    await proxy.stop();
    const failed = await Promise.all(calls);
    for (const each of failed) {
      expect(each).toMatchObject({ ok: false, error: { data: { sent: true }, retryable: false } });
      expect(each.at - killed).toBeLessThan(2_000);
    }
    expect((await board.status("up")).state).toBe("reconnecting");
    await proxy.start();
    await board.becomes("up", "connected");
  });
});

/** A program takes its time to start on a busy machine, and a session to open while a hundred calls wait for it. */
const slowTimes = { connectMs: 15_000, idleMs: 400, pingMs: 700 };

describe("sessions", () => {
  let peer: ServedPeer;
  let board: Board;
  beforeEach(async () => {
    peer = await serveV1();
    board = await openBoard({ times: slowTimes });
    await board.add("up", peer.url);
    await board.becomes("up", "connected");
  });
  afterEach(async () => {
    await board.close();
    await peer.close();
  });

  it("100 calls on a forgotten session open one new session, and none of the harmless ones fails", async () => {
    const before = peer.opened();
    peer.forget();
    const calls = await Promise.all(
      Array.from({ length: 100 }, (_, at) => board.call("up__echo", { message: String(at) })),
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

const peerFile = (name: string): string => fileURLToPath(new URL(`./peers/${name}.ts`, import.meta.url));
const program = (name: string, mode: string) => ({
  command: process.execPath,
  args: ["--conditions=@fairlead/source", peerFile(name), mode],
});
describe.each([
  ["legacy", "v1"],
  ["modern", "v2"],
] as const)("over a process, %s", (era, file) => {
  let board: Board;
  let mark: string;
  beforeEach(async () => {
    mark = freshMark();
    const up = { ...program(file, "stdio"), env: { MARK: mark } };
    board = await openBoard({ times: slowTimes, upstreams: { up } });
    await board.becomes("up", "connected");
  });
  afterEach(() => board.close());

  it("killed with calls under way: they fail at once, and it is back by itself", async () => {
    expect(await board.status("up")).toMatchObject({ era, tools: peerTools(peerState()).length });
    const before = programOf(mark);
    const calls = Array.from({ length: 5 }, () => board.call("up__hang"));
    expect((await board.call("up__echo", { message: "they are there" })).ok).toBe(true);
    const killed = performance.now();
    process.kill(before, "SIGKILL");
    for (const each of await Promise.all(calls)) {
      expect(each).toMatchObject({ ok: false, error: { data: { sent: true, reason: "exited" }, retryable: false } });
      if (!each.ok) expect(each.error.data).not.toMatchObject({ state: "connected" });
      expect(each.at - killed).toBeLessThan(2_000);
    }
    await board.becomes("up", "connected");
    await expect.poll(() => marked(mark), { timeout: 20_000 }).not.toContain(before);
  });

  it("ended by its own tool: the call was sent and is not to be repeated", async () => {
    expect(await board.call("up__die")).toMatchObject({
      ok: false,
      error: { data: { sent: true, reason: "exited" }, retryable: false },
    });
    expect(await board.call("up__echo", { message: "again" })).toMatchObject({ ok: true, text: "again" });
  });

  it("stopped in its tracks: silent after three pings, replaced by another", async () => {
    const before = programOf(mark);
    process.kill(before, "SIGSTOP");
    await expect.poll(() => board.happened.map(({ reason }) => reason), { timeout: 20_000 }).toContain("silent");
    await board.becomes("up", "connected");
    await expect.poll(() => marked(mark), { timeout: 20_000 }).not.toContain(before);
  });
});

describe("programs that are no good", () => {
  let board: Board;
  afterEach(() => board.close());

  it.each([
    ["exit", "reconnecting", "exited"],
    ["silent", "reconnecting", "timeout"],
    ["garbage", "reconnecting", "timeout"],
    ["leaves", "reconnecting", "exited"],
  ])("%s: %s, %s", async (mode, state, reason) => {
    board = await openBoard({ times: { connectMs: 3_000 }, upstreams: { up: program("bad", mode) } });
    await board.becomes("up", state);
    expect((await board.status("up")).lastError).toMatchObject({ reason });
  });

  it("what it last wrote is told", async () => {
    board = await openBoard({ times: { connectMs: 10_000 }, upstreams: { up: program("bad", "exit") } });
    await board.becomes("up", "reconnecting");
    expect((await board.status("up")).error).toContain("cannot find my configuration");
  });

  it("missing: blocked at once", async () => {
    board = await openBoard({ upstreams: { up: { command: "surely-not-there" } } });
    await board.becomes("up", "blocked");
    expect(await board.status("up")).toMatchObject({ lastError: { reason: "missing_command" } });
  });
});
