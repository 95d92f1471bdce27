/** A merge that fails between its files and its branch leaves both as they were. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Repository, temporaryRepository } from "../testing/repository.ts";
import { requireRevision } from "./arguments.ts";
import { type Git, openGit } from "./git.ts";
import { mergeInto } from "./merge.ts";

let repository: Repository;

beforeEach(() => {
  repository = temporaryRepository();
  const { git, write } = repository;
  git("branch", "other");
  git("switch", "--quiet", "--create", "ticket");
  write("src/part-1.ts", "two\n");
  write("src/new.ts", "new\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=Work");
  git("switch", "--quiet", "main");
});
afterEach(() => repository.remove());

/** Merges the ticket's branch; `meanwhile` runs once git has written the merged files. */
const merge = (meanwhile: () => void) => {
  const real = openGit(repository.path);
  const git: Git = async (args, variables) => {
    const result = await real(args, variables);
    if (args[0] === "read-tree" && args.at(-1) === tip) meanwhile();
    return result;
  };
  const tip = requireRevision(repository.git("rev-parse", "ticket").trim());
  return mergeInto({ git, top: repository.path }, { into: requireRevision("main"), tip, message: "Merge", at: 0 });
};

const heads = (): string => repository.git("rev-parse", "main", "other");

it.each([
  ["the branch is locked", () => repository.write(".git/refs/heads/main.lock", "")],
  ["somebody checks out another branch", () => repository.git("symbolic-ref", "HEAD", "refs/heads/other")],
])("gives the files back where %s meanwhile, and moves no branch", async (_, meanwhile) => {
  const before = heads();
  expect(await merge(meanwhile)).toEqual({ kind: "left", why: "git could not move main" });
  expect(heads()).toBe(before);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(repository.path, "src/part-1.ts"), "utf8")).toBe("one\n");
});
