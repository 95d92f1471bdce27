/**
 * What is handed to git as arguments, whatever names come in: a git that only notes its arguments takes its place, so that every attempt
 * gets as far as an argument vector or is refused before. `hostile.test.ts` runs some of the same names through the real one.
 */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostileName as name } from "../testing/hostile-name.ts";
import { temporaryFolder } from "../testing/repository.ts";
import { sampleTicket } from "../testing/sample.ts";
import { gitArguments } from "./arguments.ts";
import { setUpBranch } from "./branch.ts";
import { measureChange } from "./change.ts";
import type { Git, GitResult } from "./git.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const attempts = inLongTier ? 1_000 : 200;

/** Everything handed to git; `answer` says what it replies. */
const noting = (answer: (args: readonly string[]) => Partial<GitResult> = () => ({})) => {
  const calls: (readonly string[])[] = [];
  const git: Git = async (args) => {
    calls.push(args);
    return { code: 0, stdout: "", stderr: "", ...answer(args) };
  };
  return { git, calls };
};

/** The first words of every vector this service may hand to git, as the verb table has them. */
const beginnings = new Set(
  Object.values(gitArguments).map(
    (verb) => (verb as (...slots: readonly unknown[]) => readonly string[])("a", "b", "c")[0],
  ),
);

/** Every option of the verb table. */
const known = new Set([
  "--verify",
  "--path-format=absolute",
  "--git-path",
  "--quiet",
  "--short",
  "-z",
  "--cached",
  "--others",
  "--exclude-standard",
  "--porcelain=v1",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=all",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--name-only",
  "--numstat",
  "--relative",
  "--no-track",
  "--create",
  "--no-guess",
  "-b",
  "--list",
  "--is-ancestor",
  "--porcelain",
  "--force",
  "--end-of-options",
  "--",
]);

/** Nothing before the end of the options is an option that the verb table does not have; nothing holds a NUL. */
const judge = (args: readonly string[]): void => {
  expect(beginnings).toContain(args[0]);
  const end = args.findIndex((arg) => arg === "--end-of-options" || arg === "--");
  for (const arg of end < 0 ? args : args.slice(0, end)) if (arg.startsWith("-")) expect(known).toContain(arg);
  for (const arg of args) expect(arg).not.toContain("\0");
};

describe("arguments for git", () => {
  it(`are never options, whatever the base and the title: ${attempts} attempts`, async () => {
    let [reached, refused] = [0, 0];
    const attempt = fc.record({ base: name, title: name, ownWorktree: fc.boolean(), exists: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(attempt, async ({ base, title, ownWorktree, exists }) => {
        const { git, calls } = noting(([verb]) => ({ code: verb === "show-ref" && !exists ? 1 : 0, stdout: "main\n" }));
        const request = { ticket: sampleTicket(1, { title }), baseBranch: base, ownWorktree };
        const setup = await setUpBranch(git, folder.path, request).catch(() => undefined);
        for (const args of calls) judge(args);
        expect(calls.length).toBeGreaterThan(0);
        if (setup === undefined) {
          refused += 1;
          expect(calls.some(([verb]) => verb === "switch" || verb === "worktree")).toBe(false);
        } else {
          reached += 1;
          expect(calls.at(-1)?.[0]).toBe(ownWorktree ? "worktree" : "switch");
          expect(setup.baseBranch).toBe(base);
        }
      }),
      { numRuns: attempts },
    );
    expect(reached).toBeGreaterThan(attempts / 10);
    expect(refused).toBeGreaterThan(attempts / 10);
  });

  it(`are never options, whatever files are called: ${attempts} attempts`, async () => {
    const head = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567";
    const file = fc.oneof(name, fc.constantFrom("--output=canary", "-x", "--", "--end-of-options"));
    let patches = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(file, { minLength: 1, maxLength: 4 }), async (names) => {
        const files = names.filter((one) => /^[^\0/.][^\0/]*$/.test(one));
        const status = files.map((one) => ` M ${one}\0`).join("");
        const { git, calls } = noting(([verb]) => ({ stdout: verb === "status" ? status : `${head}\n` }));
        await measureChange(git, folder.path, { head, dirty: {} });
        for (const args of calls) judge(args);
        for (const args of calls.filter(([verb]) => verb === "diff")) {
          patches += 1;
          const paths = args.slice(args.indexOf("--end-of-options") + 1);
          expect(paths.slice(0, 2)).toEqual([head, "--"]);
          expect(paths.slice(2)).toEqual(files.toSorted());
        }
      }),
      { numRuns: attempts },
    );
    expect(patches).toBeGreaterThan(attempts / 2);
  });
});
