import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { memoryAnswers } from "./memory-state.ts";

const reply = (size: number) => ({ ok: true as const, value: "x".repeat(size) });
const use = (principal: string, key: string) => ({ principal, procedure: "shed.pay", key, input: "digest" });

test("one principal fills its share by bytes, the others go on until all is full", async () => {
  const limits = { mostBytes: 40_000, mostOfOne: 10_000, unlimited: "local" };
  const answers = memoryAnswers({ limits });
  const fill = async (principal: string): Promise<number> => {
    for (let taken = 0; ; taken += 1) {
      if ((await answers.claim(use(principal, `${taken}`))) === "full") return taken;
      await answers.finish(use(principal, `${taken}`), reply(1_000));
    }
  };
  const ofAda = await fill("ada");
  expect(ofAda).toBeGreaterThan(4);
  expect(ofAda).toBeLessThan(10);
  expect(await answers.claim(use("ada", "0"))).toEqual({ tag: "answered", input: "digest", reply: reply(1_000) });
  expect(await fill("bob")).toBe(ofAda);
  expect(await fill("local")).toBeGreaterThan(ofAda);
  expect(await answers.claim(use("eve", "a"))).toBe("full");
  await answers.release(use("ada", "0"));
  expect(await answers.claim(use("ada", "0"))).toBe("claimed");
});

test("keys without an answer count, too", async () => {
  const answers = memoryAnswers({ limits: { mostBytes: 1_000_000, mostOfOne: 10_000, unlimited: "local" } });
  let taken = 0;
  while ((await answers.claim(use("ada", `${taken}`))) !== "full") taken += 1;
  expect(taken).toBeLessThan(20);
});

test("after a day an answer goes, and its room is free", async () => {
  let now = 0;
  const limits = { mostBytes: 3_000, mostOfOne: 3_000, unlimited: "local" };
  const answers = memoryAnswers({ now: () => now, limits });
  await answers.claim(use("ada", "a"));
  await answers.finish(use("ada", "a"), reply(5_000));
  expect(await answers.claim(use("ada", "b"))).toBe("full");
  now = 86_400_001;
  expect(await answers.claim(use("ada", "b"))).toBe("claimed");
  expect(await answers.claim(use("ada", "a"))).toBe("claimed");
});

afterEach(() => vi.useRealTimers());

test("a jump of the clock on the wall ends no key", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const answers = memoryAnswers();
  await answers.claim(use("ada", "a"));
  await answers.finish(use("ada", "a"), reply(1));
  vi.setSystemTime(Date.now() + 25 * 3_600_000);
  expect(await answers.claim(use("ada", "a"))).toMatchObject({ tag: "answered" });
});

test("whatever is taken and given back, nothing of it is counted afterwards", async () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), size: fc.option(fc.nat(3_000)) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const answers = memoryAnswers({ limits: { mostBytes: 500, mostOfOne: 500, unlimited: "local" } });
      for (const { key, size } of steps) {
        await answers.claim(use("ada", key));
        if (size !== null) await answers.finish(use("ada", key), reply(size));
      }
      for (const key of ["a", "b", "c"]) await answers.release(use("ada", key));
      expect(await answers.claim(use("bob", "d"))).toBe("claimed");
      expect(await answers.claim(use("bob", "e"))).toBe("full");
      await answers.release(use("bob", "d"));
      expect(await answers.claim(use("ada", "e"))).toBe("claimed");
    }),
    { numRuns: 50 },
  );
});
