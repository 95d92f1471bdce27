/** Another process, for real: one that named its objects, plain programs that know nothing of us, busy ones, one that is gone. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { ToolAnswer } from "../protocol/backend.ts";
import type { ToolName } from "../protocol/message.ts";
import { RemoteProcess } from "./remote-process.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const naming = ["--conditions=@fairlead/source", fileURLToPath(new URL("../testing/child.ts", import.meta.url))];

/** Objects of every kind, armed where they can be; `fired` counts what ran. Ends with what the program does afterwards. */
const plain = (then: string): readonly string[] => [
  "--eval",
  `globalThis.fired = [];
  globalThis.switched = [];
  require("node:v8").setFlagsFromString = (flag) => void switched.push(flag);
  require("node:module").syncBuiltinESMExports();
  class Account {
    #balance = 12; name = "Ann";
    get balance() { fired.push("getter"); return this.#balance; }
    toString() { fired.push("toString"); return "x"; }
    toJSON() { fired.push("toJSON"); return {}; }
    deposit(amount) { fired.push("deposit"); }
  }
  globalThis.app = {
    entities: Array.from({ length: 5000 }, (_, id) => ({ id, name: "e" + id, level: id % 100, seen: id % 7 ? null : new Date(0) })),
    account: new Account(),
    started: 7,
    map: new Map([["k", { v: 1 }]]),
    sly: new Proxy({ v: 1 }, { get() { fired.push("trap"); }, getOwnPropertyDescriptor() { fired.push("trap"); } }),
  };
  globalThis.before = 0;
  before = Reflect.ownKeys(globalThis).length;
  process.stdout.write("ready\\n");
  ${then}`,
];
const idle = "setInterval(() => undefined, 1000);";
const busy = "setImmediate(() => { process.stdout.write('busy\\n'); for (;;) Math.sqrt(2); });";

const roots = {
  Entities: "globalThis.app.entities",
  Account: "app.account",
  Map: "app.map",
  Sly: "app.sly",
  Started: "app.started + 1",
  Fired: "fired",
  Switched: "switched",
  Keys: "[before, Reflect.ownKeys(globalThis).length]",
};

