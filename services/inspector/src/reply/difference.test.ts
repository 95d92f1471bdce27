/** Differences of answers, answers that are kept, and values that are watched. */
import { expect, test } from "vitest";
import { CallerAnswers } from "./caller-answers.ts";
import { findChanges as findChangesIn } from "./difference.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { watchValue } from "./watch.ts";

type Answers = Parameters<typeof findChangesIn>;

const findChanges = (before: Answers[0], after: Answers[1]) => findChangesIn(before, after, "explore");

test("members are compared by name, elements of maps by key, all others by place; what is said of the answer is left out", () => {
  const before = {
    members: [
      { name: "Health", kind: "field", value: 3, slowMs: 7 },
      { name: "Gone", kind: "field", value: 1 },
    ],
    items: [{ key: "a", type: "Int32", value: 1 }],
    rows: [1, 2],
    handle: "x",
  };
  const after = {
    members: [
      { name: "New", kind: "field", value: null },
      { name: "Health", kind: "field", value: 4 },
    ],
    items: [{ key: "a", type: "Int32", value: 2 }],
    rows: [1, 5, [7]],
    handle: "y",
  };
  expect(findChanges(before, after)).toEqual([
    { path: ".members[Health].value", before: 3, after: 4 },
    { path: ".members[Gone]", before: { name: "Gone", kind: "field", value: 1 } },
    { path: ".members[New]", after: { name: "New", kind: "field", value: null } },
    { path: '.items["a"].value', before: 1, after: 2 },
    { path: ".rows[1]", before: 2, after: 5 },
    { path: ".rows[2]", after: [7] },
  ]);
  expect(findChanges(null, {})).toEqual([{ path: "", before: null, after: {} }]);
  expect(
    findChanges(
      {
        a: [
          { name: "x", type: "T" },
          { name: "x", type: "T" },
        ],
      },
      { a: [] },
    ),
  ).toHaveLength(2);
  expect(findChanges("a", "a")).toEqual([]);
});

const order = { id: 1, note: "a", hint: "a", handle: "a", cut: 1, pause: 1, slowMs: 1 };
const changedOrder = { id: 1, note: "b", hint: "b", handle: "b", cut: 2, pause: 2, slowMs: 2 };
const changedNames = ["note", "hint", "handle", "cut", "pause", "slowMs"];

test("members of the program that are called as what an answer says of itself are compared as all others", () => {
  const pathsIn = (...answers: Answers) => findChangesIn(...answers).map(({ path }) => path);
  const rows = changedNames.map((name) => `.rows[0].${name}`);
  expect(pathsIn({ rows: [order], note: "x" }, { rows: [changedOrder], note: "y" }, "query")).toEqual(rows);
  const member = (value: typeof order, slowMs: number) => ({
    hint: String(slowMs),
    members: [{ name: "o", kind: "field", slowMs, value, items: [{ index: 0, type: "T", slowMs, value }] }],
  });
  expect(pathsIn(member(order, 7), member(changedOrder, 8), "explore")).toEqual([
    ...changedNames.map((name) => `.members[o].value.${name}`),
    ...changedNames.map((name) => `.members[o].items[0].value.${name}`),
  ]);
  const own = changedNames.map((name) => `.${name}`);
  expect(pathsIn(order, changedOrder, "eval")).toEqual(own);
});

test("a watched value is sent when only a member called note has changed", async () => {
  const values = [order, order, { ...order, note: "b" }];
  const seen: unknown[] = [];
  const read = () => Promise.resolve(values.shift() ?? null);
  const pause = () => (values.length === 0 ? Promise.reject(new Error("gone")) : Promise.resolve());
  const options = { everyMs: 100, on: "change", signal: new AbortController().signal, pause } as const;
  for await (const { changes } of watchValue(read, options)) seen.push(changes.map(({ path }) => path));
  expect(seen).toEqual([[], [".note"]]);
});

test("a row's note that changed is in the difference", async () => {
  const answers = new CallerAnswers(undefined);
  let note = "new";
  const ask = () => Promise.resolve({ rows: [{ id: 1, note }], note: `of ${note}` });
  const asked = { tool: "query", input: { root: "orders", select: "new { id, note }" }, caller: "ann", ask } as const;
  const { handle } = (await answers.answer(asked)) as { readonly handle: string };
  note = "paid";
  expect(await answers.answer({ ...asked, tool: "explore", input: { target: `diff:${handle}` } })).toMatchObject({
    changes: [{ path: ".rows[0].note", before: "new", after: "paid" }],
  });
});

test("a caller's handle is no other caller's, and the oldest answers go first", () => {
  const kept = new KeptAnswers();
  const keep = (caller: string, answer: number) =>
    kept.keep(caller, { tool: "explore", input: {}, answer, at: 1 }) ?? "";
  const first = keep("ann", 0);
  expect(kept.find("ann", first)).toMatchObject({ answer: 0 });
  expect(kept.find("bob", first)).toBe(undefined);
  expect(keep("ann", 0)).toBe(first);
  for (let answer = 1; answer <= 16; answer++) keep("ann", answer);
  expect(kept.find("ann", first)).toBe(undefined);
  const last = keep("ann", 16);
  for (let other = 0; other < 16; other++) keep(`caller ${other}`, 1);
  expect(kept.find("ann", last)).toBe(undefined);
  expect(kept.keep("ann", { tool: "query", input: {}, answer: "x".repeat(70_000), at: 1 })).toBe(undefined);
});

test("a difference asks the same question again, in pages, for that caller", async () => {
  const answers = new CallerAnswers(undefined);
  let value = 1;
  const asked: unknown[] = [];
  const question = (target: string, caller = "ann", more = {}) =>
    answers.answer({
      tool: "explore",
      input: { target, limit: 1, offset: 0, ...more },
      caller,
      ask: (tool, input) => {
        asked.push([tool, input]);
        return Promise.resolve({
          path: "Player",
          members: [
            { name: "a", kind: "field", value },
            { name: "b", kind: "field", value },
          ],
        });
      },
    });
  const { handle } = (await question("Player")) as { readonly handle: string };
  value = 2;
  expect(await question(`diff:${handle}`)).toEqual({
    since: expect.any(String),
    count: 2,
    changes: [{ path: ".members[a].value", before: 1, after: 2 }],
    more: 1,
    handle: expect.not.stringContaining(handle),
  });
  expect(await question(`diff: ${handle}`, "ann", { offset: 1 })).toMatchObject({
    changes: [{ path: ".members[b].value" }],
  });
  expect(await question(`diff:${handle}`, "bob")).toBe(undefined);
  expect(asked).toEqual(Array.from({ length: 3 }, () => ["explore", { target: "Player", limit: 1, offset: 0 }]));
});

test.each([
  ["change", [[1], [2], [3]]],
  ["interval", [[1], [1], [2], [2], [3]]],
] as const)("a value is sent at first and on %s, until the caller goes", async (on, expected) => {
  const values = [1, 1, 2, 2, 3];
  const caller = new AbortController();
  const seen: unknown[] = [];
  const read = () => Promise.resolve([values.shift() ?? 0]);
  const pause = () => (values.length === 0 ? Promise.reject(new Error("gone")) : Promise.resolve());
  for await (const { value, changes, at } of watchValue(read, {
    everyMs: 100,
    on,
    signal: caller.signal,
    pause,
  })) {
    seen.push(value);
    expect(new Date(at).toISOString()).toBe(at);
    if (on === "change") expect(changes).toHaveLength(seen.length === 1 ? 0 : 1);
  }
  expect(seen).toEqual(expected);
});
