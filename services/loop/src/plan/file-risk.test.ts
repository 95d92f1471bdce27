/** Which files make a plan one of high risk, whatever its agent calls it. */
import { expect, it } from "vitest";
import { explainFileRisk, needsNoPlan } from "./file-risk.ts";

it.each([
  ["package.json", "verification"],
  ["packages/a/Package.JSON", "verification"],
  ["yarn.lock", "installed"],
  ["tools/vitest.config.ts", "verification"],
  ["requirements-dev.txt", "installed"],
  [".github/workflows/test.yml", "released"],
  ["deploy/Dockerfile.web", "released"],
  [".husky/pre-commit", "machines"],
  ["AGENTS.md", "agents"],
  ["packages/a/CLAUDE.md", "agents"],
  [".claude/skills/x/SKILL.md", "agents"],
  ["db/migrations/0001.py", "stored data"],
  [".github/CODEOWNERS", "released"],
  ["CODEOWNERS", "who may change"],
])("%s: %s", (path, why) => {
  expect(explainFileRisk(path)).toContain(why);
});

it.each(["src/a.ts", "README.md", "docs/agents.md/part.md", "src/package.ts", "test/a.test.ts", "src/migration.ts"])(
  "%s leaves the agent's word",
  (path) => {
    expect(explainFileRisk(path)).toBeUndefined();
  },
);

it("a ticket of documentation needs a plan where it names such a file, in sessions that count them", () => {
  const plain = { category: "docs", files: ["README.md"], allowedPaths: ["docs/**"] } as const;
  const leading = { ...plain, allowedPaths: ["**/AGENTS.md"] };
  expect([true, false].map((fileRisk) => needsNoPlan(plain, { fileRisk }))).toEqual([true, true]);
  expect([true, false].map((fileRisk) => needsNoPlan(leading, { fileRisk }))).toEqual([false, true]);
  expect(needsNoPlan({ ...plain, category: "fix" }, { fileRisk: true })).toBe(false);
});
