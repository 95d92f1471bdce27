/** What an error, and a reply made of errors, may have on each wire, whatever was sent. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, initialize, rpc, send as sendMcp } from "../testing/mcp-fake-client.ts";
import { type Fixture, post, send, startFixture } from "../testing/wire-fixture.ts";

const mostError = 4_096;
const mostReply = 65_536;
const batch = 20;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

const times = <T>(make: (at: number) => T): readonly T[] => Array.from({ length: batch }, (_, at) => make(at));
/** Gives as many and as long issues as there can be. */
const worst = {
  items: [],
  ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${"é".repeat(300)}${at}`, 1])),
};
const cases = [
  ["the longest issues", "strict", worst],
  ["a message without end", "loud", {}],
  ["a refused text", "list", `{"${'\\"'.repeat(5_000)}":1,"${'\\"'.repeat(5_000)}":2}`],
] as const;
const textOf = (input: unknown): string => (typeof input === "string" ? input : JSON.stringify(input));
const bytes = (text: string): number => Buffer.byteLength(text);

describe.each(cases)("%s", (_, name, input) => {
  test("HTTP", async () => {
    const answer = await post(fixture.port, `/api/wire/${name}`, textOf(input));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(bytes(answer.text)).toBeLessThanOrEqual(mostError);
    const events = await post(fixture.port, `/api/wire/${name}`, textOf(input), { accept: "text/event-stream" });
    expect(bytes(events.text)).toBeLessThanOrEqual(mostError);
  });

  test("tRPC", async () => {
    const answer = await post(fixture.port, `/trpc/wire.${name}`, textOf(input));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(bytes(answer.text)).toBeLessThanOrEqual(mostError);
  });

  test.each(["application/json", "application/jsonl"])("a batch of tRPC, as %s", async (accept) => {
    const path = `/trpc/${times(() => `wire.${name}`).join(",")}?batch=1`;
    const body = `{${times((at) => `"${at}":${textOf(input)}`).join(",")}}`;
    const answer = await post(fixture.port, path, body, { "trpc-accept": accept });
    expect(bytes(answer.text)).toBeLessThanOrEqual(mostReply);
  });

  test("MCP", async () => {
    const params = `"name":"${name}","arguments":${textOf(input)}`;
    const answer = await (await call(fixture.url, name, typeof input === "string" ? {} : input)).text();
    expect(bytes(answer)).toBeLessThanOrEqual(mostError);
    const { headers } = await initialize(fixture.url, "2025-03-26");
    const one = `{"jsonrpc":"2.0","id":"${"i".repeat(256)}","method":"tools/call","params":{${params}}}`;
    const alone = await (await sendMcp(fixture.url, one, { headers })).text();
    expect(bytes(alone)).toBeLessThanOrEqual(mostError);
  });

  test("a batch of MCP", async () => {
    const { headers } = await initialize(fixture.url, "2025-03-26");
    const params = `{"name":"${name}","arguments":${textOf(input)}}`;
    const id = (at: number): string => `${at}`.padEnd(256, "i");
    const all = times((at) => `{"jsonrpc":"2.0","id":"${id(at)}","method":"tools/call","params":${params}}`);
    const answer = await (await sendMcp(fixture.url, `[${all.join(",")}]`, { headers })).text();
    expect(bytes(answer)).toBeLessThanOrEqual(mostReply);
    if (typeof input !== "string") expect(answer.split('"isError":true')).toHaveLength(batch + 1);
  });
});

describe("names of procedures that there are none of", () => {
  const odd = '"'.repeat(340);

  test("tRPC", async () => {
    const one = await send(fixture.port, { path: `/trpc/${odd}` });
    expect(one.json).toMatchObject({ error: { data: { error: { code: "not_found" } } } });
    expect(bytes(one.text)).toBeLessThanOrEqual(1_000);
    const many = await send(fixture.port, { path: `/trpc/${times(() => odd).join(",")}?batch=1` });
    expect(bytes(many.text)).toBeLessThanOrEqual(batch * 1_000);
  });

  test("one in a batch gets the answer that it would get alone", async () => {
    const { port } = fixture;
    const alone = await send(port, { path: "/trpc/wire.summ" });
    const [among] = (await send(port, { path: "/trpc/wire.summ,wire.off?batch=1" })).json as readonly unknown[];
    expect(alone.text).toContain("wire.sum?");
    expect(among).toEqual(alone.json);
  });

  test("MCP", async () => {
    const { headers } = await initialize(fixture.url, "2025-03-26");
    const all = times((at) => rpc("tools/call", { name: odd }, `${at}`));
    expect(bytes(await (await sendMcp(fixture.url, all, { headers })).text())).toBeLessThanOrEqual(batch * 1_000);
  });
});

test("the SDK's own refusals in a batch stay short, too", async () => {
  const { headers } = await initialize(fixture.url, "2025-03-26");
  const all = times((at) => rpc("tools/call", { name: { [`${"\u0001".repeat(900)}${at}`]: "é" }, arguments: 1 }, at));
  const answer = await (await sendMcp(fixture.url, all, { headers })).text();
  expect(bytes(answer)).toBeLessThanOrEqual(mostReply);
  const method = await sendMcp(fixture.url, rpc("\u0001".repeat(50_000)), { headers });
  expect(bytes(await method.text())).toBeLessThanOrEqual(mostError);
});
