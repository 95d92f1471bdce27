/** Questions about this process: one a turn, each bounded, however much the program itself allows. */
import { afterEach, expect, test } from "vitest";
import { type Inspected, inspect } from "../host.ts";
import { RegisteredRoots } from "./registered.ts";

/** Twice the time is named when the machine is so busy that the question is ended from outside. */
const generous = { wallMs: 600_000, fuelPerRow: 1_000_000_000, fuelPerQuery: 10_000_000_000 };
const { signal } = new AbortController();

let open: Inspected | undefined;
afterEach(() => open?.close());

test("a question without an end is ended after the service's time, and says why that is short", async () => {
  open = inspect({ Rows: Array.from({ length: 5_000 }, (_, id) => ({ id })) }, { limits: generous });
  const endless = { expr: "Rows.Any(Rows.Any(Rows.Any(id < 0)))" };
  expect(await new RegisteredRoots(20).ask("eval", endless, signal)).toMatchObject({
    kind: "problem",
    problem: {
      code: "deadline",
      message: expect.stringMatching(/ (20|40) ms/),
      hint: expect.stringContaining("another process"),
    },
  });
});

test("the program's own limit holds where it is shorter", async () => {
  open = inspect({ Rows: Array.from({ length: 5_000 }, (_, id) => ({ id })) }, { limits: { ...generous, wallMs: 10 } });
  const endless = { from: "Rows", where: "root.id < 0 || Rows.Any(Rows.Any(id < 0))" };
  expect(await new RegisteredRoots(5_000).ask("query", endless, signal)).toMatchObject({
    problem: { code: "deadline", message: expect.stringMatching(/ (10|20) ms/) },
  });
});

test("questions that come together are answered one a turn of the loop, and not at all when nobody waits", async () => {
  let turn = 0;
  let isOver = false;
  const tick = (): void => {
    turn++;
    if (!isOver) setImmediate(tick);
  };
  open = inspect({ Turn: () => turn });
  const here = new RegisteredRoots(100);
  const left = new AbortController();
  tick();
  const ask = (asking: AbortSignal): Promise<unknown> => here.ask("eval", { expr: "Turn" }, asking);
  const answers = Promise.all([ask(signal), ask(signal), ask(left.signal), ask(signal)]);
  left.abort();
  const [first, second, nobody, third] = await answers;
  isOver = true;
  expect(nobody).toMatchObject({ kind: "gone" });
  const seen = [first, second, third].map((answer) => (answer as { readonly value: number }).value);
  expect(new Set(seen).size).toBe(3);
});
