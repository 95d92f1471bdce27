/**
 * Ends a ticket's work in the working tree: as a commit on the branch that is checked out, or parked on a branch of its own with the
 * files given back. Commits are built in an index of their own: what a person has staged is not in them and stays staged. Each step may
 * be repeated after a kill.
 *
 * Not here: whose a file is, and which end a ticket has (`working-tree/settle-tree.ts`).
 */
import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { unlinkInside } from "../project/safe-file.ts";
import { gitArguments, parseRevision, type Revision, requireRevision } from "./arguments.ts";
import { gitRefused } from "./branch.ts";
import { fromTop, type Git, type GitVariables } from "./git.ts";

/** The repository and what a commit of the server's needs. */
export interface WorkTree {
  readonly git: Git;
  /** Real path of the project's folder. */
  readonly root: string;
  /** Absolute path of an index file for the building of commits; removed afterwards. */
  readonly index: string;
}

interface WorkCommit {
  readonly files: readonly string[];
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Signed where the server's configuration says with what. */
  readonly signed?: boolean;
}

/** Git's answer as a revision, or the error that says what it could not do. */
const runFor = async (git: Git, args: readonly string[], variables: GitVariables = {}): Promise<string> => {
  const { code, stdout, stderr } = await git(args, variables);
  if (code !== 0) throw gitRefused(`git ${args[0]} failed: ${firstLine(stderr)}`);
  return stdout;
};

const firstLine = (stderr: string): string => stderr.split("\n")[0]?.slice(0, 300) ?? "";

const parseId = (stdout: string): Revision => {
  const id = parseRevision(stdout.trim());
  if (id === undefined) throw gitRefused("git gave no object id");
  return id;
};

const splitNames = (stdout: string): readonly string[] => stdout.split("\0").filter((name) => name !== "");

/** Who a commit is by: the repository's user where one is configured. */
const identity = async (git: Git): Promise<GitVariables> => {
  const known = await Promise.all(["user.name", "user.email"].map((name) => git(gitArguments.configValue(name))));
  if (known.every(({ code }) => code === 0)) return {};
  const [name, email] = ["Fairlead", "fairlead@localhost"];
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
};

/** Puts into the tree's own index what a commit has, with these files as they are in the working tree. */
const stage = async ({ git, index }: WorkTree, parent: Revision, files: readonly string[]): Promise<void> => {
  const own = { GIT_INDEX_FILE: index };
  await runFor(git, gitArguments.readTree(parent), own);
  await runFor(git, gitArguments.stageFiles(files), own);
};

/** A commit of the parent's files with these as they are in the working tree; nothing points to it yet. */
const buildCommit = async (place: WorkTree, parent: Revision, commit: WorkCommit): Promise<Revision> => {
  await stage(place, parent, commit.files);
  return commitIndex(place, parent, commit);
};

/** A commit of what the tree's own index has; nothing points to it yet. */
const commitIndex = async ({ git, index }: WorkTree, parent: Revision, commit: WorkCommit): Promise<Revision> => {
  const tree = parseId(await runFor(git, gitArguments.writeTree(), { GIT_INDEX_FILE: index }));
  const variables = await signature(git, commit.at);
  const words = { message: commit.message, signed: commit.signed === true && git.signing !== undefined };
  return parseId(await runFor(git, gitArguments.commitTree(tree, parent, words), variables));
};

