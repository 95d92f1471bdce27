/** Answers what the contract asks; lets other calls go first where a test wants them mixed. */
import { setImmediate as turn } from "node:timers/promises";
import { defineService } from "@fairlead/kernel/service";
import { target } from "../../contracts/target.contract.ts";

const letOthersGoFirst = async (times: number): Promise<void> => {
  for (let at = 0; at < times; at += 1) await turn();
};

export default defineService(target, () => ({
  handlers: {
    sum: ({ a, b }) => a + b,
    rows: ({ rows }) => rows.length,
    pick: ({ picks }) => picks.length,
    grow: ({ tree }) => tree.value,
    elder: ({ items }) => items.length,
    set: ({ value }) => value,
    ticks: async function* ({ to }) {
      for (let count = 1; count <= to; count += 1) yield count;
    },
    echo: async ({ canary, turns }) => {
      await letOthersGoFirst(turns);
      return { canary, turns };
    },
    refuse: async ({ canary, turns }, call) => {
      await letOthersGoFirst(turns);
      throw call.fail("unwanted", { message: `nobody wants ${canary}` }, { canary });
    },
    follow: async function* ({ canary }) {
      for (let count = 1; count <= 3; count += 1) {
        await turn();
        yield { canary, count };
      }
    },
    wait: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  },
}));
