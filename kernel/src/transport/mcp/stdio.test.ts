/** The MCP transport on two streams: eras, the end of the connection, and lines that are no messages. */
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { type Fake, fakeKernel } from "../../testing/mcp-fake.ts";
import { type StdioOptions, type StdioServer, serveStdio } from "./stdio.ts";

/** Waits for a probe to say what is expected, long enough for a busy machine. */
const eventually = <T>(probe: () => T) => expect.poll(probe);

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Connection extends Fake {
  readonly server: StdioServer;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly answers: Message[];
  send(...messages: readonly unknown[]): void;
  /** The answer to the request of that id. */
  answer(id: unknown): Promise<Message>;
}

const open: Connection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ server }) => server.close()));
});

const connect = async (options: Omit<StdioOptions, "streams"> = {}, fake = fakeKernel()): Promise<Connection> => {
  const input = new PassThrough();
  const output = new PassThrough();
  const answers: Message[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answers.push(JSON.parse(line));
  });
  const server = await serveStdio(fake.surroundings, { ...options, streams: { input, output } });
  const connection: Connection = {
    ...fake,
    server,
    input,
    output,
    answers,
    send: (...messages) => {
      for (const message of messages)
        input.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
    },
    answer: (id) =>
      eventually(() => answers.find((message) => message.id === id && message.method === undefined))
        .toBeDefined()
        .then(() => answers.find((message) => message.id === id && message.method === undefined) ?? {}),
  };
  open.push(connection);
  return connection;
};

const rpc = (method: string, params: Record<string, unknown>, id: unknown) => ({ jsonrpc: "2.0", id, method, params });
const hello = (protocolVersion: string, id: unknown = 0) =>
  rpc("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }, id);
const call = (name: string, args: unknown, id: unknown, meta = {}) =>
  rpc("tools/call", { name, arguments: args, _meta: meta }, id);
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("each connection is a client of its own, with one name for all of its calls", async () => {
  const kernel = fakeKernel();
  const [one, two] = [await connect({}, kernel), await connect({}, kernel)];
  for (const { send, answer } of [one, two]) {
    send(hello("2025-11-25"), call("add", { a: 1, b: 2 }, 1), call("text", { name: "Aria" }, 2));
    await Promise.all([answer(1), answer(2)]);
  }
  const [first, second, ...others] = kernel.calls.map(({ client }) => client);
  expect(others).toHaveLength(2);
  expect(first).toBeDefined();
  expect(second).toBe(first);
  expect(others[0]).toBe(others[1]);
  expect(others[0]).not.toBe(first);
});

describe("eras", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("%s", async (revision) => {
    const { send, answer } = await connect();
    send(hello(revision), { jsonrpc: "2.0", method: "notifications/initialized" }, rpc("tools/list", {}, 1));
    send(call("add", { a: 1, b: 2 }, 2));
    expect((await answer(0)).result).toMatchObject({ protocolVersion: revision });
    expect((await answer(1)).result?.tools).toHaveLength(8);
    expect((await answer(2)).result).toMatchObject({ structuredContent: { sum: 3 } });
  });

  test("2026-07-28", async () => {
    const { send, answer } = await connect();
    send(rpc("server/discover", { _meta: envelope }, 1), rpc("tools/list", { _meta: envelope }, 2));
    send(call("text", { name: "Aria" }, 3, envelope));
    expect((await answer(1)).result).toMatchObject({ supportedVersions: ["2026-07-28"] });
    expect((await answer(2)).result).toMatchObject({ cacheScope: "private" });
    expect((await answer(3)).result).toMatchObject({ structuredContent: { value: "hello Aria" } });
  });

  test("one service's tools only, and a suggestion for a mistyped service", async () => {
    const { send, answer } = await connect({ services: ["other"] });
    send(hello("2025-11-25"), rpc("tools/list", {}, 1));
    expect((await answer(1)).result?.tools).toMatchObject([{ name: "ping" }]);
    await expect(connect({ services: ["othr"] })).rejects.toMatchObject({
      code: "not_found",
      hint: "did you mean other?",
    });
  });

  test("a choice of tools as an address has it, and why there is none", async () => {
    const fake = fakeKernel();
    const { send, answer } = await connect(
      { choice: "profile=adding" },
      { ...fake, surroundings: { ...fake.surroundings, profiles: { adding: { tools: ["add"] } } } },
    );
    send(hello("2025-11-25"), rpc("tools/list", {}, 1));
    expect((await answer(1)).result?.tools).toMatchObject([{ name: "add" }]);
    await expect(connect({ choice: "profile=non" })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("there are full"),
    });
  });

  test("a change of the tools is announced in both eras", async () => {
    const session = await connect();
    session.send(hello("2025-11-25"));
    await session.answer(0);
    session.changed();
    const announced = ({ answers }: Connection) =>
      answers.filter(({ method }) => method === "notifications/tools/list_changed");
    await eventually(() => announced(session)).toHaveLength(1);
    const stateless = await connect();
    const listen = { _meta: envelope, notifications: { toolsListChanged: true } };
    stateless.send(rpc("subscriptions/listen", listen, "sub"));
    await eventually(() => stateless.answers.length).toBe(1);
    stateless.changed();
    await eventually(() => announced(stateless)).toHaveLength(1);
  });
});

