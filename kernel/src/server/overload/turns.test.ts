import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

/** A loop and a clock of the test's own: each handler takes `costMs`. Whatever waits is overload, unless `growthMs` says otherwise. */
const open = ({ growthMs = 0 } = {}) => {
  let now = 0;
  const work: ((areIn: boolean) => void)[] = [];
  const results: string[] = [];
  const onOverload = (waiting: number): void => void results.push(`overload, ${waiting} wait`);
  const nextTurn = (next: (areIn: boolean) => void): void => void work.push(next);
  const turns = new Turns({ leastWaitMs: 10, limitMs: 300, growthMs, now: () => now, onOverload, nextTurn });
  const add = (principal: string, name: string, { costMs = 5, bytes = 0, timeoutMs = 60_000 } = {}) =>
    turns.add({
      principal,
      bytes,
      timeoutMs,
      run: () => {
        now += costMs;
        results.push(name);
      },
      refuse: () => void results.push(`no ${name}`),
    });
  const turn = (): void => work.shift()?.(true);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { turns, add, turn, results, pass, isIdle: () => work.length === 0 };
};

it("begins one request a turn, the latest of a principal first, and refuses who waited too long", () => {
  const { turns, add, turn, results } = open();
  turns.begin();
  for (const name of ["a1", "a2", "a3", "a4"]) add("a", name);
  expect(results).toEqual([]);
  for (let at = 0; at < 5; at += 1) turn();
  expect(results).toEqual(["a4", "a3", "a2", "no a1"]);
  expect(turns.refused).toBe(1);
});

it("keeps up again after a while without a refusal, also when nothing was queued", () => {
  const { turns, pass } = open();
  turns.begin();
  turns.endWhenCalm();
  expect(turns.isQueueing).toBe(true);
  pass(501);
  turns.endWhenCalm();
  expect(turns.isQueueing).toBe(false);
});

it("serves a polite principal beside a greedy one, and small before large", () => {
  const { turns, add, turn, results } = open();
  turns.begin();
  add("greedy", "large", { bytes: 100_000, costMs: 1 });
  for (let at = 0; at < 4; at += 1) add("greedy", `g${at}`, { costMs: 1 });
  add("polite", "p", { costMs: 1 });
  for (let at = 0; at < 7; at += 1) turn();
  expect(results).toEqual(["g3", "p", "g2", "g1", "g0", "large"]);
});

it("begins as many quick ones in a turn as take the time of reading and refusing", () => {
  const { turns, add, turn, pass, results } = open();
  turns.begin();
  add("a", "first", { costMs: 1 });
  turn();
  // Reading and refusing take seven milliseconds.
  pass(7);
  for (let at = 0; at < 100; at += 1) add("a", `a${at}`, { costMs: 0.5 });
  turn();
  expect(results).toHaveLength(1 + 14);
  expect(results.every((name) => !name.startsWith("no"))).toBe(true);
});

it("holds no more than so many of one principal", () => {
  const { turns, add, results } = open();
  turns.begin();
  for (let at = 0; at < 260; at += 1) add("a", `a${at}`);
  expect(results).toEqual(["no a0", "no a1", "no a2", "no a3"]);
});

it("in ten times the load of 5 ms each, nine tenths of the time go into answers, and none of them is old", () => {
  const { turns, add, turn, pass, results } = open();
  turns.begin();
  let arrived = 0;
  const refusalMs = 0.04;
  for (let at = 0; at < 400; at += 1) {
    // What came in the 5 ms of the handler before.
    for (let each = 0; each < 10; each += 1) add("a", `${arrived++}`);
    const before = turns.refused;
    turn();
    pass((turns.refused - before) * refusalMs);
  }
  const answered = results.filter((name) => !name.startsWith("no"));
  expect(answered).toHaveLength(400);
  expect(turns.refused * refusalMs).toBeLessThan(400 * 5 * 0.1);
  // Each was among the latest ten when its turn came.
  expect(answered.map(Number).every((number, at) => number >= at * 10)).toBe(true);
});

it("begins all in order of arrival, however long they waited, while no more arrive than are served", () => {
  const { turns, add, turn, results } = open({ growthMs: 500 });
  turns.begin();
  for (let at = 0; at < 300; at += 1) add("a", `a${at}`, { costMs: 50 });
  while (results.length < 300) turn();
  expect(results).toEqual(Array.from({ length: 300 }, (_, at) => `a${at}`));
  expect([turns.refused, turns.isOverloaded]).toEqual([0, false]);
});

it("says once that there is overload, when the queue has grown for half a second", () => {
  const { turns, add, turn, results } = open({ growthMs: 500 });
  turns.begin();
  for (let at = 0; at < 400; at += 1) {
    for (let each = 0; each < 4; each += 1) add("a", "a");
    turn();
  }
  const said = results.filter((result) => result.startsWith("overload"));
  expect(said).toHaveLength(1);
  expect(Number(/\d+/.exec(said[0] ?? "")?.[0])).toBeGreaterThan(64);
  expect(turns.isOverloaded).toBe(true);
});

it("does not begin what its caller has given up", () => {
  const { turns, add, turn, results } = open({ growthMs: 500 });
  turns.begin();
  add("a", "a1", { costMs: 20 });
  add("a", "a2", { timeoutMs: 15 });
  add("a", "a3", { timeoutMs: 200 });
  for (let at = 0; at < 3; at += 1) turn();
  expect(results).toEqual(["a1", "no a2", "a3"]);
});

it("ends half a second after the last refusal, once nothing waits", () => {
  const { turns, add, turn, pass, isIdle } = open();
  turns.begin();
  add("a", "a1");
  turn();
  turn();
  expect([turns.isQueueing, isIdle()]).toEqual([true, true]);
  pass(501);
  add("a", "a2");
  turn();
  turn();
  expect([turns.isQueueing, isIdle()]).toEqual([false, true]);
});
