/** Fronts: processes that answer at the kernel's port. What a caller sees is what it sees of a kernel alone. */
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTokens, tokenText, writeTokenText } from "../config/tokens/token-file.ts";
import service from "../testing/placed.fixture.ts";
import { type Kernel, openKernel } from "./kernel.ts";
import type { Addresses } from "./network.ts";

const module = new URL("../testing/placed.fixture.ts", import.meta.url).href;

interface Shared {
  readonly kernel: Kernel;
  readonly addresses: Addresses;
  readonly stateDir: string;
}

const open = async (config: object = {}, env: Record<string, string> = {}): Promise<Shared> => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-fronts-"));
  const kernel = await openKernel({
    services: [{ ...service, module } as typeof service],
    config,
    env,
    flags: { stateDir, workers: 2, sharedPort: true, port: 0, lagMs: 60_000 },
    log: () => undefined,
  });
  await kernel.started();
  return { kernel, addresses: await kernel.serve(), stateDir };
};

interface Answer {
  readonly status: number;
  readonly body: { readonly pid: number; readonly code?: string; readonly detail?: string; readonly folder: string };
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
  readonly body?: string;
}

const send = ({ port }: Addresses, path: string, { headers = {}, agent, body }: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        path,
        method: body === undefined ? "GET" : "POST",
        headers: { ...type, ...headers },
        ...(agent !== undefined && { agent }),
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Answer["body"] }));
        answer.on("error", reject);
      },
    );
    sent.on("error", reject).end(body);
  });

interface Child {
  readonly id: string;
  readonly state: string;
  readonly pid: number | null;
  readonly restarts: number;
}

const childrenOf = async ({ kernel }: Shared, service: string): Promise<readonly Child[]> => {
  const reply = await kernel.connect().call("kernel.services", {});
  if (!reply.ok) throw new Error(reply.error.message);
  const { services } = reply.value as { services: { id: string; children: Child[] }[] };
  return services.find(({ id }) => id === service)?.children ?? [];
};

const frontPids = async (shared: Shared) => (await childrenOf(shared, "kernel")).map(({ pid }) => pid);

/** Connections that stay open, one each. */
const lanes = (count: number) => Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));

const untilUp = (shared: Shared) =>
  expect
    .poll(async () => (await childrenOf(shared, "kernel")).map(({ state }) => state), { timeout: 60_000 })
    .toEqual(["Ready", "Ready"]);

