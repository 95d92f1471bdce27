/** A caller that is let in no longer, on every wire that keeps something open for it. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { sha256, type Token } from "../config/tokens/token.ts";
import { envelope, modern } from "../testing/mcp-fake-client.ts";
import { eventually, type Fixture, post, raw, send, startFixture } from "../testing/wire-fixture.ts";
import { bearer } from "./bearer.ts";
import { Revocations } from "./revocations.ts";

const token = (name: string, secret: string): Token => ({
  name,
  sha256: sha256(secret),
  access: ["read", "call"],
  perSecond: 1_000,
  concurrent: 20,
});
const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
const both = { accept: "application/json, text/event-stream" };

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

/** A kernel whose tokens change while it runs. */
const start = async (tokens: readonly Token[]) => {
  const at = { tokens, now: 0 };
  fixture = await startFixture({
    rules: {
      authenticate: bearer(
        () => at.tokens,
        () => at.now,
      ),
    },
  });
  const { port, seen } = fixture;
  const headersOf = (headers: Readonly<Record<string, string>>): string =>
    Object.entries({ host: `127.0.0.1:${port}`, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    raw(port, `GET ${path} HTTP/1.1\r\n${headersOf(headers)}\r\n`);
  const initialize = async (secret: string): Promise<string> => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const answer = await post(port, "/mcp", body, { ...as(secret), ...both });
    return String(answer.headers["mcp-session-id"]);
  };
  /** The status of a ping in that session. */
  const ping = async (session: string, secret: string): Promise<number> => {
    const headers = { ...as(secret), ...both, "mcp-session-id": session };
    return (await post(port, "/mcp", '{"jsonrpc":"2.0","id":2,"method":"ping"}', headers)).status;
  };
  return { at, port, seen, get, initialize, ping, headersOf };
};

describe("a revoked caller", () => {
  test.each([
    ["an SSE subscription over HTTP", "/api/wire/endless"],
    ["one over tRPC", "/trpc/wire.endless?input=%7B%7D"],
  ])("loses %s, and its handler is interrupted", async (_, path) => {
    const { at, get, seen } = await start([token("a", "one"), token("b", "two")]);
    const lost = get(path, as("one"));
    const kept = get(path, as("two"));
    await lost.until((text) => text.includes("data: 1"));
    await kept.until((text) => text.includes("data: 1"));
    at.tokens = [token("b", "two")];
    await lost.ended;
    await eventually(() => seen.interruptions === 1);
    expect(kept.socket.destroyed).toBe(false);
    kept.socket.destroy();
  });

  test("loses its MCP session with the stream that is open in it; another caller keeps its own", async () => {
    const { at, get, initialize, ping } = await start([token("a", "one"), token("b", "two")]);
    const [lost, kept] = [await initialize("one"), await initialize("two")];
    const stream = get("/mcp", { ...as("one"), accept: "text/event-stream", "mcp-session-id": lost });
    await stream.until((text) => text.includes("\r\n\r\n"));
    at.tokens = [token("b", "two")];
    await stream.ended;
    expect(await ping(kept, "two")).toBe(200);
    // The name is given out again: what the caller before it had open is not there any more.
    at.tokens = [token("a", "three"), token("b", "two")];
    await expect.poll(() => ping(lost, "three")).toBe(404);
  });

  test("loses what it listens to in the stateless era", async () => {
    const { at, port, headersOf } = await start([token("a", "one")]);
    const params = { notifications: { toolsListChanged: true }, _meta: envelope };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
    const headers = headersOf({
      ...as("one"),
      ...both,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "mcp-protocol-version": modern,
      "mcp-method": "subscriptions/listen",
    });
    const stream = raw(port, `POST /mcp HTTP/1.1\r\n${headers}\r\n${body}`);
    expect(await stream.until((text) => text.includes("\r\n\r\n"))).toMatch(/^HTTP\/1.1 200 /);
    at.tokens = [];
    await stream.ended;
  });
});

describe("a caller whose token is replaced", () => {
  test("keeps its session when it goes on with the new one", async () => {
    const old = { ...token("a", "one"), expires: "1970-01-01T00:00:01Z" };
    const { at, get, initialize, ping } = await start([old, token("a", "two")]);
    const [moved, left] = [await initialize("one"), await initialize("one")];
    const stream = get("/mcp", { ...as("one"), accept: "text/event-stream", "mcp-session-id": left });
    await stream.until((text) => text.includes("\r\n\r\n"));
    expect(await ping(moved, "two")).toBe(200);
    at.now = 1_000;
    await stream.ended;
    await expect.poll(() => ping(left, "two")).toBe(404);
    expect(await ping(moved, "two")).toBe(200);
  });
});

test("who was let in without a token loses its streams when there are tokens", async () => {
  const { at, get, port } = await start([]);
  const stream = get("/api/wire/endless", {});
  await stream.until((text) => text.includes("data: 1"));
  at.tokens = [token("a", "one")];
  await stream.ended;
  expect((await send(port, { path: "/version" })).status).toBe(401);
});

describe("a caller who is not known any more", () => {
  /** Looks one after the other; `ended` once the caller is let in no longer. */
  const watch = (identify: () => Promise<undefined | typeof unavailable> | undefined) => {
    vi.useFakeTimers();
    const state = { isKnown: false, isEnded: false };
    const revocations = new Revocations(() => (state.isKnown ? localPrincipal : undefined), { identify });
    const leave = revocations.watch("Bearer t", () => {
      state.isEnded = true;
    });
    return { state, leave };
  };
  const unavailable = { code: "unavailable" as const, message: "down", hint: "later", retryable: true };
  afterEach(() => vi.useRealTimers());

  test("is found out about again, and keeps what is open", async () => {
    const { state, leave } = watch(() =>
      Promise.resolve(undefined).then(() => {
        state.isKnown = true;
        return undefined;
      }),
    );
    await vi.advanceTimersByTimeAsync(30_000);
    expect(state).toEqual({ isKnown: true, isEnded: false });
    leave();
  });

  test("loses it where the token is refused", async () => {
    const { state } = watch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(state.isEnded).toBe(true);
  });

  test("loses it where that cannot be found out for long", async () => {
    const { state } = watch(() => Promise.resolve(unavailable));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(state.isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(state.isEnded).toBe(true);
  });
});
