/**
 * Every command that is ever given to git, as an argument vector with named slots. A name that comes from outside is
 * checked before it gets into a slot, and comes after `--end-of-options`.
 */

/** A commit or a branch. */
export type Revision = string & { readonly revision: true };

/** Letters, digits, dash, slash, dot and underscore, beginning with a letter or digit; what git forbids in names is refused too. */
export const parseRevision = (text: string): Revision | undefined => (isRevision(text) ? text : undefined);

/** The same for what git itself has printed, or this service has made. */
export const requireRevision = (text: string): Revision => {
  const revision = parseRevision(text);
  if (revision === undefined) throw new Error(`${text} is not a revision`);
  return revision;
};

const isRevision = (text: string): text is Revision =>
  /^[A-Za-z0-9][\w./-]{0,199}$/.test(text) &&
  !text.includes("..") &&
  !text.includes("//") &&
  !text.endsWith("/") &&
  !text.split("/").some((part) => part.startsWith(".") || part.endsWith(".lock") || part.endsWith("."));

interface CommitWords {
  readonly message: string;
  readonly signed: boolean;
}

const diff = [
  "diff",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--ignore-submodules=all",
] as const;

/** Lines that match, of each text file that git knows: its name, a NUL, the number. */
const countInFiles = ["grep", "--no-color", "--no-textconv", "-I", "--count", "--null"] as const;

/** Within the folder git runs in, and by paths from there. */
const here = "--relative";