describe("without tokens", () => {
  let shared: Shared;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(async () => {
    await shared.kernel.close();
    rmSync(shared.stateDir, { recursive: true, force: true });
  });

  it("answers what may run anywhere in as many processes, each with the same number of connections", async () => {
    const pids = await frontPids(shared);
    const found = new Map<number, number>();
    const agents = lanes(8);
    for (const agent of agents) {
      const { status, body } = await send(shared.addresses, "/api/placed/anywhere", { agent });
      expect(status).toBe(200);
      expect(body.folder).toContain(join(shared.stateDir, "fronts"));
      found.set(body.pid, (found.get(body.pid) ?? 0) + 1);
    }
    for (const agent of agents) agent.destroy();
    expect([...found].toSorted()).toEqual(pids.map((pid) => [pid, 4]).toSorted());
  });

  it("answers the rest in the kernel, and keyed calls where their key is", async () => {
    const workers = (await childrenOf(shared, "placed")).map(({ pid }) => pid);
    expect((await send(shared.addresses, "/api/placed/here")).body.pid).toBe(process.pid);
    const body = JSON.stringify({ session: "one" });
    const first = await send(shared.addresses, "/api/placed/add", {
      body,
      headers: { "idempotency-key": "once-only-0001" },
    });
    expect(workers).toContain(first.body.pid);
    expect(
      await send(shared.addresses, "/api/placed/add", { body, headers: { "idempotency-key": "once-only-0001" } }),
    ).toEqual(first);
  });

  it.each([
    ["another Host", { host: "evil.example" }, 403],
    ["another Origin", { origin: "https://evil.example" }, 403],
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a wrong timeout", { "fairlead-timeout-ms": "soon" }, 400],
    ["an override of the method", { "x-http-method-override": "DELETE" }, 400],
    ["headers that are too large", { "x-much": "x".repeat(20_000) }, 431],
  ])("refuses %s on both sides of the border", async (_, headers, status) => {
    for (const path of ["/api/placed/anywhere", "/api/placed/here"])
      expect(await send(shared.addresses, path, { headers })).toMatchObject({ status });
  });

  it("refuses a body that is too large on both sides of the border", async () => {
    const body = JSON.stringify({ ms: 0, more: "x".repeat(2_000_000) });
    for (const path of ["/api/placed/compute", "/api/placed/add"])
      expect(await send(shared.addresses, path, { body }).catch(() => ({ status: 413 }))).toMatchObject({
        status: 413,
      });
  });

  it("joins WebSockets to the kernel", async () => {
    const socket = new WebSocket(shared.addresses.trpc.replace("http:", "ws:"));
    const opened = Promise.withResolvers<void>();
    socket.addEventListener("open", () => opened.resolve());
    socket.addEventListener("error", () => opened.reject(new Error("it was refused")));
    await opened.promise;
    const answered = Promise.withResolvers<string>();
    socket.addEventListener("message", ({ data }) => answered.resolve(String(data)));
    socket.send(JSON.stringify({ id: 1, method: "query", params: { path: "placed.here", input: {} } }));
    expect(JSON.parse(await answered.promise)).toMatchObject({ id: 1 });
    const closed = Promise.withResolvers<void>();
    socket.addEventListener("close", () => closed.resolve());
    socket.close();
    await closed.promise;
  });

  it("counts and numbers the calls of its fronts", async () => {
    const events = shared.kernel.events;
    const seen = Promise.withResolvers<unknown>();
    const leave = events.onEvent(({ type, data }) => {
      if (type === "call" && data.procedure === "placed.compute") seen.resolve(data);
    });
    const stats = async (): Promise<number> => {
      const reply = await shared.kernel.connect().call("kernel.stats", { service: "placed" });
      if (!reply.ok) throw new Error(reply.error.message);
      const { procedures } = reply.value as { procedures: { procedure: string; calls: number }[] };
      return procedures.find(({ procedure }) => procedure === "placed.compute")?.calls ?? 0;
    };
    const before = await stats();
    await send(shared.addresses, "/api/placed/compute", { body: '{"ms":0}' });
    expect(await seen.promise).toMatchObject({ transport: "http", principal: "local", outcome: "ok" });
    leave();
    expect(await stats()).toBe(before + 1);
  });

  it("loses with a killed front what it had, and has another one in its place", async () => {
    const [one = 0, other = 0] = (await frontPids(shared)).map(Number);
    // Connections of earlier tests may still be counted: more than two, so that each front gets one.
    const agents = lanes(8);
    const found = new Map<number, Agent>();
    for (const agent of agents)
      found.set((await send(shared.addresses, "/api/placed/anywhere", { agent })).body.pid, agent);
    const [left, spared] = [found.get(one) ?? expect.fail("no lane"), found.get(other) ?? expect.fail("no lane")];
    const lost = send(shared.addresses, "/api/placed/compute", { body: '{"ms":600000}', agent: left }).then(
      () => "answered",
      () => "lost",
    );
    // Its request is on its way by the time that the other front has answered one.
    await send(shared.addresses, "/api/placed/anywhere", { agent: spared });
    process.kill(one, "SIGKILL");
    expect(await lost).toBe("lost");
    expect((await send(shared.addresses, "/api/placed/anywhere", { agent: spared })).body.pid).toBe(other);
    await expect
      .poll(async () => (await frontPids(shared)).filter((pid) => pid !== null && pid !== one).length, {
        timeout: 60_000,
      })
      .toBe(2);
    for (const agent of agents) agent.destroy();
    await untilUp(shared);
  });

  it("ends the connections that were on their way to a killed front, and has another one in its place", async () => {
    const [one = 0] = (await frontPids(shared)).map(Number);
    process.kill(one, "SIGSTOP");
    const agents = lanes(8);
    const settled = agents.map((agent) =>
      send(shared.addresses, "/api/placed/anywhere", { agent }).then(
        () => "answered",
        () => "lost",
      ),
    );
    // The other front has answered one: by then all are accepted and given.
    await Promise.any(settled);
    process.kill(one, "SIGKILL");
    expect(new Set(await Promise.all(settled))).toEqual(new Set(["answered", "lost"]));
    await expect
      .poll(async () => (await frontPids(shared)).filter((pid) => pid !== null && pid !== one).length, {
        timeout: 60_000,
      })
      .toBe(2);
    for (const agent of agents) agent.destroy();
    await untilUp(shared);
  });

  it("starts the fronts again when a service is", async () => {
    const before = await frontPids(shared);
    const reply = await shared.kernel.connect().call("kernel.restart", { service: "placed" });
    expect(reply.ok).toBe(true);
    await expect
      .poll(async () => (await frontPids(shared)).filter((pid) => pid === null || before.includes(pid)), {
        timeout: 60_000,
      })
      .toEqual([]);
    await untilUp(shared);
    expect((await send(shared.addresses, "/api/placed/anywhere")).status).toBe(200);
  });
});

