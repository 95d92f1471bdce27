/** Questions about this process: in slices, one a turn of the loop, so that others have theirs in between. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect, member } from "../host.ts";
import { RegisteredRoots } from "./registered-roots.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const generous = { wallMs: 600_000, fuelPerRow: 1_000_000_000, fuelPerQuery: 10_000_000_000 };
const short = { wallMs: 600_000, sliceMs: 5, holdMs: 60_000 };
const { signal } = new AbortController();

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const rows = Array.from({ length: 200_000 }, (_, id) => ({ id, name: `n${id % 1_000}` }));

/** Counts turns of the loop, each of which somebody else could have had. */
const turning = (): { readonly turns: () => number; stop(): void } => {
  let turns = 0;
  let isOver = false;
  const tick = (): void => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  tick();
  return {
    turns: () => turns,
    stop: () => {
      isOver = true;
    },
  };
};

test("a long query lets the loop turn between its slices and answers as if it had not", async () => {
  open = inspect({ Rows: rows }, { limits: generous });
  const query = {
    from: "Rows",
    where: 'name.Replace("n", "").PadLeft(4).Contains("99")',
    select: "id",
    orderBy: "id desc",
  };
  const others = turning();
  const answer = await new RegisteredRoots(short).ask("query", { ...query, take: 3 }, signal);
  others.stop();
  expect(answer).toMatchObject({ value: { rows: [199_999, 199_998, 199_997], matched: 3_800 } });
  expect(others.turns()).toBeGreaterThan(3);
});

if (inLongTier) {
  test("two long queries take turns, and a short question does not wait for either", async () => {
    open = inspect({ Rows: rows, Name: "here" }, { limits: generous });
    const here = new RegisteredRoots(short);
    const order: string[] = [];
    const long = async (name: string): Promise<void> => {
      await here.ask("query", { from: "Rows", where: 'name.PadLeft(9).Contains("99")', groupBy: "name" }, signal);
      order.push(name);
    };
    const quick = async (): Promise<void> => {
      expect(await here.ask("eval", { expr: "Name" }, signal)).toEqual({ kind: "value", value: "here" });
      order.push("quick");
    };
    await Promise.all([long("first"), long("second"), quick()]);
    expect(order[0]).toBe("quick");
  });
}

test.each([
  ["an expression", "eval", { expr: "Rows.Any(Rows.Any(Rows.Any(id < 0)))" }],
  ["the test of one row", "query", { from: "Rows", where: "Rows.Any(root.id < Rows.Count(id < 0))" }],
  ["code of the host", "eval", { expr: "Sly.forever" }],
] as const)("%s without an end is ended in its turn, and says why", async (_, tool, input) => {
  class Sly {
    get forever(): number {
      for (;;) Math.sqrt(2);
    }
  }
  const members = [member("forever", "Double", { read: (owner) => (owner as Sly).forever })];
  const types = [{ kind: "class" as const, name: "Sly", constructs: Sly, members }];
  open = inspect({ Rows: rows, Sly: new Sly() }, { limits: generous, types });
  expect(await new RegisteredRoots({ ...short, wallMs: 200, holdMs: 200 }).ask(tool, input, signal)).toMatchObject({
    kind: "problem",
    problem: {
      code: "deadline",
      message: expect.stringMatching(/ \d+ ms/),
      hint: expect.stringContaining("another process"),
    },
  });
});

test("the limit of all slices together holds, the program's own where it is shorter", async () => {
  const query = { from: "Rows", where: 'name.PadLeft(9).Contains("x")' };
  open = inspect({ Rows: rows }, { limits: { ...generous, wallMs: 1 } });
  expect(await new RegisteredRoots(short).ask("query", query, signal)).toMatchObject({
    problem: { code: "deadline", message: expect.stringContaining(" 1 ms") },
  });
  open = inspect({ Rows: rows }, { limits: generous });
  expect(await new RegisteredRoots({ ...short, wallMs: 2 }).ask("query", query, signal)).toMatchObject({
    problem: { code: "deadline", message: expect.stringContaining(" 2 ms") },
  });
});

test("questions that come together are answered one a turn of the loop, and not at all when no caller waits", async () => {
  const others = turning();
  open = inspect({ Turn: () => others.turns() });
  const here = new RegisteredRoots(short);
  const left = new AbortController();
  const ask = (asking: AbortSignal): Promise<unknown> => here.ask("eval", { expr: "Turn" }, asking);
  const answers = Promise.all([ask(signal), ask(signal), ask(left.signal), ask(signal)]);
  left.abort();
  const [first, second, abandoned, third] = await answers;
  others.stop();
  expect(abandoned).toMatchObject({ kind: "gone" });
  const seen = [first, second, third].map((answer) => (answer as { readonly value: number }).value);
  expect(new Set(seen).size).toBe(3);
});
