/** Which files make a plan one of high risk, whatever its agent calls it. */
import { expect, it } from "vitest";
import { explainFileRisk, needsNoPlan } from "./file-risk.ts";

it.each([
  ["package.json", "verification"],
  ["packages/a/Package.JSON", "verification"],
  ["yarn.lock", "installed"],
  ["tools/vitest.config.ts", "verification"],
  ["package-lock.json", "installed"],
  ["pnpm-lock.yaml", "installed"],
  ["Cargo.lock", "installed"],
  ["requirements.txt", "installed"],
  ["requirements-dev.txt", "installed"],
  ["requirements/test.txt", "installed"],
  ["packages/a/tsconfig.build.json", "verification"],
  ["biome.json", "verification"],
  ["eslint.config.mjs", "verification"],
  [".eslintrc.cjs", "verification"],
  ["jest.setup.ts", "verification"],
  ["vitest.setup.ts", "verification"],
  ["vitest.shared.ts", "verification"],
  ["babel.config.js", "verification"],
  [".github/workflows/test.yml", "released"],
  ["Dockerfile", "released"],
  ["deploy/Dockerfile.web", "released"],
  ["docker-compose.test.yml", "released"],
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

it.each([
  "src/a.ts",
  "README.md",
  "docs/agents.md/part.md",
  "src/package.ts",
  "test/a.test.ts",
  "src/migration.ts",
  "src/session-lock.ts",
  "docs/dead-lock.md",
  "docs/requirements-of-users.txt",
  "docs/Dockerfile.md",
  "docs/docker-compose.md",
])("%s leaves the agent's word", (path) => {
  expect(explainFileRisk(path)).toBeUndefined();
});

it("a ticket of documentation needs a plan where it names such a file, in sessions that count them", () => {
  const plain = { category: "docs", files: ["README.md"], allowedPaths: ["docs/**"] } as const;
  const leading = { ...plain, allowedPaths: ["**/AGENTS.md"] };
  expect([true, false].map((fileRisk) => needsNoPlan(plain, { fileRisk }))).toEqual([true, true]);
  expect([true, false].map((fileRisk) => needsNoPlan(leading, { fileRisk }))).toEqual([false, true]);
  expect(needsNoPlan({ ...plain, category: "fix" }, { fileRisk: true })).toBe(false);
});
