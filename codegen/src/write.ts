/**
 * Brings generated files to disk: only what changed, each file whole (temporary file, then rename), and removes what an earlier
 * run left behind. A file without our banner is never touched.
 */
import { type Stats, statSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Diagnostic, diagnostic } from "./model/diagnostics.ts";
import type { GeneratedFile } from "./model/project.ts";
import { lockFile } from "./names/lock.ts";
import { bannerMark } from "./print/text.ts";

/** What becomes of one generated file. */
export type FileChange = "added" | "changed" | "removed";

/** What differs between the disk and what the generator would write. */
export interface FileDifference {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly change: FileChange;
}

export interface FileComparison {
  readonly differences: readonly FileDifference[];
  readonly unchanged: readonly string[];
  /** Files in the place of ours that are not ours. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The banner is this near to the start. */
const bannerReach = 400;

const isOurs = (text: string): boolean => text.slice(0, bannerReach).includes(bannerMark);

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
};

/** What generated files hold, by absolute path, for the next run of the same process: a file of the same state is not read again. */
export type ReadFiles = Map<string, { readonly state: string; readonly text: string }>;

interface PlannedFiles {
  readonly files: readonly GeneratedFile[];
  readonly read: ReadFiles;
}

/** Differs between two states of a file. */
const describeState = ({ mtimeMs, size, ino }: Stats): string => `${mtimeMs} ${size} ${ino}`;

const readAgain = async (path: string, known: ReadFiles): Promise<string | undefined> => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const state = describeState(stats);
  const before = known.get(path);
  if (before?.state === state) return before.text;
  const text = await readText(path);
  // One that was written just now may be written once more within the same tick of the file system's clock.
  if (text !== undefined && stats.mtimeMs < Date.now() - clockLagMs) known.set(path, { state, text });
  return text;
};

/** File systems note times by a clock that runs a few milliseconds late. */
const clockLagMs = 50;

/** Compares files with the disk. `folders` are searched for stale files, not below. */
export const compare = async (
  root: string,
  { files, read }: PlannedFiles,
  folders: readonly string[],
): Promise<FileComparison> => {
  const differences: FileDifference[] = [];
  const unchanged: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const before = await Promise.all(files.map(({ path }) => readAgain(resolve(root, path), read)));
  for (const [index, { path, text }] of files.entries()) {
    const old = before[index];
    if (old === undefined) differences.push({ path, change: "added" });
    else if (old === text) unchanged.push(path);
    else if (isOurs(old)) differences.push({ path, change: "changed" });
    else diagnostics.push(describeForeignFile(path));
  }
  const made = new Set(files.map(({ path }) => path));
  for (const path of await stale(root, folders, made)) differences.push({ path, change: "removed" });
  if (!folders.includes(".")) for (const path of await abandoned(root)) differences.push({ path, change: "removed" });
  return { differences, unchanged, diagnostics };
};

const describeForeignFile = (path: string): Diagnostic =>
  diagnostic(
    "file_not_ours",
    { source: path, where: "" },
    {
      message: "the file is where a generated one should go, and was not generated",
      fix: "move it elsewhere, or choose another `out` folder",
    },
  );

const stale = async (
  root: string,
  folders: readonly string[],
  made: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const folder of new Set(folders)) {
    const entries = await readdir(resolve(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (!entry.isFile() || made.has(path)) continue;
      // A run that was killed may have left it empty, so its name alone says whose it is.
      if (isAbandoned(entry.name)) found.push(path);
      else if (/\.(?:ts|json|py)$/.test(entry.name) && isOurs((await readText(resolve(root, path))) ?? ""))
        found.push(path);
    }
  }
  return found.toSorted();
};

/** What a run that was killed left behind in the root, where only the lock of names is ours. */
const abandoned = async (root: string): Promise<readonly string[]> =>
  (await readdir(root).catch(() => []))
    .filter((name) => name.startsWith(`.${lockFile}.`) && isAbandoned(name))
    .toSorted();

/** True for a temporary file of ours whose process is gone; another process may be writing one right now. */
const isAbandoned = (name: string): boolean => {
  const pid = /^\..+\.(?:ts|json|py|typed|lock)\.(\d+)\.tmp$/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (failure) {
    return failure instanceof Error && "code" in failure && failure.code === "ESRCH";
  }
};

/** Applies a comparison. All temporary files are complete before the first one takes its place. */
export const apply = async (
  root: string,
  { files, read }: PlannedFiles,
  { differences }: FileComparison,
): Promise<void> => {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const written: { readonly temporary: string; readonly path: string }[] = [];
  try {
    for (const { path, change } of differences) {
      const text = texts.get(path);
      if (change === "removed" || text === undefined) continue;
      const target = resolve(root, path);
      const temporary = join(dirname(target), `.${path.slice(path.lastIndexOf("/") + 1)}.${process.pid}.tmp`);
      await mkdir(dirname(target), { recursive: true });
      written.push({ temporary, path: target });
      const handle = await open(temporary, "w");
      try {
        await handle.writeFile(text);
        // Renaming changes nothing of its state.
        read.set(target, { state: describeState(await handle.stat()), text });
      } finally {
        await handle.close();
      }
    }
    for (const { temporary, path } of written) await rename(temporary, path);
  } catch (failure) {
    await Promise.all(written.map(({ temporary }) => rm(temporary, { force: true })));
    throw failure;
  }
  for (const { path, change } of differences) if (change === "removed") await rm(resolve(root, path), { force: true });
};
