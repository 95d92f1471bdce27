/**
 * Runs before each test file of the quick and the long tier: properties draw from one seed, so that a commit that is green once is
 * green everywhere, and a red one stays red until it is fixed. New values are the soak's work, which draws a new seed each time;
 * `TESTS_SEED=7 npm test` tries others here. A property that names no count draws a quarter of fast-check's hundred in the quick tier; the
 * long tier runs each file whole that has properties (`sampled-files.ts`).
 */
import fc from "fast-check";

fc.configureGlobal({
  seed: Number(process.env.TESTS_SEED ?? 20_261),
  ...(process.env.TESTS_TIER === "quick" && { numRuns: 25 }),
});
