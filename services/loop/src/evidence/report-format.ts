/**
 * What tools leave behind of their last run, as counts by file: Vitest's own cache, Jest's and Vitest's JSON, JUnit XML, pytest's cache, coverage as Istanbul's
 * summary and as lcov, ESLint's JSON. Pure, and never throws: what cannot be read says nothing. Only names of files and numbers are taken.
 *
 * Not here: which files these are, and how old (`report-file.ts`).
 */
import * as z from "zod";
import { readTags, type XmlTag } from "./xml-tags.ts";

/** One thing that is known of a file. */
export interface ReportCount {
  readonly kind: "failing" | "slow" | "uncovered" | "lint";
  /** As the report has it: absolute, or relative to where its tool ran. */
  readonly path: string;
  /** Failed tests; milliseconds; lines without coverage in percent; findings. */
  readonly count: number;
}

export type ReportReader = (text: string) => readonly ReportCount[];

/** Entries of one report that are looked at; what is more says nothing new, and would keep all other calls waiting. */
export const mostEntries = 20_000;

/** Reads the entries of one report, so many of them altogether. Each is judged by itself: one that is none says nothing. */
class Entries {
  #left = mostEntries;

  /** Values of an object with their names. */
  named<T>(value: unknown, shape: z.ZodType<T>): readonly (readonly [name: string, entry: T])[] {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return this.#read(Object.entries(value), shape);
  }

  /** Items of a list. */
  listed<T>(value: unknown, shape: z.ZodType<T>): readonly T[] {
    return Array.isArray(value) ? this.#read(value.entries(), shape).map(([, entry]) => entry) : [];
  }

  #read<K, T>(entries: Iterable<readonly [K, unknown]>, shape: z.ZodType<T>): readonly (readonly [K, T])[] {
    const found: (readonly [K, T])[] = [];
    for (const [name, entry] of entries) {
      if (this.#left === 0) break;
      this.#left -= 1;
      const { success, data } = shape.safeParse(entry);
      if (success) found.push([name, data]);
    }
    return found;
  }
}

const json =
  (read: (value: unknown, entries: Entries) => readonly ReportCount[]): ReportReader =>
  (text) => {
    try {
      return read(JSON.parse(text), new Entries());
    } catch {
      return [];
    }
  };

/** What a field of a document holds; nothing where the document is no object. */
const readField = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

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

/** `node_modules/.vite/vitest/<project>/results.json`: as it is now, and as it was up to version 3. */
export const readVitestCache = json((value, entries) =>
  [
    ...entries
      .named(readField(value, "projects"), z.object({ files: z.unknown() }))
      .flatMap(([, { files }]) => entries.named(files, cached)),
    ...entries
      .listed(readField(value, "results"), z.tuple([z.string(), cached]))
      .map(([path, result]) => [path.slice(path.indexOf(":") + 1), result] as const),
  ].flatMap(([path, { duration, failed, failedTests }]) =>
    testFile(path, failed ? Math.max(1, failedTests?.length ?? 1) : 0, duration),
  ),
);

const assertion = z.object({ status: z.string(), duration: amount.nullish() });

/** What Jest and Vitest write with `--json` and `--reporter json`. */
export const readJestJson = json((value, entries) =>
  entries
    .listed(readField(value, "testResults"), z.object({ name: z.string(), assertionResults: z.unknown() }))
    .flatMap(({ name, assertionResults }) => {
      const tests = entries.listed(assertionResults, assertion);
      return testFile(
        name,
        tests.filter(({ status }) => status === "failed").length,
        tests.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
      );
    }),
);

/** `.pytest_cache/v/cache/lastfailed`: names of tests, `tests/test_a.py::test_b`. */
export const readPytestCache = json((value, entries) =>
  sumUp(
    entries
      .named(value, z.literal(true))
      .map(([name]) => ({ kind: "failing", path: name.split("::", 1)[0] ?? "", count: 1 })),
  ),
);

/** Cases that name a file, or whose class is one, as Vitest and pytest write them. */
export const readJunit: ReportReader = (text) => {
  const cases: JunitCase[] = [];
  let open: JunitCase | undefined;
  for (const tag of readTags(text)) {
    if (tag.name === "testcase") {
      if (cases.length === mostEntries) break;
      open = tag.kind === "open" ? { tag, failed: false } : undefined;
      if (tag.kind !== "close") cases.push(open ?? { tag, failed: false });
    } else if (open !== undefined && tag.kind !== "close" && (tag.name === "failure" || tag.name === "error"))
      open.failed = true;
  }
  return sumUp(cases.flatMap(readCase));
};

interface JunitCase {
  readonly tag: XmlTag;
  failed: boolean;
}

const readCase = ({ tag, failed }: JunitCase): readonly ReportCount[] => {
  const file = tag.read("file");
  const name = file ?? tag.read("classname") ?? "";
  if (!/[^/]\.[A-Za-z]+$/.test(name) || (file === undefined && !name.includes("/"))) return [];
  const seconds = Number(tag.read("time") ?? 0);
  return testFile(name, failed ? 1 : 0, Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0);
};

/** `coverage/coverage-summary.json` of Istanbul, c8 and Vitest. */
export const readCoverageSummary = json((value, entries) =>
  entries
    .named(value, z.object({ lines: z.object({ total: amount, pct: z.unknown() }) }))
    .flatMap(([path, { lines }]) =>
      path === "total" || lines.total === 0 || typeof lines.pct !== "number"
        ? []
        : [{ kind: "uncovered" as const, path, count: Math.max(0, Math.round(100 - lines.pct)) }],
    ),
);

/** `coverage/lcov.info`. */
export const readLcov: ReportReader = (text) => {
  const counts: ReportCount[] = [];
  let [path, found, hit] = ["", 0, 0];
  for (const line of text.split("\n")) {
    if (counts.length === mostEntries) break;
    if (line.startsWith("SF:")) [path, found, hit] = [line.slice(3).trim(), 0, 0];
    else if (line.startsWith("LF:")) found = Number(line.slice(3));
    else if (line.startsWith("LH:")) hit = Number(line.slice(3));
    else if (line.startsWith("end_of_record") && path !== "" && found > 0 && hit >= 0 && hit <= found)
      counts.push({ kind: "uncovered", path, count: Math.round(100 - (100 * hit) / found) });
  }
  return counts;
};

/** What ESLint writes with `--format json`. */
export const readEslint = json((value, entries) =>
  entries
    .listed(value, z.object({ filePath: z.string(), errorCount: amount, warningCount: amount }))
    .map(({ filePath, errorCount, warningCount }) => ({
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
