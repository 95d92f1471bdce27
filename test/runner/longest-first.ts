/**
 * The order of test files. First those that start processes, since a young worker forks in a tenth of the time that one takes which has
 * imported everything. Then, within these and the others, the longest first, so that no worker ends on a long one alone; those that mostly
 * wait are dealt out among the first, so that the other workers have work meanwhile. What took long is known from the runs before, or, on a
 * fresh machine, from the list below; the rest goes by the size of the file.
 */
import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take much longer than their size lets one expect, in seconds. */
const longest: Readonly<Record<string, number>> = {
  "clients/cli/test/process.test.ts": 12,
  "test/e2e/loop.test.ts": 12,
  "test/faults/supervision.test.ts": 12,
  "kernel/src/placement/thread.test.ts": 11,
  "services/rules/src/odds/brute-force.test.ts": 9,
  "test/architecture/names.test.ts": 8,
  "test/golden/differential.test.ts": 8,
  "codegen/src/load/load.test.ts": 7,
  "test/architecture/expressions.test.ts": 7,
  "test/conformance/suite.test.ts": 7,
  "services/connections/src/startup/lua-script.test.ts": 6,
  "services/inspector/src/explore/slow.test.ts": 6,
  "services/inspector/src/language/fuzz.test.ts": 5,
  "services/inspector/src/language/hostile-coercion.test.ts": 5,
  "test/conformance/access.test.ts": 5,
  "test/conformance/rules.test.ts": 5,
  "test/e2e/session.test.ts": 5,
  "test/golden/agreement.test.ts": 5,
  "test/golden/construct-types.test.ts": 5,
  "test/golden/must-fail.test.ts": 5,
  "clients/cli/test/doctor.test.ts": 4,
  "test/architecture/names-documented.test.ts": 4,
  "test/architecture/names-used.test.ts": 4,
  "codegen/src/names/stable-names.test.ts": 4,
  "codegen/src/scale.test.ts": 4,
  "kernel/src/supervision/laws.test.ts": 4,
  "kernel/src/transport/trpc/web-socket.test.ts": 4,
  "services/inspector/src/language/hostile-flood.test.ts": 4,
  "services/inspector/src/remote/remote-process.test.ts": 4,
  "test/conformance/mcp-public/malformed.test.ts": 4,
};

/** Files that wait for timers nearly all of their time. */
const waiting = [
  "test/faults/table-http.test.ts",
  "test/faults/table-process.test.ts",
  "services/pob/src/faults.test.ts",
  "services/pob/src/session/health.test.ts",
];

const isWaiting = ({ moduleId }: TestSpecification): boolean => waiting.some((path) => moduleId.endsWith(path));

const startsProcesses = /\/(?:services\/(?:loop|pob)|clients\/cli|test\/(?:e2e|faults)|kernel\/src\/subprocess)\//;

/** The ones that wait, each before its share of the others. */
const deal = (waits: readonly TestSpecification[], others: readonly TestSpecification[]): TestSpecification[] => {
  const share = Math.ceil(others.length / Math.max(waits.length, 1));
  return [...waits, undefined].flatMap((file, at) => [
    ...(file === undefined ? [] : [file]),
    ...others.slice(at * share, (at + 1) * share),
  ]);
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = new Map(files.map((file) => [file, this.#weight(file)]));
    const group = ({ moduleId }: TestSpecification): number => Number(!startsProcesses.test(moduleId));
    const sorted = files.toSorted((a, b) => group(a) - group(b) || (weight.get(b) ?? 0) - (weight.get(a) ?? 0));
    const first = sorted.filter((file) => group(file) === 0);
    return [
      ...deal(
        first.filter(isWaiting),
        first.filter((file) => !isWaiting(file)),
      ),
      ...sorted.slice(first.length),
    ];
  }

  /** Milliseconds, or what stands for them. */
  #weight(file: TestSpecification): number {
    const known = this.ctx.cache.getTestSpecificationResult(file)?.duration;
    if (known !== undefined) return known;
    const listed = Object.entries(longest).find(([path]) => file.moduleId.endsWith(path));
    return listed === undefined ? statSync(file.moduleId).size / 20 : 1_000 * listed[1];
  }
}
