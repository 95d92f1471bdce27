/** The one vitest configuration; every package re-exports it. Tests run the sources, so the source condition is on. */
import { defineConfig } from "vitest/config";

const conditions = ["@fairlead/source", "node", "import", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: "forks",
    execArgv: ["--conditions=@fairlead/source"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
    include: ["**/*.test.ts"],
  },
});
