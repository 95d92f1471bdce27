/**
 * The order of test files. First those that start processes, since a young worker forks in a tenth of the time that one takes which has
 * imported everything. Then, within these and the others, the longest first, so that no worker ends on a long one alone. What took long
 * is known from the runs before, or, on a fresh machine, from the list below; the rest goes by the size of the file.
 */
import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take more than five seconds, longest first. */
const longest = [
  "services/inspector/src/limits.test.ts",
  "services/inspector/src/language/hostile-flood.test.ts",
  "clients/cli/test/process.test.ts",
  "services/connections/src/upstream/tool-calls.test.ts",
  "test/conformance/rules.test.ts",
  "test/e2e/loop.test.ts",
  "test/faults/table-http.test.ts",
  "test/e2e/session.test.ts",
  "test/faults/limits.test.ts",
];

const startsProcesses = /\/(?:services\/(?:loop|pob)|clients\/cli|test\/(?:e2e|faults)|kernel\/src\/subprocess)\//;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = new Map(files.map((file) => [file, this.#weight(file)]));
    const group = ({ moduleId }: TestSpecification): number => Number(!startsProcesses.test(moduleId));
    return files.toSorted((a, b) => group(a) - group(b) || (weight.get(b) ?? 0) - (weight.get(a) ?? 0));
  }

  /** Milliseconds, or what stands for them. */
  #weight(file: TestSpecification): number {
    const known = this.ctx.cache.getTestSpecificationResult(file)?.duration;
    if (known !== undefined) return known;
    const place = longest.findIndex((path) => file.moduleId.endsWith(path));
    return place < 0 ? statSync(file.moduleId).size / 20 : 5_000 + 1_000 * (longest.length - place);
  }
}
