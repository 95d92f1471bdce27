import { expect, test } from "vitest";
import { hasCompiler, runOnFailingDisk } from "./failing-disk.ts";

const seed = Number(process.env.TESTS_SEED ?? 20_261);

test.runIf(hasCompiler())(
  "what was acknowledged survives writes and syncs that fail, and every failure is the storage's",
  async () => {
    const figures = await runOnFailingDisk(40, seed);
    expect(figures.wrong).toEqual([]);
    expect(figures).toMatchObject({ sessions: 40, codes: { ok: figures.acknowledged } });
    // Otherwise nothing was tried.
    expect(figures.failed).toBeGreaterThan(20);
    expect(figures.codes.unavailable).toBeGreaterThan(0);
  },
);
