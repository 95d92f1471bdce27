/** Kernels that share a PostgreSQL: each key has one of them as its owner, and what is lost on the way is said. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Kernel, openKernel } from "../../boot/kernel.ts";
import type { Reply } from "../../call/call.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import service from "../../testing/sessions.fixture.ts";

const secret = "a secret of this test alone";
const lines: string[] = [];

interface OpenOptions {
  readonly secret?: string;
  readonly schema?: string;
  readonly stays?: boolean;
}

describe.runIf(hasPostgres())("in a cluster", () => {
  let server: PostgresServer;
  let nodes: readonly Kernel[];

  const open = async (
    name: string,
    { secret: given = secret, schema = "fairlead", stays = true }: OpenOptions = {},
  ): Promise<Kernel> => {
    const kernel = await openKernel({
      services: [service],
      flags: {
        stateDir: mkdtempSync(join(tmpdir(), "fairlead-cluster-")),
        cluster: { listen: "127.0.0.1:0", name, expiryMs: 6_000 },
        store: { postgres: { ...server.settings, schema } },
      },
      log: (_, message) => void lines.push(message),
      env: { FAIRLEAD_CLUSTER_SECRET: given },
      stays,
    });
    await kernel.started();
    return kernel;
  };

  const folder = (kernel: Kernel | undefined): string => join(kernel?.config.stateDir ?? "", "tally");

  const call = (kernel: Kernel | undefined, name: string, input: object = {}, options: object = {}): Promise<Reply> => {
    if (kernel === undefined) throw new Error("there is no such node");
    return kernel.connect().call(`tally.${name}`, input, options);
  };

  const value = async (
    kernel: Kernel | undefined,
    name: string,
    input: object = {},
  ): Promise<Record<string, unknown>> => {
    const reply = await call(kernel, name, input);
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.value as Record<string, unknown>;
  };

  /** A session that this one of the nodes owns, and a name that none has had. */
  let named = 0;
  const sessionAt = async (owner: Kernel | undefined, asked: Kernel | undefined = owner): Promise<string> => {
    for (;;) {
      const session = `session ${named++}`;
      if ((await value(asked, "add", { session })).node === folder(owner)) return session;
    }
  };

  const event = (kernel: Kernel | undefined, type: string, name: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    kernel?.events.onEvent((seen) => {
      if (seen.type === type && seen.data.name === name) resolve();
    });
    return promise;
  };

  /** Each of these nodes has keys. */
  const settled = async (kernels: readonly Kernel[]): Promise<void> => {
    const seen = new Set<unknown>();
    for (let at = 0; seen.size < kernels.length; at += 1)
      seen.add((await value(kernels[0], "add", { session: `settled ${at}` })).node);
  };

  beforeAll(async () => {
    server = await startPostgres(["-c", "fsync=off"]);
    nodes = await Promise.all(["one", "two"].map((name) => open(name)));
    await settled(nodes);
  });
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((kernel) => kernel.close()));
    await server?.stop();
  });

  it("runs a key at one node, whichever is asked", async () => {
    const sessions = Array.from({ length: 16 }, (_, at) => `shared ${at}`);
    for (const session of sessions) {
      const seen = [];
      for (const kernel of [...nodes, ...nodes]) seen.push(await value(kernel, "add", { session }));
      expect(seen.map(({ count }) => count)).toEqual([1, 2, 3, 4]);
      expect(new Set(seen.map(({ node }) => node)).size).toBe(1);
    }
    expect(await value(nodes[0], "here")).toEqual({ node: folder(nodes[0]) });
  });

  it("calls there for the caller that called here, with what the contract makes of values and errors", async () => {
    const session = await sessionAt(nodes[1], nodes[0]);
    const principal = { id: "ann", access: ["read" as const], services: ["tally"] };
    const day = "2026-01-01T00:00:00.000Z";
    expect(await nodes[0]?.connect(principal).call("tally.at", { session, day })).toEqual({
      ok: true,
      value: { node: folder(nodes[1]), caller: "ann", day },
    });
    expect(await nodes[0]?.connect(principal).call("tally.add", { session })).toMatchObject({
      ok: false,
      error: { code: "permission_denied" },
    });
    expect(await call(nodes[0], "refuse", { session })).toMatchObject({
      ok: false,
      error: { code: "failed_precondition", reason: "too_late", data: { since: "1970-01-01T00:00:00.000Z" } },
    });
  });

  it("runs a call with an idempotency key once, whichever node is asked again", async () => {
    const session = await sessionAt(nodes[1], nodes[0]);
    for (const kernel of [nodes[0], nodes[1], nodes[0]])
      expect(await call(kernel, "add", { session }, { idempotencyKey: "once" })).toMatchObject({
        ok: true,
        value: { count: 2 },
      });
  });

  it("ends the handler there of a call that is given up here, and passes on how far it was", async () => {
    const session = await sessionAt(nodes[1], nodes[0]);
    const [begun, ended] = [event(nodes[1], "waiting", session), event(nodes[1], "waited", session)];
    const abort = new AbortController();
    const heard = Promise.withResolvers<unknown>();
    const given = call(nodes[0], "wait", { session }, { signal: abort.signal, onProgress: heard.resolve });
    await begun;
    expect(await heard.promise).toEqual({ progress: 1, message: "begun" });
    abort.abort();
    expect(await given).toMatchObject({ ok: false, error: { code: "canceled" } });
    await ended;
  });

  it("streams from there, after an event, until its reader leaves", async () => {
    const session = await sessionAt(nodes[1], nodes[0]);
    const opened = await nodes[0]?.connect().subscribe("tally.ticks", { session, to: 300 }, { lastEventId: "10" });
    if (opened?.ok !== true) throw new Error("it was not opened");
    let expected = 11;
    for await (const { id, value: seen } of opened.items) {
      expect([id, seen]).toEqual([String(expected), { count: expected, node: folder(nodes[1]) }]);
      expected += 1;
      if (expected > 300) break;
    }
  });

  it("lets no node in that has another secret", async () => {
    const stranger = await open("stranger", { secret: "another secret of this test" });
    const reply = await call(stranger, "add", { session: "any" }, { timeoutMs: 300 });
    expect(reply.ok).toBe(false);
    expect(lines).toContain("this node cannot renew what it owns in the cluster");
    await stranger.close();
    expect(await value(nodes[0], "add", { session: "any" })).toMatchObject({ count: 1 });
  });

  it("refuses keyed calls in a kernel that is not a node", async () => {
    const single = await open("single", { stays: false });
    expect(await call(single, "add", { session: "any" })).toMatchObject({
      ok: false,
      error: { code: "failed_precondition", message: expect.stringContaining("is not a node") },
    });
    expect(await value(single, "here")).toEqual({ node: folder(single) });
    await single.close();
  });
});
