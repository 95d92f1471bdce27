/**
 * How many small faults in dispatch, policy and limits the kernel's tests notice. A sample by a seed; survivors are printed, and at most
 * one in eight may live: some mutants change nothing that can be seen from outside.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isForTests } from "../architecture/folders.ts";
import { sources } from "../architecture/sources.ts";
import { type Mutant, mutantsIn } from "./operators.ts";

const seed = Number(process.env.FAIRLEAD_MUTANT_SEED ?? 13);
const size = 48;
const mostSurvivors = size / 8;
/** Milliseconds after which a mutant that makes the tests hang counts as noticed. */
const longest = 120_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url));
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const rooms = ["dispatch", "policy", "limits"];

/** The tests beside the mutated rooms, which notice most; then all of the kernel's. */
const near = rooms.map((room) => `kernel/src/${room}/`);
const all = ["kernel/src/"];

const everyMutant = (): readonly Mutant[] =>
  sources("kernel")
    .filter(({ path }) => rooms.some((room) => path.startsWith(`kernel/src/${room}/`)) && !isForTests(path))
    .flatMap(({ path, text }) => mutantsIn(path, text));

/** Numbers in [0, 1) from a seed (mulberry32). */
const generator = (start: number) => {
  let state = start;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const sample = (mutants: readonly Mutant[]): readonly Mutant[] => {
  const random = generator(seed);
  return mutants
    .map((mutant) => ({ mutant, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, size)
    .map(({ mutant }) => mutant);
};

/** Whether the selected tests pass with a mutant in place. */
const passes = (mutant: Mutant | null, selection: readonly string[]): Promise<boolean> => {
  const child = spawn(process.execPath, [vitest, "run", "--config", config, ...selection], {
    cwd: root,
    env: { ...process.env, FAIRLEAD_MUTANT: JSON.stringify(mutant) },
    stdio: "ignore",
    timeout: longest,
    killSignal: "SIGKILL",
  });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  child.on("error", reject).on("close", (code) => resolve(code === 0));
  return promise;
};

it(`tests notice at least seven of eight mutants (seed ${seed})`, { timeout: 1_200_000 }, async () => {
  expect(await passes(null, near), "the tests pass without a mutant").toBe(true);
  const pending = [...sample(everyMutant())];
  expect(pending).toHaveLength(size);
  const survivors: string[] = [];
  const work = async (): Promise<void> => {
    for (let mutant = pending.pop(); mutant !== undefined; mutant = pending.pop())
      if ((await passes(mutant, near)) && (await passes(mutant, all))) survivors.push(mutant.title);
  };
  await Promise.all([work(), work()]);
  console.info(`${size - survivors.length} of ${size} noticed; survivors:\n${survivors.join("\n")}`);
  expect(survivors.length, survivors.join("\n")).toBeLessThanOrEqual(mostSurvivors);
});
