/**
 * What tools leave behind of their last run, as counts by file: Vitest's own cache, Jest's and Vitest's JSON, JUnit XML, pytest's cache, coverage as Istanbul's
 * summary and as lcov, ESLint's JSON. Pure, and never throws: what cannot be read says nothing. Only names of files and numbers are taken.
 *
 * Not here: which files these are, and how old (`report-file.ts`).
 */
import * as z from "zod";

/** One thing that is known of a file. */
export interface ReportCount {
  readonly kind: "failing" | "slow" | "uncovered" | "lint";
  /** As the report has it: absolute, or relative to where its tool ran. */
  readonly path: string;
  /** Failed tests; milliseconds; lines without coverage in percent; findings. */
  readonly count: number;
}

export type ReportReader = (text: string) => readonly ReportCount[];

const json =
  <T extends z.ZodType>(shape: T, read: (value: z.output<T>) => readonly ReportCount[]): ReportReader =>
  (text) => {
    try {
      const parsed = shape.safeParse(JSON.parse(text));
      return parsed.success ? read(parsed.data) : [];
    } catch {
      return [];
    }
  };

const amount = z.number().nonnegative().finite();

const testFile = (path: string, failed: number, milliseconds: number): readonly ReportCount[] => [
  ...(failed > 0 ? [{ kind: "failing", path, count: failed } as const] : []),
  { kind: "slow", path, count: Math.round(milliseconds) },
];

const cached = z.object({
  duration: amount.default(0),
  failed: z.boolean().default(false),
  failedTests: z.array(z.unknown()).optional(),
});

/** `node_modules/.vite/vitest/<project>/results.json`. */
export const readVitestCache = json(
  z.union([
    z.object({ projects: z.record(z.string(), z.object({ files: z.record(z.string(), cached) })) }),
    z.object({ results: z.array(z.tuple([z.string(), cached])) }),
  ]),
  (value) => {
    const files =
      "projects" in value
        ? Object.values(value.projects).flatMap((project) => Object.entries(project.files))
        : value.results.map(([path, result]) => [path.slice(path.indexOf(":") + 1), result] as const);
    return files.flatMap(([path, { duration, failed, failedTests }]) =>
      testFile(path, failed ? Math.max(1, failedTests?.length ?? 1) : 0, duration),
    );
  },
);

const assertion = z.object({ status: z.string(), duration: amount.nullish() });

/** What Jest and Vitest write with `--json` and `--reporter json`. */
export const readJestJson = json(
  z.object({ testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(assertion) })) }),
  ({ testResults }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      testFile(
        name,
        assertionResults.filter(({ status }) => status === "failed").length,
        assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
      ),
    ),
);

/** `.pytest_cache/v/cache/lastfailed`: names of tests, `tests/test_a.py::test_b`. */
export const readPytestCache = json(z.record(z.string(), z.literal(true)), (tests) =>
  sumUp(Object.keys(tests).map((name) => ({ kind: "failing", path: name.split("::")[0] ?? "", count: 1 }))),
);

const fields = { file: /\sfile="([^"]*)"/, classname: /\sclassname="([^"]*)"/, time: /\stime="([^"]*)"/ } as const;

const readField = (text: string, name: keyof typeof fields): string | undefined =>
  fields[name].exec(text)?.[1]?.replaceAll("&amp;", "&");

/** Cases of a report; what is more says nothing new. */
const mostCases = 20_000;

/** Cases that name a file, or whose class is one, as Vitest and pytest write them. */
export const readJunit: ReportReader = (text) => {
  const counts: ReportCount[] = [];
  const cases = text.split("<testcase").slice(1, mostCases + 1);
  for (const one of cases) {
    const head = one.slice(0, Math.max(0, one.indexOf(">")));
    const body = one.slice(head.length, one.indexOf("</testcase>") + 1 || head.length);
    const name = readField(head, "file") ?? readField(head, "classname") ?? "";
    if (!/[^/]\.[A-Za-z]+$/.test(name) || (readField(head, "file") === undefined && !name.includes("/"))) continue;
    const seconds = Number(readField(head, "time") ?? 0);
    const failed = head.endsWith("/") ? false : /<(?:failure|error)\b/.test(body);
    counts.push(...testFile(name, failed ? 1 : 0, Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0));
  }
  return sumUp(counts);
};

/** `coverage/coverage-summary.json` of Istanbul, c8 and Vitest. */
export const readCoverageSummary = json(
  z.record(z.string(), z.object({ lines: z.object({ total: amount, pct: z.unknown() }) })),
  (files) =>
    Object.entries(files).flatMap(([path, { lines }]) =>
      path === "total" || lines.total === 0 || typeof lines.pct !== "number"
        ? []
        : [{ kind: "uncovered" as const, path, count: Math.round(100 - lines.pct) }],
    ),
);

/** `coverage/lcov.info`. */
export const readLcov: ReportReader = (text) => {
  const counts: ReportCount[] = [];
  let [path, found, hit] = ["", 0, 0];
  for (const line of text.split("\n")) {
    if (line.startsWith("SF:")) [path, found, hit] = [line.slice(3).trim(), 0, 0];
    else if (line.startsWith("LF:")) found = Number(line.slice(3));
    else if (line.startsWith("LH:")) hit = Number(line.slice(3));
    else if (line.startsWith("end_of_record") && path !== "" && found > 0 && hit >= 0 && hit <= found)
      counts.push({ kind: "uncovered", path, count: Math.round(100 - (100 * hit) / found) });
  }
  return counts;
};

/** What ESLint writes with `--format json`. */
export const readEslint = json(
  z.array(z.object({ filePath: z.string(), errorCount: amount, warningCount: amount })),
  (files) =>
    files.map(({ filePath, errorCount, warningCount }) => ({
      kind: "lint",
      path: filePath,
      count: errorCount + warningCount,
    })),
);

/** One count for each file and kind. */
const sumUp = (counts: readonly ReportCount[]): readonly ReportCount[] => {
  const sums = new Map<string, ReportCount>();
  for (const one of counts) {
    const key = `${one.kind} ${one.path}`;
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
};
