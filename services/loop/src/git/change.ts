/**
 * What a ticket changed, seen by the server: the working tree now against a baseline taken when the ticket was. Files that were
 * dirty before and are unchanged since then do not count; commits made since do. Of a project that is a package of a larger repository the
 * rest counts too, as `../b/x.ts`: no scope allows it.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, lstatSync, readFile, readlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openInside } from "../project/safe-file.ts";
import { findCredentials } from "../scope/credential.ts";
import type { Measurement } from "../state/event.ts";
import { shortHash } from "../value/hash.ts";
import { gitArguments, parseRevision, type Revision } from "./arguments.ts";
import { fromTop, type Git } from "./git.ts";
import { newFilePatch, splitLines } from "./new-file.ts";

/** The working tree when a ticket was taken. */
export interface Baseline {
  readonly head: string;
  /** Fingerprints of the files that differed from HEAD then. */
  readonly dirty: Readonly<Record<string, string>>;
  /** The branch of the ticket's own worktree, once it was given one: what lies in the project's folder is then never its work. */
  readonly worktreeBranch?: string | undefined;
}

/** What to compare with, and what to compare. */
interface ChangeQuery extends Baseline {
  /** Whether a file counts; every file does when left out. */
  readonly counts?: (path: string) => boolean;
  /** A branch that counts beside what is checked out. */
  readonly branch?: Revision | undefined;
}

export interface TreeChange {
  readonly measured: Measurement;
  readonly patch: string;
  /** Fingerprints of the files now, as in a baseline. */
  readonly fingerprints: Baseline["dirty"];
}

const maxFiles = 2_000;
const maxBytes = 8 * 1024 * 1024;

/** Takes a baseline; `undefined` where git has no answer (no commit yet) or too much is dirty. */
export const takeBaseline = async (git: Git, root: string): Promise<Baseline | undefined> => {
  const head = await git(gitArguments.head());
  const entries = await dirtyFiles(git);
  if (head.code !== 0 || entries === undefined) return undefined;
  return {
    head: head.stdout.trim(),
    dirty: await fingerprints(
      root,
      entries.map(({ path }) => path),
    ),
  };
};

/** Compares with a baseline; `undefined` where git has no answer. */
export const measureChange = async (git: Git, root: string, baseline: ChangeQuery): Promise<TreeChange | undefined> => {
  const base = parseRevision(baseline.head);
  const entries = await dirtyFiles(git);
  const head = parseRevision((await git(gitArguments.head())).stdout.trim());
  if (base === undefined || head === undefined || entries === undefined) return undefined;
  const committed = base === head ? [] : await committedFiles(git, base, head);
  const before = new Map(Object.entries(baseline.dirty));
  const candidates = new Set([...entries.map(({ path }) => path), ...before.keys(), ...committed]);
  const paths = [...candidates].filter((path) => baseline.counts?.(path) ?? true).toSorted();
  if (paths.length > maxFiles) return undefined;
  const now = await fingerprints(root, paths);
  const changed = Object.fromEntries(Object.entries(now).filter(([path, print]) => before.get(path) !== print));
  const untracked = new Set(entries.filter((entry) => entry.untracked).map(({ path }) => path));
  const tree = await describeChange({ git, root, base, changed, untracked });
  const tip = await findTip(git, baseline.branch);
  return tip === undefined || tip === head ? tree : mergeBranchChange(tree, await branchChange(git, base, tip));
};

/** The commit of a branch; `undefined` when there is none of that name. */
const findTip = async (git: Git, branch: Revision | undefined): Promise<Revision | undefined> =>
  branch === undefined ? undefined : parseRevision((await git(gitArguments.resolveCommit(branch))).stdout.trim());

/** The change in the commits of a branch that is not checked out. */
const branchChange = async (
  git: Git,
  base: Revision,
  tip: Revision,
): Promise<Measurement & { readonly patch: string }> => {
  const patch = (await git(gitArguments.patchBetween(base, tip))).stdout;
  const { added, removed } = countLines((await git(gitArguments.numstatBetween(base, tip))).stdout);
  const files = await committedFiles(git, base, tip);
  return {
    patch,
    files,
    linesAdded: added,
    linesRemoved: removed,
    diffHash: null,
    credentials: findCredentials(patch),
  };
};

