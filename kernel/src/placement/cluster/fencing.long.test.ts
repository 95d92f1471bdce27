/** Nodes of a cluster as processes that are killed, paused and stopped: no answer is stale, and what may have run is said. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../../call/call.ts";
import { type NodeProcess, startNode } from "../../testing/cluster-nodes.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";

const module = new URL("../../testing/sessions.fixture.ts", import.meta.url).href;

describe.runIf(hasPostgres())("nodes of a cluster", () => {
  let server: PostgresServer;
  let one: NodeProcess;
  let two: NodeProcess;
  const start = (name: string): Promise<NodeProcess> =>
    startNode({ name, postgres: server.settings, service: "tally", module });
  beforeAll(async () => {
    // Nothing here is about its disk, which other tests keep busy.
    server = await startPostgres(["-c", "fsync=off"]);
    [one, two] = await Promise.all([start("one"), start("two")]);
  });
  afterAll(async () => {
    for (const node of [one, two]) {
      node?.signal("SIGCONT");
      node?.signal("SIGKILL");
      await node?.ended;
    }
    await server?.stop();
  });

  const folder = (node: NodeProcess): string => join(node.stateDir, "tally");
  const readValue = (reply: Reply): Record<string, unknown> => {
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.value as Record<string, unknown>;
  };
  const value = async (node: NodeProcess, name: string, session: string): Promise<Record<string, unknown>> =>
    readValue(await node.call(`tally.${name}`, { session }));

  let named = 0;
  /** A session that none has used, of a key that this node owns. */
  const sessionAt = async (owner: NodeProcess): Promise<string> => {
    for (;;) {
      const session = `session ${named++}`;
      if ((await value(owner, "read", session)).node === folder(owner)) return session;
    }
  };
  const isOf = (session: string) => (data: Readonly<Record<string, unknown>>) => data.name === session;
  const mayHaveRun = { ok: false, error: { code: "unavailable", message: expect.stringMatching(/may have run/) } };

  it("answers nothing stale after the owner was paused and another took over", async () => {
    const session = await sessionAt(one);
    for (const count of [1, 2, 3]) {
      expect(await value(one, "save", session)).toMatchObject({ node: folder(one), count });
      expect(await value(two, "add", session)).toMatchObject({ node: folder(one), count });
    }
    const before = await value(one, "read", session);
    const begin = async (node: NodeProcess, name: string): Promise<{ readonly reply: Promise<Reply> }> => {
      const waiting = one.seen("waiting", isOf(session));
      const reply = node.call(`tally.${name}`, { session });
      await waiting;
      return { reply };
    };
    const late = await begin(one, "late");
    const finishing = await begin(two, "finish");
    one.signal("SIGSTOP");
    // While it sleeps: calls that it has in its queue, and one that another node sends to it.
    const queued = ["add", "save", "read"].map((name) => one.call(`tally.${name}`, { session }));
    const sent = two.call("tally.add", { session });
    expect(await sent).toMatchObject(mayHaveRun);
    expect(await finishing.reply).toMatchObject(mayHaveRun);
    const after = await value(two, "save", session);
    expect(after).toMatchObject({ node: folder(two), count: 4 });
    expect(Number(after.epoch)).toBeGreaterThan(Number(before.epoch));
    expect(await value(two, "add", session)).toMatchObject({ node: folder(two), count: 1 });
    const refused = one.seen("refused", ({ name, stale }) => name === session && stale === "owner");
    one.emit("finish", "tally", { name: session });
    one.signal("SIGCONT");
    // It ran before the pause, and wants to save after it.
    await refused;
    expect(await late.reply).toMatchObject(mayHaveRun);
    const [added, saved, read] = await Promise.all(queued);
    for (const reply of [added, saved, read]) expect(readValue(reply as Reply).node).toBe(folder(two));
    expect(readValue(added as Reply)).toMatchObject({ count: 2 });
    expect(readValue(saved as Reply)).toMatchObject({ count: 5 });
    expect(await value(one, "read", session)).toMatchObject({ node: expect.anything(), count: 5 });
  }, 180_000);

  it("has another owner for the keys of a node that was killed, with all that was saved", async () => {
    const session = await sessionAt(one);
    for (const count of [1, 2]) expect(await value(two, "save", session)).toMatchObject({ node: folder(one), count });
    const waits = one.seen("waiting", isOf(session));
    const begun = two.call("tally.finish", { session });
    await waits;
    one.signal("SIGKILL");
    expect(await begun).toMatchObject(mayHaveRun);
    const killed = folder(one);
    expect(await value(two, "save", session)).toMatchObject({ node: folder(two), count: 3 });
    one = await start("again");
    await expect
      .poll(async () => (await value(two, "read", await sessionAt(one))).node, { timeout: 60_000 })
      .toBe(folder(one));
    expect(folder(one)).not.toBe(killed);
    expect(await value(one, "read", session)).toMatchObject({ count: 3 });
  }, 180_000);

  it("gives its keys to others when it is stopped, loses no call, and lets those that run end", async () => {
    const session = await sessionAt(one);
    expect(await value(two, "save", session)).toMatchObject({ node: folder(one), count: 1 });
    const waits = one.seen("waiting", isOf(session));
    const running = two.call("tally.finish", { session });
    await waits;
    let isOver = false;
    const replies: Reply[] = [];
    const lane = async (at: number): Promise<void> => {
      while (!isOver) replies.push(await two.call("tally.save", { session: `lane ${at}` }));
    };
    const lanes = Array.from({ length: 8 }, (_, at) => lane(at));
    const closed = one.close();
    one.emit("finish", "tally", { name: session });
    expect(await running).toMatchObject({ ok: true, value: { node: folder(one) } });
    await closed;
    expect(await value(two, "save", session)).toMatchObject({ node: folder(two), count: 2 });
    isOver = true;
    await Promise.all(lanes);
    expect(replies.filter(({ ok }) => !ok)).toEqual([]);
    one = await start("one");
  }, 180_000);

  it("says that nothing was sent while the store is away, and goes on after", async () => {
    const session = await sessionAt(one);
    expect(await value(two, "save", session)).toMatchObject({ count: 1 });
    server.pause();
    const lost = async () => {
      const reply = await two.call("tally.add", { session }, { timeoutMs: 500 });
      return reply.ok ? "ok" : reply.error.code;
    };
    await expect.poll(lost, { timeout: 60_000 }).not.toBe("ok");
    server.resume();
    await expect.poll(lost, { timeout: 60_000 }).toBe("ok");
    await expect.poll(async () => (await two.call("tally.save", { session })).ok, { timeout: 60_000 }).toBe(true);
    expect(await value(one, "read", session)).toMatchObject({ count: 2 });
  }, 180_000);
});