const children: ChildProcess[] = [];
const open: RemoteProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((remote) => remote.close()));
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a program with its inspector on a free port; waits until it has said `word`. */
const started = async (program: readonly string[], word = "ready"): Promise<readonly [string, ChildProcess]> => {
  const child = spawn(process.execPath, ["--inspect=127.0.0.1:0", ...program], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const address = Promise.withResolvers<string>();
  const said = Promise.withResolvers<void>();
  let text = "";
  child.stderr?.on("data", (chunk) => {
    text += String(chunk);
    const found = /ws:\/\/([\d.]+:\d+)\//.exec(text)?.[1];
    if (found !== undefined) address.resolve(found);
  });
  child.stdout?.on("data", (chunk) => {
    if (String(chunk).includes(word)) said.resolve();
  });
  await said.promise;
  return [await address.promise, child];
};

/** An address of its own for programs that come and go: no other program can take it meanwhile. */
const stableAddress = async () => {
  let target = "";
  const relay = createServer((socket) => {
    const [host = "", port] = target.split(":");
    const program = connect(Number(port), host);
    socket.on("error", () => program.destroy()).pipe(program);
    program.on("error", () => socket.destroy()).pipe(socket);
  });
  relay.unref().listen(0, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as AddressInfo;
  const leadTo = (program: string): void => {
    target = program;
  };
  return { address: `127.0.0.1:${port}`, relay, leadTo };
};

type Asked = (tool: ToolName, input: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;

const asking = (address: string, more: Partial<ConstructorParameters<typeof RemoteProcess>[0]> = {}): Asked => {
  const remote = new RemoteProcess({ address, timeoutMs: 120_000, ...more });
  open.push(remote);
  const { signal } = new AbortController();
  return (tool, input) => remote.ask(tool, { depth: 1, includePrivate: true, limit: 50, offset: 0, ...input }, signal);
};

/** Asks the process itself, past everything that is tested. */
const evaluated = async (address: string, expression: string): Promise<unknown> => {
  const [target] = (await (await fetch(`http://${address}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await once(socket, "open");
  socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression, returnByValue: true } }));
  const [{ data }] = (await once(socket, "message")) as [MessageEvent];
  socket.close();
  return (JSON.parse(String(data)) as { result: { result: { value: unknown } } }).result.result.value;
};

test("a program that comes to its end is not held by whoever asks it", async () => {
  const ends =
    "process.once('SIGUSR2', () => clearInterval(running)); const running = setInterval(() => undefined, 1000);";
  const [address, child] = await started(plain(ends));
  const ask = asking(address, { roots });
  expect(await ask("eval", { expr: "Started" })).toMatchObject({ kind: "value", value: 8 });
  const ended = once(child, "exit");
  child.kill("SIGUSR2");
  expect(await ended).toEqual([0, null]);
  expect(await ask("eval", { expr: "Started" })).toMatchObject({ kind: "gone" });
});

const query = { from: "Entities", where: "level == 7", orderBy: "id desc", take: 2, select: "new { id, name }" };
const found = {
  kind: "value",
  value: { rows: [{ id: 4907, name: "e4907" }, { id: 4807 }], matched: 50, path: "careful" },
};

test.each(
  (
    [
      ["named its objects", naming, {}],
      ["knows nothing of us", plain(idle), { roots }],
    ] as const
  ).filter((_, at) => inLongTier || at % 2 === 0),
)("a program that %s and reads V8's natives has its rows read by a generated loop", async (_, program, more) => {
  const [address] = await started(["--allow-natives-syntax", ...program]);
  expect(await asking(address, more)("query", query)).toMatchObject({
    kind: "value",
    value: { ...found.value, path: "generated" },
  });
});

describe("a program that named its objects", () => {
  test("answers by itself", async () => {
    const [address, child] = await started(naming);
    const ask = asking(address);
    expect(await ask("eval", { expr: "Player.name" })).toEqual({ kind: "value", value: "remote" });
    expect(await ask("query", query)).toMatchObject(found);
    expect(await ask("eval", { expr: 'Playr + "); process.exit(); (\u2028"' })).toMatchObject({
      kind: "problem",
      problem: { code: "unknown_name", position: 0 },
    });
    expect(await ask("explore", { target: "", limit: 5 })).toMatchObject({
      value: { members: [{ name: "Entities", count: 5_000 }, { name: "Player" }] },
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await ask("eval", { expr: "1 + 1" })).toMatchObject({ kind: "gone" });
  });
});

describe("a plain program", () => {
  test("is asked about the configured roots, by one function that leaves nothing behind", async () => {
    const [address] = await started(plain(idle));
    const ask = asking(address, { roots });
    expect(await ask("query", query)).toMatchObject(found);
    expect(await ask("query", { from: "Entities", groupBy: "level % 2", orderBy: "Key" })).toMatchObject({
      value: { rows: [{ Key: 0, Count: 2_500 }, { Key: 1 }] },
    });
    expect(
      await ask("query", {
        from: "Entities",
        where: 'seen?.Year == 1970 && name.EndsWith("7")',
        select: "id",
        take: 1,
      }),
    ).toMatchObject({ value: { rows: [7] } });
    expect(await ask("eval", { expr: "Started" })).toEqual({ kind: "value", value: 8 });
    expect(await ask("eval", { expr: 'Entities.OrderBy("level desc, id").First().id' })).toEqual({
      kind: "value",
      value: 99,
    });
    expect(await ask("eval", { expr: 'Map["k"].v + Entities.Count(level > 97)' })).toEqual({
      kind: "value",
      value: 101,
    });
    expect(await ask("explore", { target: "Account" })).toMatchObject({
      value: {
        type: "Account",
        members: [
          { name: "name", value: "Ann", expr: "Account.name" },
          { name: "#balance", access: "private", value: 12 },
          { name: "balance", kind: "accessor" },
        ],
        methods: [{ name: "toString" }, { name: "toJSON" }, { name: "deposit", signature: "deposit(amount)" }],
      },
    });
    expect(await ask("explore", { target: "" })).toMatchObject({
      value: { members: expect.arrayContaining([expect.objectContaining({ name: "Entities", count: 5_000 })]) },
    });
    expect(await ask("explore", { target: "instances:Account" })).toMatchObject({
      value: { count: 1, items: [{ type: "Account" }], holders: [{ count: 1 }] },
    });
    expect(await ask("explore", { target: "type:Account" })).toMatchObject({
      value: {
        type: "Account",
        members: [{ name: "name", type: "string" }, { name: "#balance", type: "number" }, { name: "balance" }],
        methods: [{ name: "toString" }, { name: "toJSON" }, { name: "deposit" }],
        hint: expect.stringContaining("learned from 1 object;"),
      },
    });
    expect(await ask("explore", { target: "search:*ccoun*" })).toMatchObject({
      value: { types: [{ type: "Account", target: "type:Account" }], count: 1 },
    });
    expect(await ask("eval", { expr: "Account" })).toEqual({ kind: "value", value: { name: "Ann" } });
    expect(await ask("eval", { expr: "Sly.v" })).toMatchObject({ problem: { code: "not_readable" } });
    expect(await ask("eval", { expr: "Fired.Count()" })).toEqual({ kind: "value", value: 0 });
    expect(await ask("eval", { expr: "Switched.Count()" })).toEqual({ kind: "value", value: 0 });
    expect(await ask("eval", { expr: "Keys[1] - Keys[0]" })).toEqual({ kind: "value", value: 0 });
    expect(await evaluated(address, "Reflect.ownKeys(globalThis).length - before")).toBe(0);
  });

  if (inLongTier) {
    test("never sees a question that is wrong, nor a caller's text as code", async () => {
      const unreachable = asking("127.0.0.1:1", { roots });
      expect(await unreachable("eval", { expr: "Entites.Count()" })).toMatchObject({
        problem: { code: "unknown_name", position: 0, hint: expect.stringContaining("Entities") },
      });
      expect(await unreachable("query", { ...query, where: "level = " })).toMatchObject({
        problem: { part: "where", code: "expected", position: 8 },
      });
      const [address, child] = await started(plain(idle));
      const ask = asking(address, { roots });
      const breakout = "\\u0022);process.exit(3);(\\u0022\\u2028`$\\x7bprocess.exit(3)}`*/process.exit(3)//";
      expect(await ask("query", { from: "Entities", where: `name == "${breakout}"` })).toMatchObject({
        value: { matched: 0 },
      });
      expect(
        await ask("query", { from: "Entities", take: 1, select: `new { id, it["${breakout}"] as y }` }),
      ).toMatchObject({
        value: { rows: [{ id: 0, y: null }] },
      });
      for (const expr of ["Entities.constructor", "Account.__proto__", "process.exit(3)", "globalThis"])
        expect((await ask("eval", { expr })).kind).toBe("problem");
      expect(child.exitCode).toBe(null);
    });
  }

  // It holds the process for six seconds.
  if (inLongTier) {
    test("a root that never ends is reported, and the next question is answered", async () => {
      const [address] = await started(plain(idle));
      const Loop = "(() => { for (;;); })()";
      const ask = asking(address, { roots: { ...roots, Loop }, timeoutMs: 60_000 });
      expect(await ask("eval", { expr: "Loop" })).toMatchObject({ problem: { code: "deadline" } });
      expect(await ask("eval", { expr: "Started" })).toEqual({ kind: "value", value: 8 });
    });
  }

  test("a root that fails is reported, and the next question is answered", async () => {
    const [address] = await started(plain(idle));
    const broken = asking(address, { roots: { ...roots, Broken: "nowhere.x" } });
    expect(await broken("eval", { expr: "Broken" })).toMatchObject({ problem: { code: "not_readable" } });
    expect(await broken("eval", { expr: "Started" })).toEqual({ kind: "value", value: 8 });
    expect(await broken("explore", { target: "" })).toMatchObject({
      value: {
        members: expect.arrayContaining([expect.objectContaining({ name: "Broken", unreadable: expect.any(String) })]),
      },
    });
  });

  test("is answered for while it is in an endless loop", async () => {
    const [address] = await started(plain(busy), "busy");
    const ask = asking(address, { roots });
    expect(await ask("query", query)).toMatchObject(found);
    expect(await ask("explore", { target: "Account" })).toMatchObject({ value: { type: "Account" } });
    expect(await ask("eval", { expr: "Fired.Count()" })).toEqual({ kind: "value", value: 0 });
  });

  if (inLongTier) {
    test("is found again when it was away", async () => {
      const { address, relay, leadTo } = await stableAddress();
      onTestFinished(() => void relay.close());
      const [first, child] = await started(plain(idle));
      leadTo(first);
      const ask = asking(address, { roots });
      const here = { kind: "value", value: 8 };
      expect(await ask("eval", { expr: "Started" })).toEqual(here);
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(await ask("eval", { expr: "Started" })).toMatchObject({ kind: "gone" });
      expect(await ask("eval", { expr: "Started" })).toMatchObject({ kind: "gone" });
      const [second] = await started(plain(idle));
      leadTo(second);
      expect(await ask("eval", { expr: "Started" })).toEqual(here);
    });
  }

  test("without configured roots says how to name some", async () => {
    const [address] = await started(plain(idle));
    expect(await asking(address)("eval", { expr: "1" })).toMatchObject({
      kind: "gone",
      why: expect.stringContaining("inspect("),
    });
  });
});

test("no program there", async () => {
  expect(await asking("127.0.0.1:1")("eval", { expr: "1" })).toMatchObject({
    kind: "gone",
    why: expect.stringMatching(/^the process at 127\.0\.0\.1:1 cannot be reached: .+; start it with/),
  });
});
