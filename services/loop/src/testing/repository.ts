/** A real git repository in a temporary folder, for tests; removed with `remove`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Repository {
  readonly path: string;
  write(file: string, text: string): void;
  git(...args: readonly string[]): string;
  remove(): void;
}

const environment = {
  PATH: process.env.PATH ?? "",
  HOME: tmpdir(),
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T12:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T12:00:00Z",
};

/** A folder without git. */
export const temporaryFolder = (): Pick<Repository, "path" | "write" | "remove"> => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "loop-")));
  return {
    path,
    write: (file, text) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
};

/** A repository with one commit of the given files, on branch main. */
export const temporaryRepository = (
  files: Readonly<Record<string, string>> = { "src/part-1.ts": "one\n" },
): Repository => {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, {
      cwd: folder.path,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "--quiet", "--initial-branch=main");
  for (const [file, text] of Object.entries(files)) folder.write(file, text);
  git("add", "--all");
  git("commit", "--quiet", "--message=Begin");
  return { ...folder, git };
};

/** A clock that advances by a second each time it is read. */
export const tickingClock = (from = Date.UTC(2026, 0, 1, 12)): (() => number) => {
  let now = from;
  return () => {
    now += 1_000;
    return now;
  };
};
