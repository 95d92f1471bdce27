/** Work in turn: in order, past failures, and each in the async context of its own caller. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { createTurnQueue } from "./turn-queue.ts";

it("goes one after the other, in order, also after a failure", async () => {
  const inTurn = createTurnQueue();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await pause(1);
    seen.push(`${name} ends`);
    if (name === "b") throw new Error("b failed");
    return name;
  };
  const all = await Promise.allSettled(["a", "b", "c"].map((name) => inTurn(work(name))));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(all[1]).toMatchObject({ reason: { message: "b failed" } });
  expect(seen).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it("runs in the async context of whoever handed it over, not of the one before it", async () => {
  const inTurn = createTurnQueue();
  const caller = new AsyncLocalStorage<string>();
  const work = async () => {
    await pause(1);
    return caller.getStore();
  };
  const callers = ["first", "second", "third"];
  expect(await Promise.all(callers.map((name) => caller.run(name, () => inTurn(work))))).toEqual(callers);
});
