/** Programs that are attached by their process id, for real: CommonJS, ES modules with the preload, ports that are taken, processes that are not Node. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultLimits } from "@fairlead/linq/limits";
import { expect, onTestFinished, test } from "vitest";
import type { ToolAnswer, ToolBackend } from "../protocol/backend.ts";
import type { ToolName } from "../protocol/message.ts";
import { makeFolder, startProgram } from "../testing/program.ts";
import { readFromProcess } from "./inspector-port.ts";
import { listenedPorts } from "./node-process.ts";
import { Targets } from "./targets.ts";

const shop = `
class Order {
  #lines = [1, 2];
  constructor(id) { this.id = id; this.password = "hunter2"; }
  get total() { return this.#lines.reduce((sum, line) => sum + line, 0) * this.id; }
  get remembered() { return (this.memo ??= 1); }
  plus(amount) { return this.total + amount; }
}
const orders = Array.from({ length: 5 }, (_, id) => new Order(id));
`;

const cjs = `${shop}
module.exports = { orders };
setInterval(() => undefined, 1000);
console.log("ready");
`;

/** No port of these tests is fixed: the program takes any free one when it is asked to open its inspector. */
const anyPort = "--inspect-port=127.0.0.1:0";
const preload = ["--conditions=@fairlead/source", "--import", fileURLToPath(new URL("../preload.ts", import.meta.url))];

const configured: ToolBackend = {
  ask: async () => ({ kind: "value", value: "the configured source" }),
  close: async () => undefined,
};

const opened = (): { readonly targets: Targets; ask(tool: ToolName, input: object): Promise<ToolAnswer> } => {
  const options = { limits: defaultLimits, timeoutMs: 60_000, redact: {}, heapMb: 400, now: () => 0 };
  const targets = new Targets(options, configured);
  onTestFinished(() => targets.close());
  const { signal } = new AbortController();
  const defaults = { depth: 1, includePrivate: true, limit: 50, offset: 0 };
  return { targets, ask: (tool, input) => targets.ask(tool, { ...defaults, ...input }, signal) };
};

test("a CommonJS program is attached by its pid, asked, and has no port any more when it is detached", async () => {
  const folder = await makeFolder({ "order-book.cjs": cjs });
  const { pid } = await startProgram([anyPort, join(folder, "order-book.cjs")]);
  const { targets, ask } = opened();
  expect(await ask("eval", { expr: "1" })).toMatchObject({ value: "the configured source" });
  expect(await targets.attach(pid, "refused")).toEqual({
    pid,
    title: join(folder, "order-book.cjs"),
    roots: ["orderBook", "Global"],
    opened: true,
    calls: "refused",
    since: "1970-01-01T00:00:00.000Z",
  });
  expect(await ask("query", { from: "orderBook.orders", where: "id > 2", select: "id", take: 9 })).toMatchObject({
    value: { rows: [3, 4] },
  });
  expect(await ask("eval", { expr: "orderBook.orders[3].total" })).toMatchObject({
    problem: { code: "not_readable", message: expect.stringContaining("getter") },
  });
  expect(await ask("explore", { target: "instances:Order" })).toMatchObject({
    value: { count: 5, items: expect.arrayContaining([expect.objectContaining({ expr: "orderBook.orders[0]" })]) },
  });
  expect(await listenedPorts(pid)).toHaveLength(1);
  expect(await targets.detach(pid)).toEqual([pid]);
  await expect.poll(() => listenedPorts(pid)).toEqual([]);
  expect(await ask("eval", { expr: "1" })).toMatchObject({ value: "the configured source" });
  // Its signal opens it again: nothing was left behind.
  expect(await targets.attach(pid, "refused")).toMatchObject({ opened: true });
});

