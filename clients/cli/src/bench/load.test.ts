/** Load over a clock of the test's own: what is counted, and from when. */
import { describe, expect, test } from "vitest";
import { type CallFailure, type LoadPlan, mostUnderWay, notSent, runLoad, unfinished } from "./load.ts";

/** A clock that goes on when something waits for it, and calls that end by it. */
const fakeTime = () => {
  let at = 0;
  const due: { readonly at: number; readonly resolve: () => void }[] = [];
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      due.push({ at: at + ms, resolve });
      due.sort((a, b) => a.at - b.at);
    });
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      const next = due.shift();
      if (next === undefined) continue;
      at = Math.max(at, next.at);
      next.resolve();
    }
    return ended;
  };
  return { now: () => at, wait, run, skip: (ms: number) => (at += ms) };
};

const never = new AbortController().signal;
const plan = (load: LoadPlan["load"]): LoadPlan => ({ load, warmUpMs: 1_000, forMs: 10_000 });

describe("a rate", () => {
  test("counts what was to begin after the warm-up, however long it takes", async () => {
    const time = fakeTime();
    const send = () => time.wait(250).then(() => undefined);
    const result = await time.run(runLoad(plan({ rate: 100 }), { ...time, send, limitMs: 30_000, signal: never }));
    expect(result.calls).toBe(1_000);
    expect(result.latency.percentile(0.5)).toBeCloseTo(250_000, -3);
    expect(result.errors).toEqual(new Map());
  });

  test("a second in which nothing happens is in the latency of all calls that were to begin in it", async () => {
    const time = fakeTime();
    let sent = 0;
    const send = async (): Promise<undefined> => {
      sent += 1;
      if (sent === 500) time.skip(1_000);
      return undefined;
    };
    const { latency, calls } = await time.run(
      runLoad(plan({ rate: 100 }), { ...time, send, limitMs: 30_000, signal: never }),
    );
    expect(calls).toBe(1_000);
    // A hundred calls of a thousand, evenly late.
    expect(latency.percentile(0.89) / 1_000).toBeLessThan(2);
    expect(latency.percentile(0.95) / 1_000).toBeGreaterThan(400);
    expect(latency.max / 1_000).toBeCloseTo(1_000, -2);
  });

  test("has a bound of calls under way, and says what was not sent", async () => {
    const time = fakeTime();
    const end = time.wait(60_000);
    const send = () => end.then(() => undefined);
    const { calls, errors } = await time.run(
      runLoad({ load: { rate: 20_000 }, warmUpMs: 0, forMs: 1_000 }, { ...time, send, limitMs: 30_000, signal: never }),
    );
    expect(calls).toBe(20_000);
    expect(errors.get(notSent)).toBe(20_000 - mostUnderWay);
  });
});

test("callers wait for their answers, and failures are counted by code", async () => {
  const time = fakeTime();
  let sent = 0;
  const send = async (): Promise<CallFailure | undefined> => {
    await time.wait(100);
    sent += 1;
    return sent % 4 === 0 ? { code: "unavailable" } : undefined;
  };
  const { calls, errors, tookMs } = await time.run(
    runLoad(plan({ callers: 8 }), { ...time, send, limitMs: 30_000, signal: never }),
  );
  expect(calls).toBe(800);
  expect(errors).toEqual(new Map([["unavailable", 200]]));
  expect(tookMs).toBe(10_000);
});

test("is ended by its signal", async () => {
  const time = fakeTime();
  const controller = new AbortController();
  const send = async (): Promise<undefined> => {
    if (time.now() > 3_000) controller.abort();
    return undefined;
  };
  const { calls } = await time.run(
    runLoad(plan({ rate: 100 }), { ...time, send, limitMs: 30_000, signal: controller.signal }),
  );
  expect(calls).toBeLessThan(210);
});

describe.each([
  ["at a rate", { rate: 10 }, 100],
  ["of callers", { callers: 3 }, 3],
] as const)("calls without an end, %s,", (_, load, count) => {
  const send = () => new Promise<undefined>(() => undefined);

  test("are failures when their limit is over", async () => {
    const time = fakeTime();
    const parts = { ...time, send, limitMs: 30_000, signal: never };
    const result = await time.run(runLoad({ load, warmUpMs: 0, forMs: 10_000 }, parts));
    expect(result).toMatchObject({ calls: count, countedMs: 10_000, isInterrupted: false });
    expect(result.errors).toEqual(new Map([[unfinished, count]]));
    expect(result.latency.max / 1_000).toBeGreaterThan(39_000);
  });

  test("are failures when the bench is interrupted, from when they were to begin", async () => {
    const time = fakeTime();
    const controller = new AbortController();
    const parts = { ...time, send, limitMs: 30_000, signal: controller.signal };
    void time.wait(4_050).then(() => controller.abort());
    const result = await time.run(runLoad({ load, warmUpMs: 0, forMs: 10_000 }, parts));
    expect(result).toMatchObject({ countedMs: 4_050, isInterrupted: true });
    expect([...result.errors]).toEqual([[unfinished, result.calls]]);
    expect(result.latency.max).toBe(4_050_000);
  });
});

test("a call that an interruption ends is unfinished, whatever its end says", async () => {
  const time = fakeTime();
  const controller = new AbortController();
  const { signal } = controller;
  const send = () =>
    new Promise<CallFailure>((resolve) => signal.addEventListener("abort", () => resolve({ code: "canceled" })));
  void time.wait(1_000).then(() => controller.abort());
  const plan = { load: { callers: 2 }, warmUpMs: 0, forMs: 10_000 };
  const { errors } = await time.run(runLoad(plan, { ...time, send, limitMs: 30_000, signal }));
  expect(errors).toEqual(new Map([[unfinished, 2]]));
});
