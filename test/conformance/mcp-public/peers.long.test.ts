/**
 * Foreign clients against the real transport: the v1 and v2 SDKs in every way they negotiate, over HTTP and stdio. They check what
 * they receive against the tools' output schemas, errors included.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
// @boundaries-ignore the test looks inside the kernel
import { start, stopAll } from "../../../kernel/src/testing/mcp-fake-server.ts";
import { type Peer, type Place, peers } from "./peers.ts";

/** Waits for a probe to say what is expected, with patience for a busy machine. */
const eventually = <T>(probe: () => T) => expect.poll(probe);

const connected: Peer[] = [];

afterEach(async () => {
  await Promise.all(connected.splice(0).map((peer) => peer.close()));
  await stopAll();
});

const join = async (name: string, place: Place, onToolsChanged?: () => void): Promise<Peer> => {
  const connect = peers[name];
  if (connect === undefined) throw new Error(`no peer ${name}`);
  const peer = await connect(place, onToolsChanged);
  connected.push(peer);
  return peer;
};

const basics = async (peer: Peer): Promise<void> => {
  expect((await peer.tools()).slice(0, 6)).toEqual(["add", "text", "echo", "fail", "slow", "steps"]);
  expect(await peer.call("add", { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
  expect(await peer.call("text", { name: "Aria" })).toMatchObject({
    structuredContent: { value: "hello Aria" },
    content: [{ type: "text", text: "hello Aria" }],
  });
  const failed = await peer.call("fail", {});
  expect(failed).toMatchObject({ isError: true, _meta: { "fairlead/error": { code: "invalid_argument" } } });
  expect(failed.structuredContent).toBeUndefined();
  // Both SDKs drop a report that reaches them in one piece with the result; what the server sends is tested on the wire.
  const reports = async (): Promise<string> => {
    const seen: number[] = [];
    await peer.call("steps", {}, { onprogress: ({ progress }) => seen.push(progress) });
    return seen.join();
  };
  await eventually(reports).toMatch(/^1(,2(,3)?)?$/);
  await expect(peer.call("ad", {})).rejects.toThrow("did you mean add?");
};

describe.each(Object.keys(peers))("%s", (name) => {
  test("over HTTP", async () => {
    const { server } = await start();
    await basics(await join(name, { kind: "http", url: `${server.url}/mcp` }));
    const one = await join(name, { kind: "http", url: `${server.url}/mcp/other` });
    expect(await one.tools()).toEqual(["ping"]);
  });

  test("over stdio", async () => {
    const peer = await join(name, { kind: "stdio" });
    await basics(peer);
    expect(await peer.call("noisy", {})).toMatchObject({ structuredContent: { done: true } });
    const giveUp = new AbortController();
    const pending = peer.call("slow", {}, { signal: giveUp.signal });
    setImmediate(() => giveUp.abort());
    await expect(pending).rejects.toThrow();
    const cancelled = async () => (await peer.call("cancelled", {})).structuredContent;
    await eventually(cancelled).toEqual({ cancelled: 1 });
  });

  test("cancels over HTTP", async () => {
    const { server, calls } = await start();
    const peer = await join(name, { kind: "http", url: `${server.url}/mcp` });
    const giveUp = new AbortController();
    const pending = peer.call("slow", {}, { signal: giveUp.signal });
    await eventually(() => calls.length).toBe(1);
    giveUp.abort();
    await expect(pending).rejects.toThrow();
    await eventually(() => calls[0]?.signal?.aborted).toBe(true);
    expect(await peer.call("add", { a: 1, b: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
  });

  test("hears of changed tools", async () => {
    const running = await start();
    let changes = 0;
    const peer = await join(name, { kind: "http", url: `${running.server.url}/mcp` }, () => {
      changes += 1;
    });
    await peer.tools();
    running.switch("demo.text", false);
    // The stream that carries the news is opened beside the connection; a client says nowhere when it is there.
    await eventually(() => {
      running.changed();
      return changes;
    }).toBeGreaterThan(0);
    expect(await peer.tools()).not.toContain("text");
  });
});

test("no client ever sees what belongs to another", async () => {
  const { server, calls } = await start();
  const names = Object.keys(peers).flatMap((name) => [name, name, name]);
  const clients = await Promise.all(
    names.map(async (name, index) => {
      const token = `token-${index}`;
      return { token, peer: await join(name, { kind: "http", url: `${server.url}/mcp`, token }) };
    }),
  );
  const answers = await Promise.all(
    clients.flatMap(({ token, peer }) =>
      Array.from({ length: 20 }, async (_, round) => {
        const text = `canary of ${token} in round ${round}`;
        const { structuredContent } = await peer.call("echo", { text });
        return { expected: { echo: text, principal: token }, structuredContent };
      }),
    ),
  );
  for (const { expected, structuredContent } of answers) expect(structuredContent).toEqual(expected);
  expect(calls).toHaveLength(clients.length * 20);
});

describe("the stdio process", () => {
  const entry = fileURLToPath(new URL("stdio-entry.ts", import.meta.url));
  const hello = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const call = (name: string, id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });

  const run = (lines: readonly unknown[], end: (child: ReturnType<typeof spawn>) => void) => {
    const child = spawn(process.execPath, ["--conditions=@fairlead/source", entry]);
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => {
      output.stdout += chunk;
      if (output.stdout.includes('"id":1')) end(child);
    });
    child.stderr.on("data", (chunk) => {
      output.stderr += chunk;
    });
    child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return new Promise<typeof output & { readonly code: number | null; readonly signal: string | null }>((resolve) => {
      child.once("close", (code, signal) => resolve({ ...output, code, signal }));
    });
  };

  test("leaves at the end of its input, with nothing but protocol on stdout", async () => {
    const { stdout, stderr, code } = await run([hello, call("noisy", 1)], (child) => child.stdin?.end());
    for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(stderr).toBe("this belongs on stderr\nand so does this\n");
    expect(code).toBe(0);
  });

  test("ends on request, even in the middle of a call", async () => {
    const { code, signal } = await run([hello, call("slow", 2), call("add", 1)], (child) => child.kill("SIGTERM"));
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });
});
