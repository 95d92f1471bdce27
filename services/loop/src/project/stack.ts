/** Detects the languages and tools of a project, by the names of its files and its package file. Reads names and one file, runs nothing. */

export interface ProjectStack {
  readonly languages: readonly string[];
  readonly test_runner: string | null;
  readonly framework: string | null;
  readonly linter: string | null;
}

const languages: Readonly<Record<string, string>> = {
  ts: "TypeScript",
  tsx: "TypeScript",
  mts: "TypeScript",
  js: "JavaScript",
  jsx: "JavaScript",
  mjs: "JavaScript",
  py: "Python",
  go: "Go",
  rs: "Rust",
  rb: "Ruby",
  java: "Java",
  kt: "Kotlin",
  cs: "C#",
  php: "PHP",
  swift: "Swift",
  ex: "Elixir",
  lua: "Lua",
  c: "C",
  cpp: "C++",
};

const runners = ["vitest", "jest", "mocha", "ava", "@playwright/test"];
/** Files at the top whose presence says how tests are run; the first one that is there. */
const runnersByFile: readonly (readonly [string, string])[] = [
  ["pytest.ini", "pytest"],
  ["tox.ini", "tox"],
  ["conftest.py", "pytest"],
  ["go.mod", "go test"],
  ["Cargo.toml", "cargo test"],
  ["mix.exs", "mix test"],
  ["gradlew", "./gradlew test"],
  ["pom.xml", "mvn test"],
  ["Makefile", "make"],
  ...[
    "test",
    "test.sh",
    "run-tests",
    "run-tests.sh",
    "run_tests.sh",
    "check.sh",
    "script/test",
    "scripts/test",
    "scripts/test.sh",
  ].map((file) => [file, `./${file}`] as const),
];
const frameworks = ["next", "react", "vue", "svelte", "@angular/core", "express", "fastify", "hono", "effect"];
const linters = ["@biomejs/biome", "eslint", "oxlint", "prettier"];

/** `packageText` is the text of package.json, or undefined without one. */
export const detectStack = (files: readonly string[], packageText: string | undefined): ProjectStack => {
  const counts = new Map<string, number>();
  for (const file of files) {
    const extension = /\.([a-z]+)$/.exec(file)?.[1] ?? "";
    const language = Object.hasOwn(languages, extension) ? languages[extension] : undefined;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const packages = packageNames(packageText);
  const has = (name: string): boolean => files.includes(name);
  const first = (names: readonly string[]): string | null => names.find((name) => packages.includes(name)) ?? null;
  return {
    languages: [...counts].toSorted((a, b) => b[1] - a[1]).map(([language]) => language),
    test_runner:
      first(runners) ??
      npmRunner(packageText) ??
      runnersByFile.find(([file]) => has(file))?.[1] ??
      (files.some((file) => /(?:^|\/)test_\w+\.py$/.test(file)) ? "pytest" : null),
    framework: first(frameworks),
    linter: first(linters) ?? (has("ruff.toml") ? "ruff" : null),
  };
};

export const describeStack = ({ languages: found, test_runner, framework, linter }: ProjectStack): string =>
  [
    found.length === 0 ? "" : `Written in ${found.slice(0, 4).join(", ")}.`,
    framework === null ? "" : `Framework: ${framework}.`,
    test_runner === null ? "" : `Tests run with ${test_runner}.`,
    linter === null ? "" : `Linted with ${linter}.`,
  ]
    .filter((part) => part !== "")
    .join(" ");

/** The script `test` of a package file: by the runner that it calls, or as itself. */
const npmRunner = (text: string | undefined): string | null => {
  const script = readField(text, "scripts")?.test;
  if (typeof script !== "string" || script.includes("no test specified")) return null;
  return script.includes("node --test") ? "node --test" : "npm test";
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const readField = (text: string | undefined, field: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const parsed: unknown = JSON.parse(text ?? "null");
    const found: unknown = isRecord(parsed) && Object.hasOwn(parsed, field) ? parsed[field] : undefined;
    return isRecord(found) ? found : undefined;
  } catch {
    return undefined;
  }
};

const packageNames = (text: string | undefined): readonly string[] =>
  ["dependencies", "devDependencies"].flatMap((field) => Object.keys(readField(text, field) ?? {}));