test("getters and methods are run where they change nothing, and refused one by one where they would", async () => {
  const folder = await makeFolder({ "shop.cjs": cjs });
  const { pid } = await startProgram([anyPort, join(folder, "shop.cjs")]);
  const { targets, ask } = opened();
  await targets.attach(pid, "checked");
  expect(await ask("eval", { expr: "shop.orders[3].total" })).toMatchObject({ value: 9 });
  expect(await ask("eval", { expr: "shop.orders[3].Plus(2)" })).toMatchObject({ value: 11 });
  expect(await ask("query", { from: "shop.orders", where: "total > 3", select: "plus(id)", take: 9 })).toMatchObject({
    value: { rows: [8, 12, 16] },
  });
  expect(await ask("eval", { expr: "shop.orders[0].remembered" })).toMatchObject({
    problem: { code: "not_readable", message: expect.stringContaining("refused by V8") },
  });
  expect(await ask("explore", { target: "shop.orders[2]" })).toMatchObject({
    value: {
      members: expect.arrayContaining([
        expect.objectContaining({ name: "total", kind: "accessor", value: 6 }),
        expect.objectContaining({ name: "remembered", unreadable: expect.stringContaining("refused by V8") }),
        expect.objectContaining({ name: "password", redacted: true }),
      ]),
      methods: [expect.objectContaining({ name: "plus", callable: true })],
    },
  });
  // What V8 refused has changed nothing.
  expect(await ask("eval", { expr: "shop.orders[0].memo" })).toMatchObject({ value: null });
});

test("ES modules are roots in a program that was started with the preload, TypeScript and cycles too", async () => {
  const folder = await makeFolder({
    "main.mts": `import { orders } from "./order-list.mjs"; import "./other.mjs";
export const shop: { readonly orders: unknown[] } = { orders };
setInterval(() => undefined, 1000); console.log("ready");`,
    "order-list.mjs": `${shop}import "./other.mjs"; export { orders }; export default class Shop {}
//# sourceMappingURL=nowhere.map`,
    "other.mjs": `import "./order-list.mjs"; export let size = 7;`,
  });
  const { pid } = await startProgram([...preload, anyPort, join(folder, "main.mts")]);
  const { targets, ask } = opened();
  const { roots } = await targets.attach(pid, "refused");
  expect([...roots].sort()).toEqual(["Global", "main", "orderList", "other"]);
  expect(await ask("query", { from: "main.shop.orders", select: "id", take: 9 })).toMatchObject({
    value: { rows: [0, 1, 2, 3, 4] },
  });
  expect(await ask("eval", { expr: "other.size + orderList.orders.Count()" })).toMatchObject({ value: 12 });
});

test("several programs have roots by different names, and each question goes to the one it names", async () => {
  const folder = await makeFolder({ "shop.cjs": cjs });
  const [one, two] = await Promise.all([
    startProgram([anyPort, join(folder, "shop.cjs")]),
    startProgram([anyPort, join(folder, "shop.cjs")]),
  ]);
  const { targets, ask } = opened();
  await Promise.all([targets.attach(one.pid, "refused"), targets.attach(two.pid, "refused")]);
  expect(targets.list().map(({ roots }) => roots)).toEqual([
    ["shop", "Global"],
    ["shop_2", "Global_2"],
  ]);
  expect(await ask("query", { from: "shop_2.orders", select: "id", take: 1 })).toMatchObject({ value: { rows: [0] } });
  expect(await ask("explore", { target: "" })).toMatchObject({
    value: { members: ["shop", "Global", "shop_2", "Global_2"].map((name) => expect.objectContaining({ name })) },
  });
  expect(await ask("explore", { target: "instances:Order" })).toMatchObject({ value: { count: 10 } });
  two.kill("SIGKILL");
  await once(two, "exit");
  expect(await ask("eval", { expr: "shop_2.orders.Count()" })).toMatchObject({
    kind: "gone",
    why: `process ${two.pid} has ended, and is attached no more`,
  });
  expect(targets.list().map(({ pid }) => pid)).toEqual([one.pid]);
});

test("a program whose inspector is open already keeps it open", async () => {
  const { pid } = await startProgram(["--inspect=127.0.0.1:0", "-e", cjs]);
  const { targets } = opened();
  const before = await listenedPorts(pid);
  expect(await targets.attach(pid, "refused")).toMatchObject({ opened: false });
  await targets.detach();
  expect(await listenedPorts(pid)).toEqual(before);
});

test("a program that closed its inspector is attached again by a new one, and no answer is never one without roots", async () => {
  const folder = await makeFolder({
    "shop.cjs": `${cjs} process.on("SIGHUP", () => require("node:inspector").close());`,
  });
  const { pid } = await startProgram([anyPort, join(folder, "shop.cjs")]);
  const { targets } = opened();
  await targets.attach(pid, "refused");
  const [before] = await listenedPorts(pid);
  process.kill(pid, "SIGHUP");
  await expect.poll(() => listenedPorts(pid)).toEqual([]);
  const gone = { pid, address: `ws://127.0.0.1:${before?.port}/gone`, isOurs: true };
  await expect(readFromProcess(gone, "1")).rejects.toMatchObject({ reason: "not_opened" });
  expect(await targets.attach(pid, "refused")).toMatchObject({ opened: true, roots: ["shop", "Global"] });
});

