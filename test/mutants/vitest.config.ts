/** The tests of the kernel with one mutant in place of its source: the mutant is JSON in FAIRLEAD_MUTANT, and no file is changed. */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
// @boundaries-ignore the one configuration of the tests
import shared from "../../vitest.shared.ts";
import { apply, type Mutant } from "./operators.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const mutant = JSON.parse(process.env.FAIRLEAD_MUTANT ?? "null") as Mutant | null;

export default defineConfig((environment) =>
  mergeConfig(shared(environment), {
    root,
    plugins: [
      {
        name: "mutant",
        enforce: "pre" as const,
        transform: (code: string, id: string) =>
          mutant !== null && id.split("?")[0] === `${root}${mutant.path}` ? apply(code, mutant) : undefined,
      },
    ],
    test: {
      bail: 1,
      maxWorkers: 1,
      fsModuleCache: false,
      // A test that hangs has noticed its mutant. Without one the tests have all the time that they have elsewhere.
      ...(mutant !== null && { testTimeout: 10_000, expect: { poll: { timeout: 8_000 } } }),
    },
  }),
);
