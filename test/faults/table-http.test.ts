/** The table of faults over HTTP, in both eras: state, event and error are what the row says, and when the fault is over it heals. */
import { describe, it, type TestContext, vi } from "vitest";
import { calmTimes, watchfulTimes } from "./board.ts";
import { peerState, peerTools } from "./peers/tools.ts";
import { serveV1 } from "./peers/v1.ts";
import { serveV2 } from "./peers/v2.ts";
import { faultProxy } from "./proxy.ts";
import { boardOf, deadlineOf, hearEvent, judgeCall } from "./stage.ts";
import { type HttpFault, httpCalling, httpOpening } from "./table.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

/** Requests that an attempt may make which waiting does not mend. */
const fewRequests = 4;

// They wait more than they work.
vi.setConfig({ maxConcurrency: 16 });

const eras = [
  { era: "legacy", serve: serveV1, turn: 0 },
  { era: "modern", serve: serveV2, turn: 1 },
] as const;

/** What no call has to meet: an idle connection's ping finds it. */
const isFoundByPing = ({ fault, reason }: { readonly fault: HttpFault; readonly reason: string }): boolean =>
  reason === "silent" || fault === "refuse";

describe.concurrent.each(eras)("over HTTP, $era", ({ era, serve, turn }) => {
  /** Each row in both eras, or every second one in one of them; what is possible in one era alone is tried in it. */
  const isTried = (row: object, at: number): boolean =>
    "only" in row ? row.only === era : inLongTier || at % (2 * eras.length) === turn;

  const stage = async (context: TestContext, times: object = calmTimes) => {
    const peer = await serve();
    const proxy = await faultProxy(peer.url);
    context.onTestFinished(async () => {
      await proxy.close();
      await peer.close();
    });
    const board = await boardOf(context, { times });
    const spoil = async (fault: HttpFault): Promise<void> => {
      if (fault === "refuse") await proxy.stop();
      else proxy.fault = fault;
    };
    const mend = async (): Promise<void> => {
      proxy.fault = "none";
      await proxy.stop();
      await proxy.start();
    };
    return { peer, proxy, board, spoil, mend };
  };

  const connected = async (context: TestContext, times?: object) => {
    const made = await stage(context, times);
    await made.board.add("up", made.proxy.url);
    await made.board.becomes("up", "connected");
    return made;
  };

  describe.each(inLongTier ? ["auto", era] : [era])("asked for as %s", (wish) => {
    const rows = httpOpening.filter(isTried).map((row) => ({ ...row, ...(wish === "modern" && row.insisted) }));

    it.for(rows)("$fault while connecting: $state, $event, $reason", async (row, context) => {
      const { expect } = context;
      const { proxy, board, spoil, mend } = await stage(
        context,
        row.reason === "timeout" ? { ...calmTimes, connectMs: 5_000 } : calmTimes,
      );
      await spoil(row.fault);
      await board.ask("add", { name: "up", url: proxy.url, era: wish });
      await board.becomes("up", row.state);
      const { reason } = row;
      expect(await board.status("up")).toMatchObject({ state: row.state, tools: 0, lastError: { reason } });
      await hearEvent(context, row, { board, after: 0 });
      expect(await board.call("up__echo")).toMatchObject({
        ok: false,
        error: {
          reason: "upstream_unavailable",
          data: { state: row.state, reason, sent: false },
          retryable: row.state !== "blocked",
        },
      });
      if (row.state === "blocked") expect(proxy.requests).toBeLessThanOrEqual(fewRequests);
      await mend();
      if (row.state === "blocked") await board.ask("reconnect", { name: "up" });
      await board.becomes("up", "connected");
      const tools = peerTools(peerState()).length;
      expect(await board.status("up")).toMatchObject({ era, error: null, attempt: 0, tools });
      expect(await board.call("up__echo", { message: "back" })).toMatchObject({ ok: true, text: "back" });
    });
  });

  it.for(httpCalling.filter(isTried))("$fault under a call: $state, $event, $reason", async (row, context) => {
    const { board, spoil, mend } = await connected(context, isFoundByPing(row) ? watchfulTimes : calmTimes);
    for (const tool of ["count", "echo"]) {
      const after = board.happened.length;
      await spoil(row.fault);
      // Until the end of the old sockets is noticed, nobody can tell what was sent on them.
      if (row.fault === "refuse") await board.becomes("up", "reconnecting");
      const call = await board.call(`up__${tool}`, {}, deadlineOf(row));
      judgeCall(context, row, { call, isHarmless: tool === "echo" });
      await hearEvent(context, row, { board, after });
      await mend();
      await board.ask("reconnect", { name: "up" });
      await board.becomes("up", "connected");
    }
  });

  it("idle and silent: noticed without a call", async (context) => {
    const { board, spoil, mend } = await connected(context, watchfulTimes);
    await spoil("hole");
    await hearEvent(context, { event: "Reconnecting", reason: "silent" }, { board, after: 0 });
    await mend();
    await board.becomes("up", "connected");
  });

  it("tools that change: still connected, Quarantined and ToolsRefreshed, and a call is refused", async (context) => {
    const { expect } = context;
    const { peer, board } = await connected(context);
    expect(await board.call("up__rewrite")).toMatchObject({ ok: true });
    await expect.poll(async () => (await board.status("up")).quarantined).toEqual(["echo"]);
    const tools = peerTools(peer.state).length;
    expect(await board.status("up")).toMatchObject({ state: "connected", tools });
    expect(board.happened).toContainEqual(expect.objectContaining({ type: "Quarantined", tools: ["echo"] }));
    await expect.poll(() => board.happened).toContainEqual(expect.objectContaining({ type: "ToolsRefreshed", tools }));
    const refused = { code: "failed_precondition", reason: "quarantined", retryable: false };
    expect(await board.call("up__echo")).toMatchObject({ ok: false, error: refused });
    expect(await board.ask("approve", { name: "up" })).toMatchObject({ approved: ["echo"] });
    expect(await board.call("up__echo", { message: "back" })).toMatchObject({ ok: true, text: "back" });
  });

  it("tools stay listed while it reconnects (property 10)", async (context) => {
    const { expect } = context;
    const { board, spoil } = await connected(context, watchfulTimes);
    const listed = async () => (await board.ask("tools", {})) as { tools: readonly { name: string; state: string }[] };
    const before = (await listed()).tools.map(({ name }) => name);
    await spoil("refuse");
    await board.becomes("up", "reconnecting");
    const { tools } = await listed();
    expect(tools.map(({ name }) => name)).toEqual(before);
    expect(new Set(tools.map(({ state }) => state))).toEqual(new Set(["reconnecting"]));
  });

  it("removed with a call under way that outlived a failure: nothing of it is left", async (context) => {
    const { expect } = context;
    const { peer, board, spoil } = await connected(context);
    const hanging = board.call("up__hang");
    await expect.poll(() => peer.state.hanging).toBe(1);
    await spoil("overloaded");
    expect(await board.call("up__echo")).toMatchObject({ ok: false, error: { data: { reason: "bad_status" } } });
    expect(await board.ask("remove", { name: "up" })).toBe(true);
    expect(await hanging).toMatchObject({ ok: false, error: { reason: "connection_removed", data: { sent: true } } });
  });

  it("killed with calls under way: they fail at once, the status is true, and it is back by itself (property 2)", async (context) => {
    const { expect } = context;
    const { peer, proxy, board } = await connected(context);
    const calls = Array.from({ length: 10 }, () => board.call("up__hang"));
    await expect.poll(() => peer.state.hanging).toBe(10);
    const killed = performance.now();
    await proxy.stop();
    for (const each of await Promise.all(calls)) {
      expect(each).toMatchObject({ ok: false, error: { data: { sent: true }, retryable: false } });
      // At once: a missed ping would be noticed after two minutes.
      expect(each.at - killed).toBeLessThan(60_000);
    }
    expect((await board.status("up")).state).toBe("reconnecting");
    await proxy.start();
    await board.becomes("up", "connected");
  });
});
