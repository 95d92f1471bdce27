/** Kernels and a NATS server: what is called at the one runs at another, and what is lost on the way is said. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, headers, type Msg, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Kernel, openKernel } from "../../boot/kernel.ts";
import type { Reply } from "../../call/call.ts";
import { hasNats, type NatsServer, startNats } from "../../testing/nats-server.ts";
import service from "../../testing/networked.fixture.ts";

const secret = "a secret of this test alone";
const lines: string[] = [];

interface OpenOptions {
  readonly isWorker?: boolean;
  readonly secret?: string;
}

const open = (nats: object, { isWorker = false, secret: given = secret }: OpenOptions = {}): Promise<Kernel> =>
  openKernel({
    services: [service],
    flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-over-nats-")), nats },
    log: (_, message) => void lines.push(message),
    env: { FAIRLEAD_NATS_SECRET: given },
    isWorker,
  });

const folder = (kernel: Kernel): string => join(kernel.config.stateDir ?? "", "networked");

const call = (kernel: Kernel, name: string, input: object = {}, options: object = {}): Promise<Reply> =>
  kernel.connect().call(`networked.${name}`, input, options);

const value = async (kernel: Kernel, name: string, input: object = {}): Promise<Record<string, unknown>> => {
  const reply = await call(kernel, name, input);
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return reply.value as Record<string, unknown>;
};

/** Resolves with the next event of that type and name. */
const event = (kernel: Kernel, type: string, name: string): Promise<Readonly<Record<string, unknown>>> => {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, unknown>>>();
  kernel.events.onEvent((seen) => {
    if (seen.type === type && seen.data.name === name) resolve(seen.data);
  });
  return promise;
};

const who = { day: "2026-01-01T00:00:00.000Z", name: "four" };

