/** Load over a clock of the test's own: what is counted, and from when. */
import { describe, expect, test } from "vitest";
import { type LoadPlan, mostUnderWay, notSent, runLoad } from "./load.ts";

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
    const result = await time.run(runLoad(plan({ rate: 100 }), { ...time, send, signal: never }));
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
    const { latency, calls } = await time.run(runLoad(plan({ rate: 100 }), { ...time, send, signal: never }));
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
      runLoad({ load: { rate: 20_000 }, warmUpMs: 0, forMs: 1_000 }, { ...time, send, signal: never }),
    );
    expect(calls).toBe(20_000);
    expect(errors.get(notSent)).toBe(20_000 - mostUnderWay);
  });
});

test("callers wait for their answers, and failures are counted by code", async () => {
  const time = fakeTime();
  let sent = 0;
  const send = async (): Promise<string | undefined> => {
    await time.wait(100);
    sent += 1;
    return sent % 4 === 0 ? "unavailable" : undefined;
  };
  const { calls, errors, tookMs } = await time.run(runLoad(plan({ callers: 8 }), { ...time, send, signal: never }));
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
  const { calls } = await time.run(runLoad(plan({ rate: 100 }), { ...time, send, signal: controller.signal }));
  expect(calls).toBeLessThan(210);
});
