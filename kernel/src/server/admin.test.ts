import { once } from "node:events";
import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Kernel, type KernelOptions, openKernel } from "../boot/kernel.ts";
import type { Addresses } from "../boot/network.ts";
import { sha256 } from "../config/tokens/token.ts";

const opened: Kernel[] = [];
afterEach(async () => {
  for (const kernel of opened.splice(0)) await kernel.close();
});

const freshFolder = (): string => mkdtempSync(join(tmpdir(), "fl-admin-"));
const tokens = [
  { name: "chief", sha256: sha256("chief"), access: ["read", "admin"] },
  { name: "guest", sha256: sha256("guest"), access: ["read", "call", "admin"], services: ["kernel"] },
];

const start = async (
  stateDir: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly kernel: Kernel; readonly at: Addresses; readonly logged: readonly string[] }> => {
  const logged: string[] = [];
  const options: KernelOptions = {
    services: [],
    config: { tokens, ...config },
    flags: { port: 0, lagMs: 60_000, stateDir },
    env: {},
    log: (_, message) => void logged.push(message),
  };
  const kernel = await openKernel(options);
  opened.push(kernel);
  return { kernel, at: await kernel.serve(), logged };
};

interface Knock {
  readonly to: { readonly socketPath: string } | { readonly port: number };
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const knock = ({ to, path, method = "GET", headers = {} }: Knock) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sending = request({ ...to, path, method, headers: { ...headers }, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sending.on("error", reject).end();
  });

describe("the admin socket", () => {
  test("is its owner's alone, answers without a token, and stops the kernel", async () => {
    const { kernel, at } = await start(freshFolder());
    const socketPath = at.admin.socket ?? "";
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const to = { socketPath };
    expect(await knock({ to, path: "/livez" })).toEqual({ status: 200, text: '{"live":true}' });
    expect((await knock({ to, path: "/readyz" })).text).toContain('"id":"kernel"');
    expect((await knock({ to, path: "/metrics" })).text).toContain("process_resident_memory_bytes");
    expect((await knock({ to, path: "/api/kernel/services" })).status).toBe(404);
    expect((await knock({ to, path: "/shutdown" })).status).toBe(405);
    expect((await knock({ to: { port: at.port }, path: "/livez" })).status).toBe(401);
    expect(await knock({ to, path: "/shutdown", method: "POST" })).toEqual({ status: 202, text: '{"stopping":true}' });
    await kernel.stopRequested;
    expect((await knock({ to, path: "/readyz" })).status).toBe(503);
  });

  test("shows how many requests were refused, and why", async () => {
    const { at } = await start(freshFolder(), {
      tokens: [{ ...tokens[0], name: "slow", sha256: sha256("slow"), perSecond: 0.01, concurrent: 1 }],
    });
    const [to, slow] = [{ port: at.port }, { authorization: "Bearer slow" }];
    for (const headers of [slow, slow, slow, {}, { host: "evil.example" }])
      await knock({ to, path: "/livez", headers });
    const malformed = connect(at.port, "127.0.0.1").end("no HTTP\r\n\r\n").resume();
    await once(malformed, "close");
    const { text } = await knock({ to: { socketPath: at.admin.socket ?? "" }, path: "/metrics" });
    expect(text.split("\n").filter((line) => line.startsWith("fairlead_requests_refused_total"))).toEqual([
      'fairlead_requests_refused_total{reason="rate"} 2',
      'fairlead_requests_refused_total{reason="unauthenticated"} 1',
      'fairlead_requests_refused_total{reason="permission_denied"} 1',
      'fairlead_requests_refused_total{reason="malformed"} 1',
    ]);
  });

  test("is taken over from a kernel that died, and left to one that lives", async () => {
    const folder = freshFolder();
    const first = await start(folder);
    const second = await start(folder);
    expect(second.at.admin.socket).toBeUndefined();
    expect(second.logged).toContain("no admin socket: another kernel has it");
    expect((await knock({ to: { socketPath: first.at.admin.socket ?? "" }, path: "/livez" })).status).toBe(200);
    await first.kernel.close();
    writeFileSync(first.at.admin.socket ?? "", "");
    const third = await start(folder);
    expect((await knock({ to: { socketPath: third.at.admin.socket ?? "" }, path: "/livez" })).status).toBe(200);
  });

  test("is done without where its path would be too long", async () => {
    const { at, logged } = await start(join(freshFolder(), "x".repeat(100)));
    expect(at.admin).toEqual({});
    expect(logged).toContain("no admin socket: its path is too long");
  });
});

describe("the admin port", () => {
  test("answers probes without a token, and shows and does no more than a token allows", async () => {
    const { kernel, at } = await start(freshFolder(), { admin: { port: 0 } });
    const to = { port: at.admin.port ?? 0 };
    const [chief, guest] = ["chief", "guest"].map((name) => ({ authorization: `Bearer ${name}` }));
    expect((await knock({ to, path: "/livez" })).status).toBe(200);
    expect(await knock({ to, path: "/readyz" })).toEqual({ status: 200, text: '{"ready":true,"services":[]}' });
    expect((await knock({ to, path: "/metrics" })).text).not.toMatch(/kernel\.|process_/);
    expect((await knock({ to, path: "/metrics", headers: { ...chief } })).text).toContain("process_");
    expect((await knock({ to, path: "/livez", headers: { host: "evil.example" } })).status).toBe(403);
    const stop = { to, path: "/shutdown", method: "POST" };
    expect((await knock(stop)).status).toBe(403);
    expect((await knock({ ...stop, headers: { ...guest } })).status).toBe(403);
    expect((await knock({ ...stop, headers: { ...chief, origin: "http://evil.example" } })).status).toBe(403);
    expect((await knock({ ...stop, headers: { ...chief } })).status).toBe(202);
    await kernel.stopRequested;
  });

  test("stops nothing without a token where there are none; the owner's socket does", async () => {
    const { kernel, at } = await start(freshFolder(), { admin: { port: 0 }, tokens: [] });
    const stop = { path: "/shutdown", method: "POST" };
    const refused = await knock({ ...stop, to: { port: at.admin.port ?? 0 } });
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining("use the admin socket") });
    const headers = { authorization: "Bearer chief" };
    expect((await knock({ ...stop, to: { port: at.admin.port ?? 0 }, headers })).status).toBe(403);
    expect((await knock({ ...stop, to: { socketPath: at.admin.socket ?? "" } })).status).toBe(202);
    await kernel.stopRequested;
  });

  test("answers while every place of the main port is taken", async () => {
    const { at } = await start(freshFolder(), { admin: { port: 0 } });
    const held: Socket[] = [];
    for (let index = 0; index < 2_100; index += 1) {
      const socket = connect(at.port, "127.0.0.1").on("error", () => undefined);
      socket.write("GET / HTTP/1.1\r\n");
      held.push(socket);
    }
    for (const to of [{ port: at.admin.port ?? 0 }, { socketPath: at.admin.socket ?? "" }]) {
      expect((await knock({ to, path: "/livez" })).status).toBe(200);
    }
    for (const socket of held) socket.destroy();
  });
});
