/**
 * The reports that lie in a project since somebody ran its tools: found by their usual names, read where they are small and not old. Nothing is ever run for them.
 * Not here: what is in them (`report-format.ts`), and what a scout is shown (`tool/scout-facts.ts`).
 */
import { lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { plainPath, readInside } from "../project/safe-file.ts";
import {
  type ReportCount,
  type ReportReader,
  readCoverageSummary,
  readEslint,
  readJestJson,
  readJunit,
  readLcov,
  readPytestCache,
  readVitestCache,
} from "./report-format.ts";

/** A report with what it says, by paths of the project. */
export interface ToolReport {
  readonly path: string;
  /** Whole days since it was written. */
  readonly days: number;
  /** Of files that are there; the most first. */
  readonly counts: readonly ReportCount[];
}

/** A larger report would keep all other calls waiting while it is parsed. */
const most = { bytes: 2_097_152, days: 30, caches: 5, names: 100, files: 100 } as const;

const kinds = ["failing", "slow", "uncovered", "lint"] as const;

const day = 86_400_000;

/** Of names with the same reader the first that says something counts. */
const places: readonly (readonly [reader: ReportReader, paths: readonly string[]])[] = [
  [readJestJson, ["test-results.json", "vitest-results.json", "jest-results.json", "test-results/results.json"]],
  [readJunit, ["junit.xml", "test-results/junit.xml", "reports/junit.xml", "test-report.junit.xml"]],
  [readPytestCache, [".pytest_cache/v/cache/lastfailed"]],
  [readCoverageSummary, ["coverage/coverage-summary.json"]],
  [readLcov, ["coverage/lcov.info", "lcov.info"]],
  [readEslint, ["eslint-report.json", "eslint-results.json", "reports/eslint.json", "eslint.json"]],
];

const vitestCaches = "node_modules/.vite/vitest";

/** @param root real path of the project */
export const readReports = async (root: string, now: number): Promise<readonly ToolReport[]> => {
  const reports: ToolReport[] = [];
  for (const [reader, paths] of [[readVitestCache, listCaches(root)] as const, ...places])
    for (const path of paths) {
      const report = readReport(root, path, { reader, now });
      // Between two reports other calls have their turn.
      await setImmediate();
      if (report === undefined) continue;
      reports.push(report);
      break;
    }
  return reports;
};

/** The youngest first. */
const listCaches = (root: string): readonly string[] => {
  try {
    const folder = plainPath(root, vitestCaches);
    const names = readdirSync(folder).filter((name) => /^[\w-]{1,80}$/.test(name));
    return names
      .slice(0, most.names)
      .map((name) => `${vitestCaches}/${name}/results.json`)
      .toSorted((a, b) => modified(root, b) - modified(root, a))
      .slice(0, most.caches);
  } catch {
    return [];
  }
};

const modified = (root: string, path: string): number =>
  lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

interface ReportReading {
  readonly reader: ReportReader;
  readonly now: number;
}

const readReport = (root: string, path: string, { reader, now }: ReportReading): ToolReport | undefined => {
  const days = Math.max(0, Math.floor((now - modified(root, path)) / day));
  if (days > most.days) return undefined;
  const found = readInside(root, path, most.bytes);
  if (found.kind !== "text") return undefined;
  const named = reader(found.text).flatMap(({ path: name, ...one }) => {
    const own = toOwnPath(root, name);
    return own === undefined || one.count <= 0 ? [] : [{ ...one, path: own }];
  });
  const counts = kinds.flatMap((kind) =>
    named
      .filter((one) => one.kind === kind)
      .toSorted((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
      .slice(0, most.files)
      .filter((one) => isFile(root, one.path)),
  );
  return counts.length === 0 ? undefined : { path, days, counts };
};

/** A report may say any text to be a file. */
const isFile = (root: string, path: string): boolean => {
  try {
    return lstatSync(plainPath(root, path)).isFile();
  } catch {
    return false;
  }
};

/** `undefined` outside of the project. */
const toOwnPath = (root: string, path: string): string | undefined => {
  const own = isAbsolute(path) ? relative(root, path).split(sep).join("/") : posix.normalize(path);
  return own === "" || own.startsWith("../") || own.startsWith("/") || isAbsolute(own) ? undefined : own;
};
