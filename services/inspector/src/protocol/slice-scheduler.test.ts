/** Turns on a clock of the test's own: a short question waits for no long one, and long ones end in their order. */
import { expect, test } from "vitest";
import type { ToolAnswer } from "./backend.ts";
import { SliceScheduler } from "./slice-scheduler.ts";

const { signal } = new AbortController();
const sliceMs = 5;

/** Questions that need so many slices; `clock.ms` is what has gone by, and `ended` is in what order they ended. */
const place = (waitMs = 1e9) => {
  const clock = { ms: 0 };
  const ended: { readonly name: string; readonly ms: number }[] = [];
  const turns = new SliceScheduler({ waitMs, now: () => clock.ms });
  const run = async (name: string, slices: number, ends = signal): Promise<ToolAnswer> => {
    let left = slices;
    const answer = await turns.run(() => {
      clock.ms += sliceMs;
      left--;
      return Promise.resolve(left > 0 ? undefined : { kind: "value" as const, value: name });
    }, ends);
    ended.push({ name, ms: clock.ms });
    return answer;
  };
  return { clock, ended, turns, run };
};

test("twenty long questions make a short one that comes with them wait for a slice of each, a later one for four at most", async () => {
  const { clock, ended, run } = place();
  const long = Array.from({ length: 20 }, (_, at) => run(`long ${at}`, 200));
  await run("short", 1);
  expect(ended).toEqual([{ name: "short", ms: expect.any(Number) }]);
  expect(clock.ms).toBeLessThanOrEqual(2 * 22 * sliceMs);
  const before = clock.ms;
  await run("later", 1);
  expect(clock.ms - before).toBeLessThanOrEqual(4 * sliceMs);
  await Promise.all(long);
  expect(ended.slice(2).map(({ name }) => name)).toEqual(long.map((_, at) => `long ${at}`));
});

test("a question of some slices goes before the long ones, which go on meanwhile", async () => {
  const { ended, run } = place();
  const long = run("long", 1_000);
  await run("middle", 20);
  expect(ended).toEqual([{ name: "middle", ms: expect.any(Number) }]);
  // The long one came first, and is long from 200 ms on.
  expect(ended[0]?.ms).toBeLessThanOrEqual(200 + 2 * 22 * sliceMs);
  await long;
});

test("a question of some slices has its turns between a long one and short ones that never cease", async () => {
  const { clock, ended, turns, run } = place();
  const caller = new AbortController();
  const long = run("long", 1_000_000, caller.signal);
  await run("first", 30);
  const feed = async (): Promise<void> => {
    while (ended.every(({ name }) => name !== "middle") && clock.ms < 10_000) await run("short", 1);
  };
  const feeds = [feed(), feed(), feed()];
  const { ms } = clock;
  await run("middle", 4);
  expect(clock.ms - ms).toBeLessThanOrEqual(3 * 6 * sliceMs);
  caller.abort();
  turns.close({ kind: "gone", why: "the test is over" });
  await Promise.all([long, ...feeds]);
});

test("who gives up is answered at once, and has no more turns", async () => {
  const { run, clock } = place();
  const caller = new AbortController();
  const long = run("long", 1_000_000, caller.signal);
  await run("short", 1);
  caller.abort();
  expect(await long).toEqual({ kind: "gone", why: "the caller gave up" });
  expect(await run("gone", 1, AbortSignal.abort())).toMatchObject({ kind: "gone" });
  const { ms } = clock;
  await run("next", 1);
  expect(clock.ms - ms).toBeLessThanOrEqual(2 * sliceMs);
});

test("closing answers whoever waits", async () => {
  const { run, turns } = place();
  const waiting = [run("long", 10), run("other", 10)];
  turns.close({ kind: "gone", why: "the service is stopping" });
  expect(await waiting[1]).toEqual({ kind: "gone", why: "the service is stopping" });
  await waiting[0];
});
