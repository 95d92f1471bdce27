/**
 * Files of which the quick tier runs a sample and the long tier everything: those that look which tier it is (`TESTS_TIER`), and those
 * with properties, which draw less in the quick tier (`one-seed.ts`). As patterns for vitest, by folder and name, so that they hold from
 * the root of the tree and of a package.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const findSampledFiles = (root: string): readonly string[] =>
  globSync("**/*.test.ts", { cwd: root, exclude: (name) => basename(name) === "node_modules" })
    .filter((path) => readFileSync(join(root, path), "utf8").match(/process\.env\.TESTS_TIER|from "fast-check"/))
    .map((path) => `**/${basename(dirname(path))}/${basename(path)}`)
    .toSorted();
