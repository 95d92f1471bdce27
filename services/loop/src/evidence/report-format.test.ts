/** Reports as their tools write them, and whatever else may lie under their names. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  mostEntries,
  type ReportReader,
  readCoverageSummary,
  readEslint,
  readJestJson,
  readJunit,
  readLcov,
  readPytestCache,
  readVitestCache,
} from "./report-format.ts";

const junit = `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="3" failures="1" errors="0" time="1.5">
  <testsuite name="src/a.test.ts" tests="2" failures="1">
    <testcase classname="src/a.test.ts" name="one &gt; works" time="0.25"></testcase>
    <testcase classname="src/a.test.ts" name="two" time="1.0">
      <failure message="expected 1 to be 2" type="AssertionError">a.test.ts:3:1</failure>
    </testcase>
  </testsuite>
  <testsuite name="pytest"><testcase classname="tests.test_b" file="tests/test_b.py" name="three" time="2" /></testsuite>
  <testsuite name="java"><testcase classname="org.example.Case" name="four" time="9"/></testsuite>
</testsuites>`;

const istanbul = (total: number, pct: unknown) => ({ lines: { total, covered: 0, skipped: 0, pct } });

it.each<[string, ReportReader, unknown, readonly (readonly [string, string, number])[]]>([
  [
    "Vitest's cache",
    readVitestCache,
    {
      version: 1,
      projects: {
        "": {
          files: {
            "src/a.test.ts": { duration: 64.4, failed: true, failedTests: ["x", "y"] },
            "src/b.test.ts": { failed: false, duration: 2 },
          },
        },
      },
    },
    [
      ["failing", "src/a.test.ts", 2],
      ["slow", "src/a.test.ts", 64],
      ["slow", "src/b.test.ts", 2],
    ],
  ],
  [
    "an earlier Vitest's",
    readVitestCache,
    { version: "3.0.0", results: [[":src/a.test.ts", { duration: 12.5, failed: true }]] },
    [
      ["failing", "src/a.test.ts", 1],
      ["slow", "src/a.test.ts", 13],
    ],
  ],
  [
    "Jest's JSON",
    readJestJson,
    {
      numFailedTests: 1,
      testResults: [
        {
          name: "/p/a.test.js",
          status: "failed",
          assertionResults: [
            { status: "failed", duration: 5, title: "x" },
            { status: "passed", duration: null },
          ],
        },
      ],
    },
    [
      ["failing", "/p/a.test.js", 1],
      ["slow", "/p/a.test.js", 5],
    ],
  ],
  [
    "JUnit",
    readJunit,
    junit,
    [
      ["slow", "src/a.test.ts", 1_250],
      ["failing", "src/a.test.ts", 1],
      ["slow", "tests/test_b.py", 2_000],
    ],
  ],
  [
    "pytest's cache",
    readPytestCache,
    { "tests/test_a.py::test_b": true, "tests/test_a.py::test_c[1::2]": true },
    [["failing", "tests/test_a.py", 2]],
  ],
  [
    "Istanbul's summary",
    readCoverageSummary,
    { total: istanbul(9, 55.5), "/p/a.js": istanbul(4, 25), "/p/b.js": istanbul(0, "Unknown") },
    [["uncovered", "/p/a.js", 75]],
  ],
  [
    "lcov",
    readLcov,
    "TN:\nSF:src/a.js\nDA:1,1\nLF:4\nLH:1\nend_of_record\nSF:b.js\nLF:x\nLH:1\nend_of_record\n",
    [["uncovered", "src/a.js", 75]],
  ],
  [
    "ESLint's JSON",
    readEslint,
    [{ filePath: "/p/a.js", messages: [], errorCount: 2, fatalErrorCount: 0, warningCount: 1 }],
    [["lint", "/p/a.js", 3]],
  ],
])("reads %s", (_, read, report, expected) => {
  const text = typeof report === "string" ? report : JSON.stringify(report);
  expect(read(text).map(({ kind, path, count }) => [kind, path, count])).toEqual(expected);
});

it("reads JUnit's cases as XML has them: values may hold `>`, and what is in CDATA, a comment or a value is no failure", () => {
  const cases = [
    `<testcase name="a > b" classname='says file="x.ts"' file="src/a.ts" time="1"><failure message="1 > 2"/></testcase>`,
    `<testcase file="src/b.ts" time="1"><system-out><![CDATA[<error> <failure> </testcase>]]></system-out></testcase>`,
    `<testcase file="src/c.ts" time="1"><!-- <failure/> --><skipped message="<error"/></testcase><error>the suite's</error>`,
    `<testcase file="src/d&amp;lt;.ts" time="1"><error/></testcase>`,
    `<!-- <testcase file="src/e.ts"><failure/></testcase> -->`,
  ];
  const failing = (text: string) => readJunit(text).filter(({ kind }) => kind === "failing");
  const found = failing(`<?xml version="1.0"?><testsuite>${cases.join("\n")}</testsuite>`);
  expect(found.map(({ path, count }) => [path, count])).toEqual([
    ["src/a.ts", 1],
    ["src/d&lt;.ts", 1],
  ]);
  for (const odd of ["<!--", "<![CDATA[", "<?", '<a "', "<testcase "]) expect(failing(odd.repeat(100_000))).toEqual([]);
});

it("one entry that is none takes nothing from the others", () => {
  const lines = { total: 4, pct: 25 };
  expect(readCoverageSummary(JSON.stringify({ a: null, "b.js": { lines } }))).toHaveLength(1);
  expect(readEslint(JSON.stringify([7, { filePath: "b.js", errorCount: 1, warningCount: 0 }]))).toHaveLength(1);
});

const many = Array.from({ length: mostEntries + 10 }, (_, at) => `src/${at}.ts`);
const byName = (entry: unknown) => Object.fromEntries(many.map((name) => [name, entry]));

it.each<[string, ReportReader, unknown]>([
  ["Vitest's cache", readVitestCache, { projects: { "": { files: byName({}) } } }],
  ["an earlier Vitest's", readVitestCache, { results: many.map((name) => [`:${name}`, {}]) }],
  ["Jest's JSON", readJestJson, { testResults: many.map((name) => ({ name, assertionResults: [] })) }],
  ["pytest's cache", readPytestCache, byName(true)],
  ["JUnit", readJunit, many.map((name) => `<testcase file="${name}" time="1"/>`).join("")],
  ["Istanbul's summary", readCoverageSummary, byName(istanbul(4, 25))],
  ["lcov", readLcov, many.map((name) => `SF:${name}\nLF:4\nLH:1\nend_of_record\n`).join("")],
  ["ESLint's JSON", readEslint, many.map((filePath) => ({ filePath, errorCount: 1, warningCount: 0 }))],
])("looks at so many entries of %s, and at no more", (_, read, report) => {
  const counts = read(typeof report === "string" ? report : JSON.stringify(report));
  expect(counts.length).toBeGreaterThan(mostEntries / 2);
  expect(counts.length).toBeLessThanOrEqual(mostEntries);
});

it("counts the tests of all files of Jest's JSON together", () => {
  const testResults = [{ name: "a.ts", assertionResults: many.map(() => ({ status: "failed" })) }, { name: "b.ts" }];
  expect(readJestJson(JSON.stringify({ testResults }))[0]?.count).toBe(mostEntries - 2);
});

const readers = [readVitestCache, readJestJson, readJunit, readPytestCache, readCoverageSummary, readLcov, readEslint];

it("whatever lies there says nothing, or a number of a name", () => {
  const parts = ["<testcase", ' file="a.b"', ' time="-1"', ' time="1e999"', "/>", ">", "<failure", "</testcase>", '"'];
  const xml = fc.array(fc.constantFrom(...parts)).map((drawn) => drawn.join(""));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), xml), (text) => {
      for (const { path, count } of readers.flatMap((read) => read(text))) {
        expect(typeof path).toBe("string");
        expect(Number.isFinite(count) && count >= 0).toBe(true);
      }
    }),
  );
});
