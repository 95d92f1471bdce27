/**
 * Whether tests notice small faults: each of those that lived once, and of dispatch, policy and limits a sample by a seed. Survivors of the
 * sample are printed, and some may live: there are mutants that change nothing that can be seen from outside, or nothing for these tests.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isForTests } from "../architecture/folders.ts";
import { sources } from "../architecture/sources.ts";
import { type NamedMutant, namedMutants } from "./named.ts";
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
  /** The part that may live, from 0 to 1. */
  readonly mayLive: number;
}

/** The test of a sample of mutants. */
export const testMutants = ({ size, tests, mayLive }: MutantRun) =>
  it(`tests notice small faults (${size}, seed ${seed})`, { timeout: size * 180_000 }, async () => {
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
    expect(survivors.length, survivors.join("\n")).toBeLessThanOrEqual(size * mayLive);
  });

/** Whether the selected tests pass without a mutant: the process of one run may fail by chance, two do not. */
const passesUnchanged = async (selection: readonly string[]): Promise<boolean> =>
  (await passes(null, selection, 600_000)) || passes(null, selection, 600_000);

/** Milliseconds that selected tests may take with a mutant, by what they take without one. */
const measure = async (selection: readonly string[]): Promise<number> => {
  const began = performance.now();
  expect(await passesUnchanged(selection), "the tests pass without a mutant").toBe(true);
  return Math.ceil(slackFactor * (performance.now() - began));
};

const place = ({ path, before, after }: NamedMutant): Mutant => {
  const text = readFileSync(`${root}${path}`, "utf8");
  const start = text.indexOf(before);
  expect([start >= 0, text.lastIndexOf(before)], `${before} is in ${path} once`).toEqual([true, start]);
  return { path, start, end: start + before.length, replacement: after, title: before };
};

/** The tests of the mutants that lived once. */
export const testNamedMutants = () =>
  describe("a fault that was noticed by no test once is noticed", () => {
    it("by tests that pass without it", { timeout: 1_300_000 }, async () => {
      const selection = new Set(namedMutants.flatMap(({ tests }) => tests));
      expect(await passesUnchanged([...selection])).toBe(true);
    });

    it.each(namedMutants)("$path: $before -> $after", { timeout: 900_000 }, async (named) => {
      expect(await passes(place(named), named.tests, 800_000)).toBe(false);
    });
  });
