/** What a call costs by the lane its handler takes: at once, in a promise, in an Effect, and where the contract repeats failures. */
import { defineContract, query } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { sumInput, sumOutput, sumValue } from "./payload.ts";

const calls = 20_000;
const rounds = 9;
const common = { summary: "Adds.", input: sumInput, output: sumOutput };
const retry = { retry: { attempts: 3 } };

const contract = defineContract({
  id: "lanes",
  version: "1.0.0",
  summary: "Answers benches.",
  procedures: {
    sync: query(common),
    promise: query(common),
    effect: query(common),
    waitingEffect: query(common),
    syncWithRetry: query({ ...common, policy: retry }),
    effectWithRetry: query({ ...common, policy: retry }),
  },
});

const add = ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b });

export const benchLanes = async (): Promise<void> => {
  const kernel = openMemoryKernel([
    defineService(contract, () => ({
      handlers: {
        sync: add,
        promise: async (input) => add(input),
        effect: (input) => Effect.succeed(add(input)),
        waitingEffect: (input) => Effect.promise(async () => add(input)),
        syncWithRetry: add,
        effectWithRetry: (input) => Effect.succeed(add(input)),
      },
    })),
  ]);
  const rows = {
    "a value": "sync",
    "a promise": "promise",
    "an Effect that does not wait": "effect",
    "an Effect that waits": "waitingEffect",
    "a value, with retry": "syncWithRetry",
    "an Effect, with retry": "effectWithRetry",
  } as const;
  console.log("\n| a handler that returns | least, µs CPU | median, µs CPU |\n|---|---|---|");
  for (const [name, procedure] of Object.entries(rows)) {
    const figures = await costs(() => kernel.call(`lanes.${procedure}`, sumValue));
    console.log(`| ${name} | ${figures[0]?.toFixed(2)} | ${figures[Math.floor(rounds / 2)]?.toFixed(2)} |`);
  }
  await kernel.close();
};

/** Microseconds of CPU a call, round by round, least first. */
const costs = async (once: () => Promise<unknown>): Promise<readonly number[]> => {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < calls; index += 1) await once();
    const { user, system } = process.cpuUsage(before);
    figures.push((user + system) / calls);
  }
  return figures.toSorted((a, b) => a - b);
};
