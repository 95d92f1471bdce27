/** A real git repository in a temporary folder, for tests; removed with `remove`. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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

const run = (cwd: string, args: readonly string[]): string =>
  execFileSync("git", args, { cwd, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Repositories that were made, by their files: the others are copies. Each git that a large test process starts costs more than a copy. */
const templates = new Map<string, string>();

const templateFor = (files: Readonly<Record<string, string>>): string => {
  const key = JSON.stringify(files);
  const known = templates.get(key);
  if (known !== undefined && existsSync(known)) return known;
  const { path, write } = temporaryFolder();
  run(path, ["init", "--quiet", "--initial-branch=main"]);
  const hooks = join(path, ".git/hooks");
  for (const sample of readdirSync(hooks)) rmSync(join(hooks, sample));
  for (const [file, text] of Object.entries(files)) write(file, text);
  run(path, ["add", "--all"]);
  run(path, ["commit", "--quiet", "--message=Begin"]);
  templates.set(key, path);
  return path;
};

/** A repository with one commit of the given files, on branch main. */
export const temporaryRepository = (
  files: Readonly<Record<string, string>> = { "src/part-1.ts": "one\n" },
): Repository => {
  const folder = temporaryFolder();
  cpSync(templateFor(files), folder.path, { recursive: true });
  const git = (...args: readonly string[]): string => run(folder.path, args);
  // The index knows the files by more than their names and times.
  git("update-index", "-q", "--refresh");
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
