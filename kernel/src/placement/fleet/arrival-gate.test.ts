/** What arrives after a pause is kept until somebody has looked, and what others have given up is dropped. */
import { describe, expect, it } from "vitest";
import { ArrivalGate, pauseMs, turnMs } from "./arrival-gate.ts";

const open = () => {
  const state = { now: 0, passed: [] as string[], looks: [] as PromiseWithResolvers<readonly string[]>[] };
  const gate = new ArrivalGate<string>({
    now: () => state.now,
    pass: (item) => void state.passed.push(item),
    look: async () => {
      const next = Promise.withResolvers<readonly string[]>();
      state.looks.push(next);
      return new Set(await next.promise);
    },
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { state, gate, settled };
};

describe("messages", () => {
  it("go on at once while the event loop turns", () => {
    const { state, gate } = open();
    for (let at = 0; at < 100; at += 1) {
      state.now += turnMs;
      gate.turn();
      gate.take(String(at));
    }
    expect(state.passed).toHaveLength(100);
    expect(state.looks).toHaveLength(0);
  });

  it.each(["a message", "a timer"])(
    "are kept after a pause that %s sees first, and go on but those that are given up",
    async (first) => {
      const { state, gate, settled } = open();
      state.now += pauseMs + 1;
      if (first === "a timer") gate.turn();
      for (const item of ["stale", "fresh"]) gate.take(item);
      expect(state.passed).toEqual([]);
      gate.take("later");
      state.looks[0]?.resolve(["stale"]);
      await settled();
      expect(state.passed).toEqual(["fresh", "later"]);
      gate.take("after");
      expect(state.passed).toEqual(["fresh", "later", "after"]);
    },
  );

  it("are looked at again where another pause came while somebody looked", async () => {
    const { state, gate, settled } = open();
    gate.begin();
    gate.take("one");
    state.now += pauseMs + 1;
    gate.take("two");
    state.looks[0]?.resolve([]);
    await settled();
    expect(state.passed).toEqual([]);
    expect(gate.isOpen).toBe(true);
    state.looks[1]?.resolve(["one"]);
    await settled();
    expect(state.passed).toEqual(["two"]);
  });

  it("are not passed where the pause comes at the end of the look", async () => {
    const { state, gate, settled } = open();
    gate.begin();
    gate.take("one");
    state.now += pauseMs + 1;
    state.looks[0]?.resolve([]);
    await settled();
    expect(state.passed).toEqual([]);
    state.looks[1]?.resolve(["one"]);
    await settled();
    expect([state.passed, gate.isOpen]).toEqual([[], false]);
  });
});
