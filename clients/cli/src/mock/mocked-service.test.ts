import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, download, error, mutation, paginated, query, subscription } from "@fairlead/contracts";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type MockOptions, mockedService, unanswered } from "./mocked-service.ts";
import { parseCount, parseFailures, parseLatency } from "./switches.ts";

const todo = z.object({
  id: z.int().describe("Number."),
  title: z.string().min(1).describe("What to do."),
  due: z.iso.date().describe("When."),
});
const todos = defineContract({
  id: "todos",
  version: "1.0.0",
  summary: "Things to do.",
  procedures: {
    get: query({
      summary: "Gives one.",
      input: z.object({ id: z.int().describe("Number.") }),
      output: todo,
      errors: {
        no_such_todo: error({
          code: "not_found",
          when: "there is none",
          data: z.object({ id: z.int().min(5).max(6) }),
        }),
      },
    }),
    list: paginated({ summary: "Lists all.", input: z.object({}), item: todo }),
    add: mutation({ summary: "Adds one.", input: todo, output: z.object({ id: z.int() }), retry: "unsafe" }),
    watch: subscription({ summary: "Shows changes.", input: z.object({}), output: todo }),
    picture: download({ summary: "Gives a picture.", input: z.object({}), types: ["image/*"] }),
    prime: query({
      summary: "Cannot be made up.",
      input: z.object({}),
      output: z.int().refine((value) => value === 104_729),
    }),
  },
});

const folder = mkdtempSync(join(tmpdir(), "mock-"));
let kernel: Kernel | undefined;
afterEach(async () => {
  await kernel?.close();
  rmSync(folder, { recursive: true, force: true });
});

const usual: MockOptions = { seed: 1, latency: undefined, failures: [], items: 3, everyMs: 0 };

const open = async (options: Partial<MockOptions>): Promise<Kernel> => {
  await kernel?.close();
  kernel = await openKernel({
    services: [mockedService(todos, { ...usual, ...options })],
    flags: { stateDir: folder, port: 0 },
    env: {},
    log: () => undefined,
  });
  return kernel;
};

test("a call is answered by a value of its output, the same for the same input and seed", async () => {
  const first = (await open({})).connect();
  const one = await first.call("todos.add", { id: 4, title: "x", due: "2026-01-31" });
  expect(one).toMatchObject({ ok: true, value: { id: expect.any(Number) } });
  const got = await first.call("todos.get", { id: 77 });
  expect(got).toMatchObject({
    ok: true,
    value: { id: 77, title: expect.any(String), due: expect.stringMatching(/^\d{4}-/) },
  });
  const again = (await open({})).connect();
  expect(await again.call("todos.get", { id: 77 })).toEqual(got);
  const other = (await open({ seed: 2 })).connect();
  expect(await other.call("todos.get", { id: 77 })).not.toEqual(got);
});

test("the contract is held to as ever", async () => {
  const caller = (await open({})).connect();
  expect(await caller.call("todos.get", { id: "x" })).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
  expect(await caller.call("todos.gone", {})).toMatchObject({ ok: false, error: { code: "not_found" } });
});

test("a list in pages comes to an end", async () => {
  const caller = (await open({})).connect();
  expect(await caller.call("todos.list", {})).toMatchObject({ ok: true, value: { next: "2" } });
  expect(await caller.call("todos.list", { cursor: "2" })).toMatchObject({ ok: true, value: { next: null } });
});

test("a stream gives numbered items, goes on after the last one seen, and ends", async () => {
  const caller = (await open({})).connect();
  const read = async (lastEventId?: string) => {
    const opened = await caller.subscribe("todos.watch", {}, lastEventId === undefined ? {} : { lastEventId });
    if (!opened.ok) throw opened.error;
    return Array.fromAsync(opened.items);
  };
  const all = await read();
  expect(all).toMatchObject([{ id: "1" }, { id: "2" }, { id: "3" }]);
  expect(await read("1")).toEqual(all.slice(1));
});

test("a download gives a file of a type that the contract allows", async () => {
  const caller = (await open({})).connect();
  expect(await caller.call("todos.picture", {})).toMatchObject({ ok: true, file: { type: "image/png" } });
});

test("what it is asked to fail with is declared, with its data, or one of the codes", async () => {
  const declared = (await open({ failures: [{ procedure: "todos.get", error: "no_such_todo", share: 1 }] })).connect();
  const failed = await declared.call("todos.get", { id: 1 });
  expect(failed).toMatchObject({ ok: false, error: { code: "not_found", reason: "no_such_todo" } });
  expect(failed).toMatchObject({ error: { data: { id: expect.toSatisfy((id) => id === 5 || id === 6) } } });
  expect(await declared.call("todos.list", {})).toMatchObject({ ok: true });
  const coded = (await open({ failures: [{ procedure: "todos.add", error: "aborted", share: 1 }] })).connect();
  expect(await coded.call("todos.add", { id: 1, title: "x", due: "2026-01-31" })).toMatchObject({
    ok: false,
    error: { code: "aborted" },
  });
});

test("a share of all calls fails, drawn from the seed", async () => {
  const read = async () => {
    const caller = (await open({ failures: [{ share: 0.3 }] })).connect();
    const ended: boolean[] = [];
    for (let id = 0; id < 100; id += 1) ended.push((await caller.call("todos.get", { id })).ok);
    return ended;
  };
  const ended = await read();
  const failed = ended.filter((ok) => !ok).length;
  expect(failed).toBeGreaterThan(15);
  expect(failed).toBeLessThan(45);
  expect(await read()).toEqual(ended);
});

test("an answer that takes its time ends with its caller's deadline", async () => {
  const caller = (await open({ latency: { least: 500_000, most: 900_000 } })).connect();
  expect(await caller.call("todos.get", { id: 1 }, { timeoutMs: 20 })).toMatchObject({
    ok: false,
    error: { code: "deadline_exceeded" },
  });
});

test("a rule that no schema says has no value, and that is said", async () => {
  expect(await unanswered([todos], 1)).toEqual(["todos.prime"]);
  expect(await (await open({})).connect().call("todos.prime", {})).toMatchObject({
    ok: false,
    error: { code: "unimplemented", message: "no value of the output of todos.prime could be made from its schema" },
  });
});

describe("flags", () => {
  const known = new Map([
    ["todos.get", ["no_such_todo"]],
    ["todos.add", []],
  ]);

  test("are read", () => {
    expect(parseFailures(["0.25", "todos.get=no_such_todo", "todos.add=aborted@0.5"], known)).toEqual([
      { share: 0.25 },
      { procedure: "todos.get", error: "no_such_todo", share: 1 },
      { procedure: "todos.add", error: "aborted", share: 0.5 },
    ]);
    expect(parseLatency("5")).toEqual({ least: 5, most: 5 });
    expect(parseLatency("5..9")).toEqual({ least: 5, most: 9 });
    expect(parseCount("--items", "0", 0)).toBe(0);
  });

  test.each([
    [["2"], "a share is above 0 and at most 1"],
    [["often"], "says no share and no error"],
    [["todos.gett=aborted"], "there is no such procedure"],
    [["todos.get=gone"], "it declares no_such_todo"],
    [["todos.add=gone"], "it declares no error"],
    [["todos.get=aborted@0"], "a share is above 0"],
  ])("%j is refused: %s", (given, words) => {
    expect(() => parseFailures(given, known)).toThrow(words);
  });

  test.each(["fast", "9..5", "1.5"])("--latency %s is refused", (given) => {
    expect(() => parseLatency(given)).toThrow("--latency takes milliseconds");
  });
});