test("a port that a busy program opens too late is closed by the next detach, which says so where it could not", async () => {
  const folder = await makeFolder({});
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reading = `process.on("SIGHUP", () => require("node:child_process").execFileSync("cat", [${JSON.stringify(pipe)}]));`;
  const { pid } = await startProgram([anyPort, "-e", `${reading} ${cjs}`]);
  const { targets } = opened();
  /** The program stands still until it is closed. */
  const stop = (): Promise<FileHandle> => {
    process.kill(pid, "SIGHUP");
    return open(pipe, "w");
  };
  const first = await stop();
  await expect(targets.attach(pid, "refused")).rejects.toMatchObject({ reason: "not_opened" });
  await first.close();
  await expect.poll(() => listenedPorts(pid)).toHaveLength(1);
  expect(await targets.attach(pid, "refused")).toMatchObject({ opened: true });
  await targets.detach(pid);
  await expect.poll(() => listenedPorts(pid)).toEqual([]);
  await targets.attach(pid, "refused");
  const second = await stop();
  await expect(targets.detach(pid)).rejects.toMatchObject({
    reason: "not_closed",
    message: expect.stringContaining("is open still"),
  });
  expect(targets.list()).toEqual([]);
  await second.close();
});

test("a leak is found by the difference of two snapshots, and by what holds it, a closure included", async () => {
  const { pid } = await startProgram([
    anyPort,
    "-e",
    `class Session { constructor(number) { this.number = number; } }
     const open = () => { const kept = []; return () => { for (let i = 0; i < 300; i++) kept.push({ session: new Session(i) }); return kept.length; }; };
     globalThis.visit = open(); visit(); process.on("SIGHUP", visit); setInterval(() => 0, 1000); console.log("ready");`,
  ]);
  const { targets } = opened();
  const asked = { pid, limit: 5, orderBy: "growth", wanted: "Session" } as const;
  await expect(targets.heap(asked)).rejects.toMatchObject({ reason: "not_attached" });
  await targets.attach(pid, "checked");
  const first = await targets.heap({ ...asked, orderBy: "count", limit: 1_000 });
  expect(first.classes).toContainEqual(expect.objectContaining({ name: "Session", count: 300, grown: null }));
  process.kill(pid, "SIGHUP");
  const second = await targets.heap(asked);
  // The program was signalled before its debugger was asked, and takes one after the other.
  expect(second.classes).toContainEqual(expect.objectContaining({ name: "Session", count: 600, grown: 300 }));
  expect(second.holders[0]).toMatchObject({ count: 600, path: expect.stringContaining("visit.kept[*].session") });
  expect(second.stoppedMs).toBeGreaterThan(0);
});

test("a port that another process has is refused with the way out, and the program is not signalled", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { pid } = await startProgram(["-e", cjs], { NODE_OPTIONS: `--inspect-port=${port}` });
  await expect(opened().targets.attach(pid, "refused")).rejects.toMatchObject({
    reason: "port_taken",
    message: expect.stringContaining(`port ${port}`),
  });
  expect(await listenedPorts(pid)).toEqual([]);
});

test.each([
  ["another program", () => spawn("sleep", ["60"]), "not_node", "not Node"],
  [
    "Node that would be ended by the signal",
    () => spawn(process.execPath, ["--disable-sigusr1", "-e", "setInterval(() => 0, 1000)"]),
    "not_node",
    "--inspect=0",
  ],
])("%s is refused and lives on", async (_, start, reason, words) => {
  const child = start();
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const attaching = opened().targets.attach(Number(child.pid), "refused");
  await expect(attaching).rejects.toMatchObject({ reason, message: expect.stringContaining(words) });
  expect(child.exitCode ?? child.signalCode).toBeNull();
});

test("a process that is not there, and the kernel's own, are refused", async () => {
  const { targets } = opened();
  await expect(targets.attach(4_194_304, "refused")).rejects.toMatchObject({ reason: "no_process" });
  await expect(targets.attach(process.pid, "refused")).rejects.toMatchObject({ reason: "not_node" });
  await expect(targets.detach(1)).rejects.toMatchObject({ reason: "not_attached", data: { known: [] } });
});
