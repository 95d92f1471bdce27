/**
 * A real git repository with one empty commit, `project` in a temporary folder: projects are called by their folder, and logs that are
 * compared need one name. Its user removes the folder above it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const identity = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Test"],
    [`GIT_${who}_EMAIL`, "test@example.com"],
    [`GIT_${who}_DATE`, "2026-01-01T12:00:00Z"],
  ]),
);

export const emptyRepository = (): string => {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "fairlead-loop-"))), "project");
  mkdirSync(folder);
  const git = (...args: readonly string[]): void => {
    execFileSync("git", args, {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...identity },
    });
  };
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "--message=Begin");
  return folder;
};
