/**
 * Prints how many blocks of code run for a quarter of a growth and for the whole of it, as JSON: the child process of `scale.test.ts`. It is one of
 * its own since what is compiled before the count begins has no counters in its blocks.
 */
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

// Only now: the count has begun.
const { generateOnce, growths } = await import("./grow.ts");

/** How often blocks of code of this package and of Zod ran since the last time. */
const takeCount = async (): Promise<number> => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => /\/codegen\/src\/|\/zod\//.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
};

const name = process.argv[2] ?? "";
const growth = growths.get(name);
if (growth === undefined) throw new Error(`nothing grows by the name of ${name}`);
const { most, make } = growth;

/** Contracts are made again for each, since models are remembered. */
const countBlocks = async (size: number): Promise<number> => {
  await takeCount();
  await generateOnce(make(size));
  return takeCount();
};

// Modules and what they remember are ready before anything is counted.
await generateOnce(make(1));
const few = await countBlocks(most / 4);
const many = await countBlocks(most);
console.log(JSON.stringify({ most, few, many }));