const mergeBranchChange = (
  { patch, fingerprints: prints, measured }: TreeChange,
  branch: Measurement & { readonly patch: string },
): TreeChange => {
  const whole = patch + branch.patch;
  const credentials = [...new Set([...(measured.credentials ?? []), ...(branch.credentials ?? [])])];
  return {
    patch: whole,
    fingerprints: prints,
    measured: {
      files: [...new Set([...measured.files, ...branch.files])].toSorted(),
      linesAdded: Math.max(measured.linesAdded, branch.linesAdded),
      linesRemoved: Math.max(measured.linesRemoved, branch.linesRemoved),
      diffHash: whole === "" ? null : shortHash(whole),
      ...(credentials.length > 0 && { credentials }),
    },
  };
};

interface ChangeInput {
  readonly git: Git;
  readonly root: string;
  readonly base: Revision;
  /** Fingerprints of the files. */
  readonly changed: Baseline["dirty"];
  readonly untracked: ReadonlySet<string>;
}

const describeChange = async ({ git, root, base, changed, untracked }: ChangeInput): Promise<TreeChange> => {
  const files = Object.keys(changed).toSorted();
  const tracked = files.filter((path) => !untracked.has(path));
  const contents: { readonly path: string; readonly content: string | null }[] = [];
  for (const path of files) if (untracked.has(path)) contents.push({ path, content: await readContent(root, path) });
  const [patch, counts] =
    tracked.length === 0
      ? ["", { added: 0, removed: 0 }]
      : [
          (await git(gitArguments.patch(base, tracked))).stdout,
          countLines((await git(gitArguments.numstat(base, tracked))).stdout),
        ];
  const whole = patch + contents.map(({ path, content }) => newFilePatch(path, content)).join("");
  const credentials = findCredentials(whole);
  const addedHere = contents.reduce((sum, { content }) => sum + splitLines(content ?? "").length, 0);
  return {
    patch: whole,
    fingerprints: changed,
    measured: {
      files,
      linesAdded: counts.added + addedHere,
      linesRemoved: counts.removed,
      diffHash: whole === "" ? null : shortHash(whole),
      ...(credentials.length > 0 && { credentials }),
    },
  };
};

interface DirtyFile {
  readonly path: string;
  readonly untracked: boolean;
}

const dirtyFiles = async (git: Git): Promise<readonly DirtyFile[] | undefined> => {
  const { code, stdout } = await git(gitArguments.status());
  if (code !== 0) return undefined;
  const entries = stdout
    .split("\0")
    .filter((entry) => entry.length > 3)
    .map((entry) => ({ path: fromTop(git, entry.slice(3)), untracked: entry.startsWith("??") }))
    .filter(({ path }) => !path.startsWith(".promptwheel/"));
  return entries.length > maxFiles ? undefined : entries;
};

const committedFiles = async (git: Git, from: Revision, to: Revision): Promise<readonly string[]> =>
  (await git(gitArguments.changedBetween(from, to))).stdout
    .split("\0")
    .filter((name) => name !== "")
    .map((name) => fromTop(git, name));

/** `added TAB removed TAB path NUL`; a dash for binary files. */
const countLines = (numstat: string): { readonly added: number; readonly removed: number } => {
  let [added, removed] = [0, 0];
  for (const entry of numstat.split("\0")) {
    const [plus = "", minus = ""] = entry.split("\t");
    added += Number(plus) || 0;
    removed += Number(minus) || 0;
  }
  return { added, removed };
};

/** One file after the other: a large tree must not delay other calls, nor fill the memory. */
const fingerprints = async (root: string, paths: readonly string[]): Promise<Baseline["dirty"]> => {
  const found: [string, string][] = [];
  for (const path of paths) found.push([path, await fingerprintFile(root, path)]);
  return Object.fromEntries(found);
};

/** A fingerprint that changes when the file does: for symlinks the target's name; size and time for large files and those outside of the project. */
const fingerprintFile = async (root: string, path: string): Promise<string> => {
  const place = join(root, path);
  try {
    const found = lstatSync(place);
    if (found.isSymbolicLink()) return `link ${readlinkSync(place)}`;
    if (!found.isFile()) return "other";
    if (found.size > maxBytes || path.startsWith("../")) return `large ${found.size} ${found.mtimeMs}`;
    return createHash("sha256")
      .update(await readBytes(root, path))
      .digest("hex");
  } catch {
    return "absent";
  }
};

/** The text of an untracked file; null for what is not text. */
const readContent = async (root: string, path: string): Promise<string | null> => {
  try {
    return lstatSync(join(root, path)).size <= maxBytes ? (await readBytes(root, path)).toString("utf8") : null;
  } catch {
    return null;
  }
};

const read = promisify(readFile);

/** Reads a plain file; anything else is refused. */
const readBytes = async (root: string, path: string): Promise<Buffer> => {
  const descriptor = openInside(root, path, constants.O_RDONLY);
  try {
    return await read(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
