/**
 * How many small faults in dispatch, policy and limits the kernel's tests notice. A sample by a seed; survivors
 * are printed, and at most one in eight may live: some mutants change nothing that can be seen from outside.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isForTests } from "../architecture/folders.ts";
import { sources } from "../architecture/sources.ts";
import { type Mutant, mutantsIn } from "./operators.ts";

const seed = Number(process.env.FAIRLEAD_MUTANT_SEED ?? 13);
/** A mutant that makes the tests hang counts as noticed after so many times what they take without one. */
const slackFactor = 5;

const root = fileURLToPath(new URL("../..", import.meta.url));
const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url));
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const rooms = ["dispatch", "policy", "limits"];

/** The tests beside the mutated rooms; those of the rooms that call them, without a process; and all of the kernel's. */
const selections = {
  near: rooms.map((room) => `kernel/src/${room}/`),
  callers: ["transport", "server", "service", "boot", "host"].map((room) => `kernel/src/${room}/`),
  all: ["kernel/src/"],
} as const;

const everyMutant = (): readonly Mutant[] =>
  sources("kernel")
    .filter(({ path }) => rooms.some((room) => path.startsWith(`kernel/src/${room}/`)) && !isForTests(path))
    .flatMap(({ path, text }) => mutantsIn(path, text));

/** The sample is by a digest of each mutant, so an edit elsewhere does not exchange it. */
const sample = (mutants: readonly Mutant[], size: number): readonly Mutant[] => {
  const rank = ({ path, replacement, title }: Mutant): string =>
    createHash("sha256")
      .update(`${seed} ${path} ${replacement} ${title.replace(/:\d+:/, ":")}`)
      .digest("hex");
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
};

/** Whether the selected tests pass with a mutant in place, in a time (milliseconds). */
const passes = (mutant: Mutant | null, selection: readonly string[], timeout: number): Promise<boolean> => {
  const child = spawn(process.execPath, [vitest, "run", "--config", config, ...selection], {
    cwd: root,
    env: { ...process.env, FAIRLEAD_MUTANT: JSON.stringify(mutant) },
    stdio: "ignore",
    timeout,
    killSignal: "SIGKILL",
  });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  child.on("error", reject).on("close", (code) => resolve(code === 0));
  return promise;
};

export interface MutantRun {
  readonly size: number;
  /** Run in this order, each on what survived those before. */
  readonly tests: readonly (keyof typeof selections)[];
}

/** The test of a sample of mutants. */
export const testMutants = ({ size, tests }: MutantRun) =>
  it(`tests notice at least seven of eight mutants (${size}, seed ${seed})`, { timeout: size * 60_000 }, async () => {
    const limited: { readonly selection: readonly string[]; readonly timeout: number }[] = [];
    for (const name of tests) limited.push({ selection: selections[name], timeout: await measure(selections[name]) });
    const survives = async (mutant: Mutant): Promise<boolean> => {
      for (const { selection, timeout } of limited) if (!(await passes(mutant, selection, timeout))) return false;
      return true;
    };
    const pending = [...sample(everyMutant(), size)];
    expect(pending).toHaveLength(size);
    const survivors: string[] = [];
    const work = async (): Promise<void> => {
      for (let mutant = pending.pop(); mutant !== undefined; mutant = pending.pop())
        if (await survives(mutant)) survivors.push(mutant.title);
    };
    await Promise.all([work(), work()]);
    console.info(`${size - survivors.length} of ${size} noticed; survivors:\n${survivors.join("\n")}`);
    expect(survivors.length, survivors.join("\n")).toBeLessThanOrEqual(size / 8);
  });

/** Milliseconds that selected tests may take with a mutant, by what they take without one. */
const measure = async (selection: readonly string[]): Promise<number> => {
  const began = performance.now();
  expect(await passes(null, selection, 600_000), "the tests pass without a mutant").toBe(true);
  return Math.ceil(slackFactor * (performance.now() - began));
};
