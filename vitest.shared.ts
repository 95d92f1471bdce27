/**
 * The one vitest configuration, for the whole tree (`vitest run`) and for one package (`--root <package> --config` with this file).
 * Three tiers, by mode: without one the quick tests, `--mode long` the `*.long.test.ts` and the whole of those files of which the quick
 * tests are a sample, `--mode soak` the `*.soak.ts`.
 * Tests run the sources, so the source condition is on.
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/runner/longest-first.ts";
import { findSampledFiles } from "./test/runner/sampled-files.ts";
import { Summary } from "./test/runner/summary.ts";

/** Without `import`, which is added to what is imported: workers take these for what is required as well. */
const conditions = ["@fairlead/source", "node", "module", "default"];

const runner = (name: string): string => fileURLToPath(new URL(`test/runner/${name}`, import.meta.url));

const files = {
  quick: () => ({ include: ["**/*.test.ts"], exclude: ["**/*.long.test.ts"] }),
  long: () => ({ include: ["**/*.long.test.ts", ...findSampledFiles(import.meta.dirname)], exclude: [] }),
  soak: () => ({ include: ["**/*.soak.ts"], exclude: [] }),
};

export default defineConfig(({ mode }) => {
  const tier = mode === "long" || mode === "soak" ? mode : "quick";
  const { include, exclude } = files[tier]();
  const hangs = tier === "long" ? 900_000 : 240_000;
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include,
      exclude: [...exclude, "**/node_modules/**", "test/foreign/**"],
      pool: "forks",
      // Workers wait for processes and timers much of the time; two more than there are cores keep these busy.
      maxWorkers: availableParallelism() + 2,
      // Files share a worker and what it has imported: half of the CPU time went into importing the same modules again.
      isolate: false,
      execArgv: ["--conditions=@fairlead/source"],
      // Bounds for what hangs, no measure of speed: a busy machine may stand still for seconds.
      testTimeout: hangs,
      hookTimeout: hangs,
      // A poll ends when what it waits for is there.
      expect: { poll: { timeout: 60_000 } },
      passWithNoTests: true,
      env: { TESTS_TIER: tier },
      sequence: { sequencer: LongestFirst },
      globalSetup: runner("own-folders.ts"),
      setupFiles: ["captured-log.ts", "own-home.ts", ...(mode === "soak" ? [] : ["one-seed.ts"])].map(runner),
      // What a test prints is shown when it fails.
      silent: mode === "soak" ? false : "passed-only",
      reporters: ["minimal", new Summary()],
    },
  };
});