describe("the end", () => {
  test("what came before the end of the input is answered, even without a last newline", async () => {
    const { send, input, answers, server } = await connect();
    send(hello("2025-11-25"), JSON.stringify(call("echo", { text: "late" }, 1)));
    input.end();
    await server.done;
    expect(answers.at(-1)?.result).toMatchObject({ structuredContent: { echo: "late" } });
  });

  test("a call that does not end is cancelled", async () => {
    const { send, input, server, calls } = await connect({ graceMs: 10 });
    send(hello("2025-11-25"), call("slow", {}, 1));
    await eventually(() => calls.length).toBe(1);
    input.end();
    await server.done;
    expect(calls[0]?.signal?.aborted).toBe(true);
  });

  test("a client that cannot be written to any more ends it", async () => {
    const { send, output, server, answer } = await connect();
    send(hello("2025-11-25"));
    await answer(0);
    output.destroy(new Error("EPIPE"));
    await server.done;
  });

  test("notifications/cancelled stops the call, and nothing waits for its answer", async () => {
    const { send, input, server, calls, answers } = await connect();
    send(hello("2025-11-25"), call("slow", {}, "s"));
    await eventually(() => calls.length).toBe(1);
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s" } });
    await eventually(() => calls[0]?.signal?.aborted).toBe(true);
    input.end();
    await server.done;
    expect(answers.map(({ id }) => id)).toEqual([0]);
  });
});

describe("lines that are no messages", () => {
  test.each([
    ["no JSON", "{nonsense\n", -32700],
    ["a member named twice", '{"jsonrpc":"2.0","method":"ping","method":"ping"}\n', -32700],
    ["too deep", `${"[".repeat(500)}${"]".repeat(500)}\n`, -32700],
    ["no JSON-RPC", '{"hello":"world"}\n', -32600],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600],
    ["an endless id", `${JSON.stringify(rpc("ping", {}, "x".repeat(300)))}\n`, -32600],
    ["too long", `"${"x".repeat(3_000_000)}"\n`, -32000],
  ])("%s: answered, and the next line is served", async (_, line, code) => {
    const { send, answer } = await connect();
    send(line, hello("2025-11-25", "next"));
    expect((await answer(null)).error?.code).toBe(code);
    expect((await answer("next")).result).toBeDefined();
  });

  test.each([
    ["a member named twice", '{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}\n'],
    ["too deep", `{"jsonrpc":"2.0","params":${"[".repeat(500)}${"]".repeat(500)},"id":7}\n`],
    ["too long", `{"id":7,"params":"${"x".repeat(3_000_000)}"}\n`],
  ])("%s: refused to the request that waits for it", async (_, line) => {
    const { send, answer } = await connect();
    send(line);
    expect((await answer(7)).error).toBeDefined();
  });

  test("broken UTF-8 is refused, blank lines and carriage returns are not", async () => {
    const { input, send, answer, answers } = await connect();
    input.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
    send("\n", "\r\n", "  \n", `${JSON.stringify(hello("2025-11-25"))}\r\n`);
    expect((await answer(null)).error?.code).toBe(-32700);
    expect((await answer(0)).result).toBeDefined();
    expect(answers).toHaveLength(2);
  });

  test("messages arrive whole however the bytes are cut", async () => {
    const text = Buffer.from(
      `${JSON.stringify(hello("2025-11-25"))}\n${JSON.stringify(call("echo", { text: "Grüße ✓" }, 1))}\n`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 40 }), async (cuts) => {
        const { input, answer, server } = await connect();
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        for (let part = 1; part < at.length; part += 1) input.write(text.subarray(at[part - 1], at[part]));
        expect((await answer(1)).result).toMatchObject({ structuredContent: { echo: "Grüße ✓" } });
        await server.close();
      }),
      { numRuns: 25 },
    );
  });

  test("no sequence of lines, however broken, stops it", async () => {
    const { send, answer, answers } = await connect();
    const key = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error", "_meta", "name", "__proto__");
    const text = fc.constantFrom(
      "2.0",
      "tools/call",
      "tools/list",
      "ping",
      "initialize",
      "notifications/cancelled",
      "add",
      "",
    );
    const tree = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.constant(null), tie("object"), fc.array(tie("value"))),
      object: fc.dictionary(key, tie("value")),
    }));
    const line = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.json(),
      tree.object.map((o) => JSON.stringify(o)),
    );
    fc.assert(
      fc.property(line, (sent) => {
        send(`${sent.replaceAll("\n", " ")}\n`);
      }),
      { numRuns: 3_000 },
    );
    send(call("add", { a: 1, b: 1 }, "last"));
    await answer("last");
    for (const message of answers) expect(JSON.stringify(message).length).toBeLessThan(16_384);
  });
});