export const gitArguments = {
  /** The commit HEAD is at; fails in a repository without commits. */
  head: () => ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"],
  resolveCommit: (revision: Revision) => [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`,
  ],
  /** The folder git runs in, in a commit; fails where the commit does not have it. */
  folderIn: (revision: Revision) => ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}:./`],
  branchExists: (branch: Revision) => ["show-ref", "--verify", "--quiet", "--", `refs/heads/${branch}`],
  currentBranch: () => ["symbolic-ref", "--quiet", "--short", "HEAD"],
  isBranchName: (branch: Revision) => ["check-ref-format", `refs/heads/${branch}`],
  /** Where the locks are that git takes for a branch: of the index, of HEAD and its own; absolute, a line each. */
  lockPaths: (branch: Revision) => [
    "rev-parse",
    "--path-format=absolute",
    "--git-path",
    "index.lock",
    "--git-path",
    "HEAD.lock",
    "--git-path",
    `refs/heads/${branch}.lock`,
  ],
  /** Where the repository's objects and branches are, of all its worktrees; absolute. */
  commonFolder: () => ["rev-parse", "--path-format=absolute", "--git-common-dir"],
  /** What is there while a merge, a rebase or the like is under way; absolute, a line each. */
  operationPaths: () => [
    "rev-parse",
    "--path-format=absolute",
    ...["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"].flatMap((name) => [
      "--git-path",
      name,
    ]),
  ],
  /** Those of the paths that git would ignore. */
  listIgnored: (paths: readonly string[]) => ["check-ignore", "--", ...paths],
  listFiles: () => ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  /** The files of the last so many commits, once for each that changed them. */
  filesOfLog: (commits: number) => [
    "log",
    "--no-merges",
    "--no-renames",
    "--no-ext-diff",
    "--ignore-submodules=all",
    here,
    "--name-only",
    "-z",
    "--format=",
    `--max-count=${commits}`,
  ],
  countMarks: () => [...countInFiles, "--word-regexp", "--extended-regexp", "-e", "TODO|FIXME|XXX|HACK"],
  /** Lines that go one way or another: a measure of how complex a source is that needs no parser. */
  countBranches: () => [
    ...countInFiles,
    "--extended-regexp",
    "-e",
    "(^|[^A-Za-z_])(if|elif|for|while|case|catch|except|match|switch)[^A-Za-z_]|&&|[|][|]",
  ],
  /** Those of the names that the index has in this folder. */
  listTracked: (names: readonly string[]) => ["ls-files", "-z", "--cached", "--", ...names],
  /** When a file was last changed by a commit, as a day. */
  lastChanged: (path: string) => ["log", "--max-count=1", "--format=%cs", "--no-ext-diff", "--", path],
  countLines: () => [...countInFiles, "-e", ""],
  /** Of the whole repository, from its top. */
  status: () => ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"],
  /** From the top of the repository. */
  changedBetween: (from: Revision, to: Revision) => [...diff, "--name-only", "-z", "--end-of-options", from, to, "--"],
  /** The same with what git ignores, marked by `!!`; a folder of which all is ignored is one entry. */
  statusIgnored: () => [
    "status",
    "--porcelain=v1",
    "-z",
    "--ignored=traditional",
    "--untracked-files=normal",
    "--no-renames",
  ],
  patch: (from: Revision, paths: readonly string[]) => [...diff, here, "--end-of-options", from, "--", ...paths],
  numstat: (from: Revision, paths: readonly string[]) => [
    ...diff,
    here,
    "--numstat",
    "-z",
    "--end-of-options",
    from,
    "--",
    ...paths,
  ],
  patchBetween: (from: Revision, to: Revision) => [...diff, here, "--end-of-options", from, to, "--"],
  numstatBetween: (from: Revision, to: Revision) => [
    ...diff,
    here,
    "--numstat",
    "-z",
    "--end-of-options",
    from,
    to,
    "--",
  ],
  createBranch: (branch: Revision, base: Revision) => [
    "switch",
    "--quiet",
    "--no-track",
    "--create",
    branch,
    "--end-of-options",
    base,
  ],
  switchBranch: (branch: Revision) => ["switch", "--quiet", "--no-guess", "--end-of-options", branch],
  addWorktree: (folder: string, branch: Revision, base: Revision) => [
    "worktree",
    "add",
    "--quiet",
    "--no-track",
    "-b",
    branch,
    "--end-of-options",
    folder,
    base,
  ],
  addWorktreeForBranch: (folder: string, branch: Revision) => [
    "worktree",
    "add",
    "--quiet",
    "--end-of-options",
    folder,
    branch,
  ],
  addDetachedWorktree: (folder: string, commit: Revision) => [
    "worktree",
    "add",
    "--quiet",
    "--detach",
    "--end-of-options",
    folder,
    commit,
  ],
  /** The tree of both, then the files that are in conflict; exit code 1 where there are any. */
  mergeTree: (first: Revision, second: Revision) => [
    "merge-tree",
    "--write-tree",
    "-z",
    "--name-only",
    "--no-messages",
    first,
    second,
  ],
  commitMerge: (tree: Revision, [first, second]: readonly [Revision, Revision], { message, signed }: CommitWords) => [
    "commit-tree",
    signed ? "--gpg-sign" : "--no-gpg-sign",
    "-p",
    first,
    "-p",
    second,
    "-m",
    message,
    tree,
  ],
  /** Looks again at files that were written without a change. */
  refreshIndex: () => ["update-index", "-q", "--refresh"],
  /** From one commit's files to the other's, in the index and the folder; refused where an edit is in the way. */
  checkOutTrees: (from: Revision, to: Revision) => ["read-tree", "-m", "-u", from, to],
  /** Only where it is still at the second commit. */
  moveBranch: (branch: Revision, to: Revision, from: Revision) => [
    "update-ref",
    "-m",
    "fairlead: merged",
    `refs/heads/${branch}`,
    to,
    from,
  ],
  hashFile: (path: string) => ["hash-object", "--no-filters", "--", path],
  /** The ids of files as their bytes are, a line each. */
  hashFiles: (paths: readonly string[]) => ["hash-object", "--no-filters", "--", ...paths],
  /** The same, and git has them then. */
  storeFiles: (paths: readonly string[]) => ["hash-object", "-w", "--no-filters", "--", ...paths],
  readBlob: (id: Revision) => ["cat-file", "blob", id],
  /** Takes objects into the index: mode, id and path from the top of the repository, with commas between. */
  stageObjects: (entries: readonly string[]) => [
    "update-index",
    "--add",
    "--replace",
    ...Array.from(entries, (entry) => ["--cacheinfo", entry]).flat(),
  ],
  objectAt: (commit: Revision, path: string) => [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${commit}:${path}`,
  ],
  listWorktrees: () => ["worktree", "list", "--porcelain", "-z"],
  /** Whatever state it is in. */
  removePartialWorktree: (folder: string) => ["worktree", "remove", "--force", "--force", "--end-of-options", folder],
  removeWorktree: (folder: string) => ["worktree", "remove", "--end-of-options", folder],
  /** Whether the first commit is the second one or lies before it. */
  isAncestor: (first: Revision, second: Revision) => ["merge-base", "--is-ancestor", "--end-of-options", first, second],
  /** Fills the index of the call; of a commit. */
  readTree: (commit: Revision) => ["read-tree", commit],
  /** Takes files into the index as they are: changed, added or gone. */
  stageFiles: (paths: readonly string[]) => ["update-index", "--add", "--remove", "--replace", "--", ...paths],
  /** The files of the index, into a folder: absolute, with a slash at its end. */
  exportIndex: (folder: string) => ["checkout-index", "--all", "--force", "--quiet", `--prefix=${folder}`],
  writeTree: () => ["write-tree"],
  commitTree: (tree: Revision, parent: Revision, { message, signed }: CommitWords) => [
    "commit-tree",
    signed ? "--gpg-sign" : "--no-gpg-sign",
    "-p",
    parent,
    "-m",
    message,
    tree,
  ],
  /** Only where HEAD is still at the second commit. */
  moveHead: (to: Revision, from: Revision) => ["update-ref", "-m", "fairlead: a ticket is done", "HEAD", to, from],
  /** Only where there is no such branch. */
  createRef: (branch: Revision, to: Revision) => [
    "update-ref",
    "-m",
    "fairlead: parked",
    `refs/heads/${branch}`,
    to,
    "",
  ],
  /** Name, commit, the worktree it is checked out in, and the subject; a line each. */
  listParked: () => [
    "for-each-ref",
    "--format=%(refname:lstrip=2)%00%(objectname)%00%(worktreepath)%00%(subject)",
    "refs/heads/promptwheel/parked/",
  ],
  mergeBase: (first: Revision, second: Revision) => ["merge-base", "--end-of-options", first, second],
  /** Only where it is still at that commit. */
  removeBranch: (branch: Revision, at: Revision) => ["update-ref", "-d", `refs/heads/${branch}`, at],
  keepRef: (name: Revision, to: Revision) => ["update-ref", `refs/${name}`, to, ""],
  dropRef: (name: Revision) => ["update-ref", "-d", `refs/${name}`],
  resetIndex: (paths: readonly string[]) => ["reset", "--quiet", "HEAD", "--", ...paths],
  /** In the work tree alone: what is staged stays so. */
  giveBackFiles: (commit: Revision, paths: readonly string[]) => [
    "restore",
    "--quiet",
    "--worktree",
    `--source=${commit}`,
    "--",
    ...paths,
  ],
  restoreFiles: (commit: Revision, paths: readonly string[]) => [
    "restore",
    "--quiet",
    "--staged",
    "--worktree",
    `--source=${commit}`,
    "--",
    ...paths,
  ],
  /** Takes exactly these paths out of the index, and none below them. */
  unstage: (paths: readonly string[]) => ["update-index", "--force-remove", "--", ...paths],
  filesIn: (commit: Revision, paths: readonly string[]) => [
    "ls-tree",
    "-r",
    "-z",
    "--name-only",
    commit,
    "--",
    ...paths,
  ],
  filesOfCommit: (commit: Revision) => [
    "diff-tree",
    here,
    "--no-commit-id",
    "--name-only",
    "-r",
    "-z",
    "--root",
    commit,
  ],
  changedSince: (commit: Revision, paths: readonly string[]) => [
    ...diff,
    here,
    "--name-only",
    "-z",
    "--end-of-options",
    commit,
    "--",
    ...paths,
  ],
  filterAttributes: (paths: readonly string[]) => ["check-attr", "-z", "filter", "--", ...paths],
  /** The id and the message of each commit since then, newest first. */
  messagesSince: (since: Revision) => ["log", "-z", "-n", "100", "--format=%H%n%B", `${since}..HEAD`, "--"],
  listRemotes: () => ["remote"],
  /** The commit that a remote's branch is at; nothing without such a branch. The program at the other end is git's own. */
  remoteBranch: (remote: Revision, branch: Revision) => [
    "ls-remote",
    "--quiet",
    "--upload-pack=git-upload-pack",
    "--end-of-options",
    remote,
    `refs/heads/${branch}`,
  ],
  configValue: (name: string) => ["config", "--get", name],
  configNames: () => ["config", "--list", "--name-only", "-z"],
} as const satisfies Readonly<Record<string, (...slots: never[]) => readonly string[]>>;
