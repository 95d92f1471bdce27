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
      (has("pytest.ini") ? "pytest" : has("go.mod") ? "go test" : has("Cargo.toml") ? "cargo test" : null),
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

const packageNames = (text: string | undefined): readonly string[] => {
  if (text === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return [];
    return ["dependencies", "devDependencies"].flatMap((field) => {
      const group: unknown = Object.hasOwn(parsed, field) ? (parsed as Record<string, unknown>)[field] : undefined;
      return typeof group === "object" && group !== null ? Object.keys(group) : [];
    });
  } catch {
    return [];
  }
};