describe.runIf(hasNats())("over NATS", () => {
  let server: NatsServer;
  let front: Kernel;
  let workers: readonly Kernel[];
  let raw: NatsConnection;
  const settings = (more: object = {}) => ({ servers: server.url, places: 2, ...more });

  beforeAll(async () => {
    server = await startNats("max_payload: 65536");
    workers = await Promise.all(
      [1, 2].map((place) => open(settings({ name: `worker-${place}`, place }), { isWorker: true })),
    );
    await Promise.all(workers.map((worker) => worker.offer()));
    front = await open(settings());
    await front.started();
    raw = await connect({ servers: server.url });
  });
  afterAll(async () => {
    await raw?.close();
    await Promise.all([front, ...(workers ?? [])].map((kernel) => kernel?.close()));
    await server?.stop();
  });

  it("runs what is stateless elsewhere for whoever calls, and what is bound to its kernel there", async () => {
    const principal = { id: "ann", access: ["read" as const], services: ["networked"] };
    const nodes = new Set<unknown>();
    while (nodes.size < 2) {
      const reply = await front.connect(principal).call("networked.who", who);
      expect(reply).toMatchObject({ ok: true, value: { caller: "ann", day: who.day, length: 4 } });
      if (reply.ok) nodes.add((reply.value as { node: string }).node);
    }
    expect([...nodes].toSorted()).toEqual(workers.map(folder).toSorted());
    expect(await value(front, "here")).toEqual({ node: folder(front) });
  });

  it("keeps a key with the worker that has its place", async () => {
    const sessions = ["a", "b", "c", "d", "e", "f"];
    const first = await Promise.all(sessions.map((session) => value(front, "add", { session })));
    expect(new Set(first.map(({ node }) => node)).size).toBe(2);
    for (const [at, session] of sessions.entries())
      expect(await value(front, "add", { session })).toEqual({ node: first[at]?.node, count: 2 });
  });

  it("carries a declared error with its data, and refuses what the caller has no right to there", async () => {
    expect(await call(front, "refuse")).toMatchObject({
      ok: false,
      error: { code: "failed_precondition", reason: "too_late", data: { since: "1970-01-01T00:00:00.000Z" } },
    });
  });

  it("refuses with words what a message cannot carry, on the way there and back", async () => {
    const tooLarge = (what: string) => ({
      ok: false,
      error: {
        code: "resource_exhausted",
        message: expect.stringMatching(`${what} has \\d+ bytes, and this NATS server`),
      },
    });
    const text = "x".repeat(1_000);
    expect(await call(front, "repeat", { text: text.repeat(100), times: 1 })).toMatchObject(
      tooLarge("the input of networked.repeat"),
    );
    expect(await call(front, "repeat", { text, times: 100 })).toMatchObject(tooLarge("the answer"));
    expect(await call(front, "repeat", { text, times: 2 })).toMatchObject({ ok: true });
  });

  it("ends the handler of a call that is given up, and passes on how far it was", async () => {
    const [begun, ended] = [
      Promise.race(workers.map((worker) => event(worker, "waiting", "given up"))),
      Promise.race(workers.map((worker) => event(worker, "waited", "given up"))),
    ];
    const abort = new AbortController();
    const heard = Promise.withResolvers<unknown>();
    const options = { signal: abort.signal, onProgress: heard.resolve };
    const given = call(front, "wait", { name: "given up" }, options);
    await begun;
    expect(await heard.promise).toEqual({ progress: 1, message: "begun" });
    abort.abort();
    expect(await given).toMatchObject({ ok: false, error: { code: "canceled" } });
    await ended;
  });

  it("streams, is not far ahead of its reader, and goes on after an event", async () => {
    let furthest = 0;
    for (const worker of workers)
      worker.events.onEvent(({ type, data }) => {
        if (type === "ticked" && data.name === "far") furthest = Math.max(furthest, Number(data.count));
      });
    const opened = await front.connect().subscribe("networked.ticks", { name: "far", to: 200 }, { lastEventId: "10" });
    if (!opened.ok) throw new Error(opened.error.message);
    let expected = 11;
    for await (const { id, value: seen } of opened.items) {
      expect([id, (seen as { count: number }).count]).toEqual([String(expected), expected]);
      expect(furthest).toBeLessThanOrEqual(expected + 32);
      expected += 1;
    }
    expect(expected).toBe(201);
  });

  it("says that nothing was sent where no worker has the place or the procedure", async () => {
    const lonely = await open(settings({ prefix: "lonely" }));
    await lonely.started();
    expect(await call(lonely, "who", who)).toMatchObject({
      ok: false,
      error: {
        code: "unavailable",
        retryable: true,
        message: expect.stringContaining("no worker on NATS offers it now"),
      },
    });
    await lonely.close();
  });

  it("refuses a second worker for a place", async () => {
    const second = await open(settings({ place: 1 }), { isWorker: true });
    await expect(second.offer()).rejects.toMatchObject({
      code: "failed_precondition",
      message: "place 1 of 2 is taken by worker-1",
    });
    await second.close();
  });

  it("runs nothing for a stranger, and believes none", async () => {
    const stranger = await open(settings(), { secret: "another secret of this test" });
    await stranger.started();
    const before = lines.length;
    const reply = await call(stranger, "who", who, { timeoutMs: 500 });
    expect(reply.ok).toBe(false);
    expect(lines.slice(before)).toContain("a reply over NATS is not signed by a peer, and was dropped");
    await stranger.close();

    const [{ subject }] = await offers();
    const unsigned = await raw.request(subject, JSON.stringify(who), { timeout: 5_000 });
    expect(unsigned.json()).toMatchObject({ code: "unauthenticated" });
    expect(unsigned.headers?.get("Nats-Service-Error-Code")).toBe("unauthenticated");
  });

  it("goes on after a reply that cannot be read", async () => {
    const answered = raw.subscribe("fairlead.call.networked.>", {
      callback: (_, { reply = "" }) => {
        const head = headers();
        head.append("Fairlead-Event-ID", "100%");
        raw.publish(reply, "{}", { headers: head });
      },
    });
    await raw.flush();
    expect(await call(front, "add", { session: "unreadable" })).toMatchObject({ ok: true, value: { count: 1 } });
    answered.unsubscribe();
    await raw.flush();
    expect(await call(front, "add", { session: "unreadable" })).toMatchObject({ ok: true, value: { count: 2 } });
  });

  it("does not believe an unsigned word that a call was not run", async () => {
    const denied = raw.subscribe("fairlead.call.networked.>", {
      callback: (_, { reply = "" }) => raw.publish(reply, "", { headers: headers(503, "No Responders") }),
    });
    await raw.flush();
    const before = workers.map((worker) => event(worker, "waiting", "denied"));
    const reply = await call(front, "wait", { name: "denied" });
    await Promise.race(before);
    denied.unsubscribe();
    await raw.flush();
    expect(reply).toMatchObject({
      ok: false,
      error: { code: "unavailable", message: expect.stringMatching(/may have run/) },
    });
  });

  it("runs a call that was recorded and is sent again once", async () => {
    const recorded = Promise.withResolvers<Msg>();
    const listener = raw.subscribe("fairlead.call.networked.>", {
      callback: (_, message) => recorded.resolve(message),
    });
    await raw.flush();
    const session = "recorded";
    expect(await value(front, "add", { session })).toMatchObject({ count: 1 });
    const { subject, data, reply = "", headers: head } = await recorded.promise;
    listener.unsubscribe();
    for (let times = 0; times < 3; times += 1)
      raw.publish(subject, data, { reply, ...(head !== undefined && { headers: head }) });
    await raw.flush();
    expect(await value(front, "add", { session })).toMatchObject({ count: 2 });
    expect(lines).toContain("a call over NATS came again, and was dropped");
  });

  const offers = async (): Promise<readonly [{ readonly subject: string }]> => {
    const info = await raw.request("$SRV.INFO.networked", "", { timeout: 5_000 });
    return (info.json() as { endpoints: [{ subject: string }] }).endpoints;
  };

  it("answers $SRV as NATS's tools ask it", async () => {
    for (const [verb, type] of [
      ["PING", "ping_response"],
      ["INFO", "info_response"],
      ["STATS", "stats_response"],
    ])
      for (const subject of [`$SRV.${verb}`, `$SRV.${verb}.networked`, `$SRV.${verb}.networked.worker-2`])
        expect((await raw.request(subject, "", { timeout: 5_000 })).json()).toMatchObject({
          type: `io.nats.micro.v1.${type}`,
          name: "networked",
          version: "1.0.0",
        });
  });
});