/** Who a commit is by, and when it was made. */
const signature = async (git: Git, at: number): Promise<GitVariables> => {
  const date = `@${Math.floor(at / 1_000)} +0000`;
  return { ...(await identity(git)), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
};

/** Why a commit cannot be signed, tried with an empty one that nothing points to; `undefined` where it can, or none is to be. */
export const probeSigning = (place: WorkTree, parent: Revision): Promise<string | undefined> =>
  withoutIndex(place, async () => {
    const { git, index } = place;
    if (git.signing === undefined) return undefined;
    const tree = parseId(await runFor(git, gitArguments.writeTree(), { GIT_INDEX_FILE: index }));
    const variables = await signature(git, 0);
    const { code, stderr } = await git(
      gitArguments.commitTree(tree, parent, { message: "Try the key", signed: true }),
      variables,
    );
    return code === 0 ? undefined : stderr.replaceAll("\n", "; ").slice(0, 300) || `git ended with ${code}`;
  });

interface MergeCommit extends Omit<WorkCommit, "files" | "signed"> {
  readonly parents: readonly [Revision, Revision];
}

/** A commit of a merged tree; nothing points to it yet. The same merge gives the same commit. */
export const commitMerge = async (git: Git, tree: Revision, { parents, message, at }: MergeCommit): Promise<Revision> =>
  parseId(
    await runFor(
      git,
      gitArguments.commitMerge(tree, parents, { message, signed: git.signing !== undefined }),
      await signature(git, at),
    ),
  );

/** Begins with no index file, whatever a killed git left, and leaves none. */
const withoutIndex = async <T>({ index }: WorkTree, work: () => Promise<T>): Promise<T> => {
  removeIndex(index);
  try {
    return await work();
  } finally {
    removeIndex(index);
  }
};

const removeIndex = (index: string): void => {
  for (const path of [index, `${index}.lock`]) rmSync(path, { force: true });
};

/** Writes the files of a commit into a folder that is not a work tree of git's. */
export const exportCommit = (tree: WorkTree, commit: Revision, folder: string): Promise<void> =>
  withoutIndex(tree, async () => {
    const own = { GIT_INDEX_FILE: tree.index };
    await runFor(tree.git, gitArguments.readTree(commit), own);
    await runFor(tree.git, gitArguments.exportIndex(`${folder}/`), own);
  });

/** Runs work with an index that holds what a commit of these files would have; its path is that of the tree's index. */
export const withStaged = <T>(
  tree: WorkTree,
  head: Revision,
  { files, work }: { readonly files: readonly string[]; readonly work: () => Promise<T> },
): Promise<T> =>
  withoutIndex(tree, async () => {
    await stage(tree, head, files);
    return work();
  });

/** Commits the files on the branch that is checked out. */
export const commitWork = (tree: WorkTree, head: Revision, commit: WorkCommit): Promise<Revision> =>
  withoutIndex(tree, async () => {
    const id = await buildCommit(tree, head, commit);
    await runFor(tree.git, gitArguments.moveHead(id, head));
    await refreshIndex(tree.git, commit.files);
    return id;
  });

/** The person's index after a commit that was built beside it: these files are as they are in HEAD. */
export const refreshIndex = async (git: Git, files: readonly string[]): Promise<void> => {
  await runFor(git, gitArguments.resetIndex(files));
};

/** Keeps files as they are now under a ref outside of the branches; one that is there already stays. */
export const keepWork = (tree: WorkTree, head: Revision, { ref, commit }: KeptWork): Promise<void> =>
  withoutIndex(tree, async () => {
    const id = await buildCommit(tree, head, commit);
    const { code, stderr } = await tree.git(gitArguments.keepRef(ref, id));
    if (code !== 0 && !(await isKept(tree.git, ref)))
      throw gitRefused(`git could not keep edits under refs/${ref}: ${firstLine(stderr)}`);
  });

/** A file as its bytes are: no line ends converted. */
interface RawFile {
  readonly path: string;
  /** As `stat` has it. */
  readonly mode: number;
  /** Of the object that git has. */
  readonly id: Revision;
}

/** Keeps files byte for byte under a ref that is not there yet; `commit.files` are symlinks, and files that are gone. */
export const keepRaw = (
  tree: WorkTree,
  head: Revision,
  { ref, commit, raw }: KeptWork & { readonly raw: readonly RawFile[] },
): Promise<void> =>
  withoutIndex(tree, async () => {
    const { git, index } = tree;
    const { prefix = "" } = git;
    const own = { GIT_INDEX_FILE: index };
    await runFor(git, gitArguments.readTree(head), own);
    if (commit.files.length > 0) await runFor(git, gitArguments.stageFiles(commit.files), own);
    const entries = raw.map(({ path, mode, id }) => `${mode & 0o100 ? "100755" : "100644"},${id},${prefix}${path}`);
    if (entries.length > 0) await runFor(git, gitArguments.stageObjects(entries), own);
    await runFor(git, gitArguments.keepRef(ref, await commitIndex(tree, head, commit)));
  });

/** The ids that files have, as their bytes are; with `store` git has them then. */
export const hashFiles = async (
  git: Git,
  paths: readonly string[],
  { store }: { readonly store: boolean },
): Promise<ReadonlyMap<string, Revision>> => {
  if (paths.length === 0) return new Map();
  const lines = (await runFor(git, store ? gitArguments.storeFiles(paths) : gitArguments.hashFiles(paths))).split("\n");
  return new Map(paths.map((path, at) => [path, parseId(lines[at] ?? "")]));
};

/** What an object holds. */
export const readBlob = async (git: Git, id: Revision): Promise<Uint8Array> => {
  const { code, bytes, stderr } = await git(gitArguments.readBlob(id));
  if (code !== 0 || bytes === undefined) throw gitRefused(`git cat-file failed: ${firstLine(stderr)}`);
  return bytes;
};

interface KeptWork {
  /** Below `refs/`. */
  readonly ref: Revision;
  readonly commit: WorkCommit;
}

/** Whether there is such a ref of kept files. */
export const isKept = async (git: Git, ref: Revision): Promise<boolean> =>
  (await git(gitArguments.resolveCommit(requireRevision(`refs/${ref}`)))).code === 0;

export const dropWork = async (git: Git, ref: Revision): Promise<void> => {
  await git(gitArguments.dropRef(ref));
};

/** The newest commit since then whose message holds this text; `undefined` when there is none. */
export const findCommitWith = async (git: Git, since: Revision, text: string): Promise<Revision | undefined> => {
  const { stdout } = await git(gitArguments.messagesSince(since));
  const found = stdout.split("\0").find((entry) => entry.includes(text));
  return found === undefined ? undefined : parseRevision(found.split("\n")[0] ?? "");
};

/** Files that a commit changes against another one. */
export const changedFiles = async (git: Git, from: Revision, to: Revision): Promise<readonly string[]> =>
  splitNames(await runFor(git, gitArguments.changedBetween(from, to))).map((path) => fromTop(git, path));

/** Those of the files that are not in the work tree as a commit has them; none that git does not know. */
export const editedFiles = async (git: Git, commit: Revision, files: readonly string[]): Promise<readonly string[]> =>
  files.length === 0 ? [] : splitNames(await runFor(git, gitArguments.changedSince(commit, files)));

/** Files that a commit changes against its parent. */
export const filesOfCommit = async (git: Git, commit: Revision): Promise<readonly string[]> =>
  splitNames(await runFor(git, gitArguments.filesOfCommit(commit)));

/** Those of the files that a filter of the repository rewrites: with filters off they cannot be committed as they would be. */
export const filteredFiles = async (git: Git, files: readonly string[]): Promise<readonly string[]> => {
  if (files.length === 0) return [];
  const parts = (await runFor(git, gitArguments.filterAttributes(files))).split("\0");
  return parts.flatMap((path, at) =>
    at % 3 === 0 && path !== "" && parts[at + 2] !== "unspecified" && parts[at + 2] !== "unset" ? [path] : [],
  );
};

interface Parking {
  readonly branch: Revision;
  readonly commit: WorkCommit;
  /** Those of its files that are given back as HEAD has them. */
  readonly restore: readonly string[];
}

interface ParkedWork {
  readonly commit: Revision;
  /** Files that are not as they were parked any more, or in whose place something else is: they stay as they are. */
  readonly kept: readonly string[];
}

/** Keeps the files on a branch, then gives them back as HEAD has them. A branch that is there already is used. */
export const parkWork = (tree: WorkTree, head: Revision, { branch, commit, restore }: Parking): Promise<ParkedWork> =>
  withoutIndex(tree, async () => {
    const { git, index, root } = tree;
    const before = parseRevision((await git(gitArguments.resolveCommit(branch))).stdout.trim());
    const id = before ?? (await buildCommit(tree, head, commit));
    if (before === undefined) await runFor(git, gitArguments.createRef(branch, id));
    else await runFor(git, gitArguments.readTree(id), { GIT_INDEX_FILE: index });
    const changed = await changedSince(tree, id, restore);
    const parked = await namesIn(git, id, restore);
    const isNew = (file: string): boolean => !parked.has(file) && inspectPlace(root, file) === "file";
    const unchanged = restore.filter((file) => !changed.includes(file) && !isNew(file));
    const known = await namesIn(git, head, unchanged);
    const added = unchanged.filter((file) => !known.has(file));
    if (added.length > 0) await runFor(git, gitArguments.unstage(added));
    const stuck = added.filter((file) => !removeAdded(root, file));
    // After the removal: a file may have been put where a folder of HEAD's belongs.
    const free = [...known].filter((file) => inspectPlace(root, file) !== "blocked");
    if (free.length > 0) await runFor(git, gitArguments.restoreFiles(head, free));
    const done = new Set([...free, ...added.filter((file) => !stuck.includes(file))]);
    return { commit: id, kept: [...new Set([...changed, ...restore.filter((file) => !done.has(file))])] };
  });

/** Writes files into the work tree as a commit has them. Those in whose place something else is stay as they are, and are named. */
export const giveBack = async (
  { git, root }: WorkTree,
  commit: Revision,
  files: readonly string[],
): Promise<readonly string[]> => {
  const free = files.filter((file) => inspectPlace(root, file) !== "blocked");
  if (free.length > 0) await runFor(git, gitArguments.giveBackFiles(commit, free));
  return files.filter((file) => !free.includes(file));
};

/** Makes a branch at a commit; one that is there already must be at it. */
export const pointBranch = async (git: Git, branch: Revision, at: Revision): Promise<void> => {
  const before = parseRevision((await git(gitArguments.resolveCommit(branch))).stdout.trim());
  if (before === undefined) await runFor(git, gitArguments.createRef(branch, at));
  else if (before !== at) throw gitRefused(`there is a branch ${branch} already`, "rename it, then call again");
};

/** A branch that holds parked work. */
interface ParkedBranch {
  readonly branch: Revision;
  readonly commit: Revision;
  readonly title: string;
  /** The branch of HEAD has it: the commit itself, or each of its files as it was parked. Never where it is checked out, or where that cannot be known. */
  readonly merged: boolean;
}

/** Every branch with parked work, of earlier sessions too. */
export const listParked = async (git: Git): Promise<readonly ParkedBranch[]> => {
  // A detached HEAD keeps nothing: what only it has is lost when it goes elsewhere.
  const isOnBranch = (await git(gitArguments.currentBranch())).code === 0;
  const head = isOnBranch ? parseRevision((await git(gitArguments.head())).stdout.trim()) : undefined;
  const found: ParkedBranch[] = [];
  for (const line of (await git(gitArguments.listParked())).stdout.split("\n")) {
    const [name = "", id = "", worktree = "", title = ""] = line.split("\0");
    const [branch, commit] = [parseRevision(name), parseRevision(id)];
    if (branch === undefined || commit === undefined) continue;
    const merged = worktree === "" && head !== undefined && (await isMerged(git, commit, head).catch(() => false));
    found.push({ branch, commit, title, merged });
  }
  return found;
};

const isMerged = async (git: Git, commit: Revision, head: Revision): Promise<boolean> => {
  if ((await git(gitArguments.isAncestor(commit, head))).code === 0) return true;
  const base = parseRevision((await git(gitArguments.mergeBase(commit, head))).stdout.trim());
  if (base === undefined) return false;
  const different = new Set(await changedFiles(git, commit, head));
  const parked = await changedFiles(git, base, commit);
  return parked.length > 0 && parked.every((file) => !different.has(file));
};

/** Removes a branch that is still at that commit; false where git refuses. */
export const removeParked = async (git: Git, { branch, commit }: ParkedBranch): Promise<boolean> =>
  (await git(gitArguments.removeBranch(branch, commit))).code === 0;

/** Those of the files that a commit has. */
export const namesIn = async (git: Git, commit: Revision, files: readonly string[]): Promise<ReadonlySet<string>> => {
  if (files.length === 0) return new Set();
  const found = new Set(splitNames(await runFor(git, gitArguments.filesIn(commit, files))));
  return new Set(files.filter((file) => found.has(file)));
};

/**
 * What is in the place of a file; a symlink counts as one. It is blocked by a folder there, and by a file or a symlink instead of a folder
 * above it: git would remove these to give the file back.
 */
const inspectPlace = (root: string, file: string): "free" | "file" | "blocked" => {
  const parts = file.split("/");
  let at = root;
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return "free";
    const isLast = index === parts.length - 1;
    if (found.isDirectory() === isLast) return "blocked";
  }
  return "file";
};

/** Removes a file that HEAD does not have; false where that is refused. */
const removeAdded = (root: string, file: string): boolean => {
  try {
    unlinkInside(root, file);
    return true;
  } catch {
    return false;
  }
};

/** Those of the files that differ from the commit; the index of the tree holds that commit. */
const changedSince = async (
  { git, index }: WorkTree,
  commit: Revision,
  files: readonly string[],
): Promise<readonly string[]> =>
  files.length === 0
    ? []
    : splitNames(await runFor(git, gitArguments.changedSince(commit, files), { GIT_INDEX_FILE: index }));