it("listens alone where the path of the socket is too long, and says so", async () => {
  const base = mkdtempSync(join(tmpdir(), "fairlead-fronts-"));
  const lines: string[] = [];
  const kernel = await openKernel({
    services: [{ ...service, module } as typeof service],
    env: {},
    flags: { stateDir: join(base, "x".repeat(100)), workers: 2, sharedPort: true, port: 0, lagMs: 60_000 },
    log: (level, message) => void lines.push(`${level} ${message}`),
  });
  try {
    await kernel.started();
    expect((await send(await kernel.serve(), "/api/placed/here")).body.pid).toBe(process.pid);
    expect(lines).toContain("warn the port is not shared: the path of its socket is too long");
  } finally {
    await kernel.close();
    rmSync(base, { recursive: true, force: true });
  }
});

describe("with tokens", () => {
  const secret = "a-secret-that-is-long-enough";
  const token = { name: "someone", sha256: hash("sha256", secret), access: ["read", "call"] as const };
  const authorization = `Bearer ${secret}`;

  it("stays closed in kernel and fronts when all tokens are made and revoked with no request between", async () => {
    const shared = await open();
    const { addresses, stateDir, kernel } = shared;
    const agents = lanes(2);
    const ask = (path: string) => Promise.all(agents.map((agent) => send(addresses, path, { agent })));
    const paths = ["/api/placed/anywhere", "/api/placed/here"];
    try {
      for (const path of paths) expect((await ask(path)).map(({ status }) => status)).toEqual([200, 200]);
      const file = join(stateDir, "tokens.json");
      writeTokenText(file, tokenText([{ ...token, access: [...token.access], perSecond: 5, concurrent: 5 }]));
      writeTokenText(file, tokenText([]));
      for (const path of paths)
        await expect
          .poll(async () => (await ask(path)).map(({ status }) => status), { timeout: 60_000 })
          .toEqual([401, 401]);
    } finally {
      for (const agent of agents) agent.destroy();
      await kernel.close();
      rmSync(stateDir, { recursive: true, force: true });
    }
  });

  it("refuses who has none, holds a caller to its rate, and forgets a token that is revoked", async () => {
    const shared = await open({
      tokens: [{ ...token, name: "other", sha256: hash("sha256", "another-secret-of-somebody") }],
    });
    const { addresses, stateDir, kernel } = shared;
    try {
      const file = join(stateDir, "tokens.json");
      const anywhere = "/api/placed/anywhere";
      expect((await send(addresses, anywhere)).status).toBe(401);
      expect((await send(addresses, anywhere, { headers: { authorization } })).status).toBe(401);
      writeTokenText(file, tokenText([{ ...token, access: [...token.access], perSecond: 5, concurrent: 5 }]));
      expect(readTokens(file)).toHaveLength(1);
      // Each front reads the file by itself; a connection stays with its front.
      const agents = lanes(4);
      const ask = async (agent: Agent | undefined) =>
        (await send(addresses, anywhere, { headers: { authorization }, ...(agent !== undefined && { agent }) })).status;
      await expect.poll(() => Promise.all(agents.map(ask)), { timeout: 60_000 }).not.toContain(401);
      const began = performance.now();
      const statuses = await Promise.all(Array.from({ length: 200 }, (__, at) => ask(agents[at % 4])));
      const allowed = 5 + ((performance.now() - began) / 1_000) * 5 + 1;
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(allowed);
      // A bucket may have been empty when the first of these came.
      expect(new Set([...statuses, 200])).toEqual(new Set([200, 429]));
      for (const agent of agents) agent.destroy();
      writeTokenText(file, tokenText([{ ...token, access: [...token.access], perSecond: 10_000, concurrent: 20 }]));
      await expect
        .poll(async () => (await send(addresses, anywhere, { headers: { authorization } })).body.folder, {
          timeout: 60_000,
        })
        .toContain(join(stateDir, "fronts"));
      rmSync(file);
      await expect
        .poll(async () => (await send(addresses, anywhere, { headers: { authorization } })).status, { timeout: 60_000 })
        .toBe(401);
    } finally {
      await kernel.close();
      rmSync(stateDir, { recursive: true, force: true });
    }
  });
});
