import { describe, expect, test } from "vitest";
import { createProcessPlaces } from "./process-places.ts";

const makeSession = (name: string) => {
  const session = {
    name,
    running: false,
    asleep: 0,
    awake: () => session.running,
    sleep: async () => {
      await Promise.resolve();
      session.running = false;
      session.asleep += 1;
    },
  };
  return session;
};

type TestSession = ReturnType<typeof makeSession>;

const never = new AbortController().signal;

/** Lets everything that is ready happen. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

const open = (count: number) => {
  const places = createProcessPlaces<TestSession>(count);
  const order: string[] = [];
  const acquire = async (session: TestSession, principal = "a", signal = never): Promise<() => void> => {
    const release = places.take(session) ?? (await places.acquire(session, { principal, signal }));
    session.running = true;
    order.push(`${principal}:${session.name}`);
    return release;
  };
  return { places, order, acquire };
};

describe("places for processes", () => {
  test("no more sessions than places are awake at once, and the one unused for longest sleeps", async () => {
    const { acquire } = open(2);
    const [one, two, three] = [makeSession("1"), makeSession("2"), makeSession("3")];
    (await acquire(one))();
    (await acquire(two))();
    (await acquire(one))();
    (await acquire(three))();
    expect([one.running, two.running, three.running]).toEqual([true, false, true]);
  });

  test("one that works is never put to sleep, and calls of one session share its place", async () => {
    const { acquire, order } = open(1);
    const [one, two] = [makeSession("1"), makeSession("2")];
    const [first, second] = [await acquire(one), await acquire(one)];
    const other = acquire(two, "b");
    first();
    await settle();
    expect([one.running, order]).toEqual([true, ["a:1", "a:1"]]);
    second();
    second();
    (await other)();
    expect([one.running, two.running]).toEqual([false, true]);
  });

  test("a caller whose time runs out while every place is at work gets none, and the work goes on", async () => {
    const { acquire } = open(2);
    const [one, two, three] = [makeSession("1"), makeSession("2"), makeSession("3")];
    const releases = [await acquire(one), await acquire(two)];
    const late = new AbortController();
    const refused = acquire(three, "b", late.signal);
    late.abort(new Error("out of time"));
    await expect(refused).rejects.toThrow("out of time");
    expect([one.running, two.running, three.running]).toEqual([true, true, false]);
    for (const release of releases) release();
  });

  test("principals take turns: one with many calls waiting keeps another waiting for one of them", async () => {
    const { acquire, order } = open(1);
    const sessions = ["1", "2", "3", "4"].map(makeSession);
    const held = await acquire(makeSession("0"), "c");
    const all = sessions.map((session) => acquire(session, "a").then((release) => release()));
    const other = acquire(makeSession("x"), "b").then((release) => release());
    held();
    await Promise.all([...all, other]);
    expect(order).toEqual(["c:0", "a:1", "b:x", "a:2", "a:3", "a:4"]);
  });

  test("who gives up leaves the queue, and a place is given back once", async () => {
    const { places, acquire } = open(1);
    const [one, two, three] = [makeSession("1"), makeSession("2"), makeSession("3")];
    const release = await acquire(one);
    const stop = new AbortController();
    const left = acquire(two, "a", stop.signal);
    const stays = acquire(three);
    expect(places.isUsed(two)).toBe(true);
    stop.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(places.isUsed(two)).toBe(false);
    release();
    release();
    (await stays)();
    expect(places.isUsed(three)).toBe(false);
    await expect(places.acquire(one, { principal: "a", signal: stop.signal })).rejects.toThrow("gone");
  });

  test("a session that ended by itself, and one that cannot be put to sleep, give their places free", async () => {
    const { acquire } = open(1);
    const [one, two] = [makeSession("1"), makeSession("2")];
    (await acquire(one))();
    one.running = false;
    (await acquire(two))();
    expect(one.asleep).toBe(0);
    two.sleep = () => Promise.reject(new Error("it is stuck"));
    (await acquire(one))();
    expect(one.running).toBe(true);
  });

  test("twenty callers at once, each with a session of its own, share three places", async () => {
    const { acquire } = open(3);
    const sessions = Array.from({ length: 20 }, (_, index) => makeSession(String(index)));
    let most = 0;
    await Promise.all(
      sessions.map(async (session, index) => {
        const release = await acquire(session, String(index % 4));
        most = Math.max(most, sessions.filter(({ running }) => running).length);
        await settle();
        release();
      }),
    );
    expect(most).toBe(3);
  });
});
