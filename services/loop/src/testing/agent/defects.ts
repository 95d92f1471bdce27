/** Small repositories with seeded defects, each found by a command of its own, and the script of an agent that repairs some and pretends to repair the rest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Repository, temporaryFolder, temporaryRepository } from "../repository.ts";

type Language = "javascript" | "python" | "shell";

interface LanguageFiles {
  readonly source: (name: string) => string;
  readonly wrong: string;
  readonly right: string;
  readonly test: (name: string) => string;
  readonly path: (name: string) => string;
  readonly testPath: (name: string) => string;
  readonly command: (name: string) => string;
  readonly comment: string;
  readonly more: Readonly<Record<string, string>>;
}

const languages: Readonly<Record<Language, LanguageFiles>> = {
  javascript: {
    path: (name) => `src/${name}.mjs`,
    source: (name) => `export const ${name} = (n) => n - 1;\n`,
    wrong: "n - 1",
    right: "n + 1",
    testPath: (name) => `test/${name}.test.mjs`,
    test: (name) =>
      `import assert from "node:assert";\nimport { ${name} } from "../src/${name}.mjs";\nassert.equal(${name}(1), 2);\n`,
    command: (name) => `node test/${name}.test.mjs`,
    comment: "// done",
    more: {},
  },
  python: {
    path: (name) => `src/${name}.py`,
    source: (name) => `def ${name}(n):\n    return n - 1\n`,
    wrong: "n - 1",
    right: "n + 1",
    testPath: (name) => `checks/test_${name}.py`,
    test: (name) =>
      `import unittest\nfrom src.${name} import ${name}\n\nclass Test(unittest.TestCase):\n    def test_next(self):\n        self.assertEqual(${name}(1), 2)\n`,
    command: (name) => `python3 -m unittest checks.test_${name}`,
    comment: "# done",
    more: { "src/__init__.py": "", "checks/__init__.py": "", ".gitignore": "__pycache__/\n" },
  },
  shell: {
    path: (name) => `src/${name}.sh`,
    source: () => "echo $(($1 - 1))\n",
    wrong: "$1 - 1",
    right: "$1 + 1",
    testPath: (name) => `checks/${name}`,
    test: () => "2\n",
    command: (name) => `make check-${name}`,
    comment: "# done",
    more: { Makefile: 'check-%:\n\t@test "$$(sh src/$*.sh 1)" = "$$(cat checks/$*)"\n' },
  },
};

const names = ["anchor", "bowline", "capstan", "davit", "ensign", "fender", "gudgeon", "halyard", "inhaul", "jackstay"];

/** How many are repaired; of the others every second gets a comment alone, and the rest nothing at all. */
interface DefectOptions {
  readonly defects: number;
  readonly repaired: number;
  readonly risk?: "low" | "high";
  /** What the agent prints at every prompt, in place of all that. */
  readonly answers?: string;
  /** It proposes, and reports on no ticket. */
  readonly silent?: boolean;
  /** What it asks a person before its first plan. */
  readonly question?: string;
  /** What it prints after its edits, in place of a report. */
  readonly remark?: string;
  /** With how many of its first calls for each ticket it fails; 0 for those that are not named. */
  readonly failures?: readonly number[];
}

export interface DefectRepository extends Repository {
  /** The agent's command line. */
  readonly agent: string;
  /** The file with the prompts that it was given, a line each. */
  readonly calls: string;
}

const program = fileURLToPath(new URL("scripted-agent.mjs", import.meta.url));

export const createDefects = (
  language: Language,
  { defects, repaired, risk = "low", silent = false, answers, question, remark, failures = [] }: DefectOptions,
): DefectRepository => {
  const { path, source, testPath, test, command, wrong, right, comment, more } = languages[language];
  const chosen = names.slice(0, defects);
  const repository = temporaryRepository({
    ...more,
    ...Object.fromEntries(
      chosen.flatMap((name) => [
        [path(name), source(name)],
        [testPath(name), test(name)],
      ]),
    ),
  });
  const outside = temporaryFolder();
  const [script, calls] = [join(outside.path, "script.json"), join(outside.path, "calls")];
  const written = chosen.map((name, index) => ({
    title: `Repair ${name}`,
    file: path(name),
    command: command(name),
    wrong,
    right,
    risk,
    repairs: index < repaired,
    failures: failures[index] ?? 0,
    ...(index % 2 === 0 && { comment }),
  }));
  writeFileSync(script, JSON.stringify({ defects: written, calls, silent, answers, question, remark }));
  writeFileSync(calls, "");
  return {
    ...repository,
    agent: `"${process.execPath}" "${program}" "${script}"`,
    calls,
    remove: () => {
      repository.remove();
      outside.remove();
    },
  };
};
