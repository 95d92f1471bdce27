/** Kills a kernel in the middle of long work, starts it again on the same state, and looks at what became of that work. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("./runs-process.ts", import.meta.url));

/** Runs the process until it has said so many lines, or to its end. */
const runUntil = async (folder: string, lines: number): Promise<void> => {
  const child = spawn(process.execPath, ["--conditions=@fairlead/source", program, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let count = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    count += 1;
    if (count === lines) child.kill("SIGKILL");
  }
  // It may have ended by itself with the line after which it was to be killed.
  expect(count >= lines ? [0, null] : [0]).toContain(await ended);
};

const tally = (lines: readonly string[]): ReadonlyMap<string, number> =>
  lines.reduce((counts, line) => counts.set(line, (counts.get(line) ?? 0) + 1), new Map<string, number>());

const numbers = Array.from({ length: 12 }, (_, at) => at + 1);

/** The process is killed after these numbers of lines, one after the other, and then let run to its end. */
const endure = async (kills: readonly number[]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-killed-runs-"));
  try {
    for (const lines of kills) await runUntil(folder, lines);
    await runUntil(folder, Number.POSITIVE_INFINITY);
    const written = readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n");
    const counts = tally(written);
    const runs: readonly [string, string, number | null][] = JSON.parse(written.at(-1)?.replace(/^over /, "") ?? "[]");
    const ofProcedure = (name: string) => runs.filter(([procedure]) => procedure === `work.${name}`);
    // One run for each key, all of them at their end; a resumed one is done.
    expect(ofProcedure("steps").toSorted(byNumber)).toEqual(numbers.map((n) => ["work.steps", "done", n]));
    expect(ofProcedure("once")).toHaveLength(12);
    // What may not be repeated was begun once; it failed where it was at work when the kernel was killed.
    for (const n of numbers) expect(counts.get(`begin once ${n}`) ?? 0).toBeLessThanOrEqual(1);
    for (const [, state, n] of ofProcedure("once")) {
      expect(["done", "failed"]).toContain(state);
      if (state === "done") expect(counts.get(`end once ${n}`)).toBe(1);
    }
    // An answer that was acknowledged is not asked for again.
    for (const n of numbers) expect(counts.get(`answered ${n}`) ?? 0).toBeLessThanOrEqual(1);
    // A job for each row that was committed, and none for what was rolled back.
    expect(ofProcedure("job").toSorted(byNumber)).toEqual(numbers.map((n) => ["work.job", "done", n]));
    expect(written.filter((line) => /^job -/.test(line))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const byNumber = (
  [, , a]: readonly [string, string, number | null],
  [, , b]: readonly [string, string, number | null],
) => Number(a) - Number(b);

/** Tests that many kills, at places that are drawn from the tier's seed. */
export const testKilledRuns = (kills: number): void => {
  const [places = []] = fc.sample(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: kills, maxLength: kills }), 1);
  test(`runs, answers and jobs survive ${kills} kills of their kernel`, () => endure(places));
};
