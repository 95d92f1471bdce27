/**
 * What a held agent may write of Git's own files, and of the session's. A hook or a setting in them would run with its reader's rights, so they are read-only.
 * Only where it has to commit by itself, for pull requests, it gets the objects of the repository, the branch of its ticket and its worktree's own folder.
 *
 * Not here: what the server's git does about links in those (`git/plain-files.ts`).
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { gitArguments } from "../git/arguments.ts";
import { requirePlainFiles } from "../git/plain-files.ts";
import { editLogName, shellEndName } from "../hook/edit-log.ts";
import { declaredError } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import { errorCode, errorMessage } from "../value/error.ts";
import { parseTicketId, type TicketId } from "../value/id.ts";

interface GitPlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly hidden: readonly string[];
  /** Variables that its git needs there. */
  readonly variables: Readonly<Record<string, string>>;
}

/** It finds no log of its branch and begins none: what it leaves in the place of one would lead another git elsewhere. */
const withoutLogs = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.logAllRefUpdates",
  GIT_CONFIG_VALUE_0: "false",
} as const;

/** Throws `no_sandbox` where it has to commit and cannot be held. */
export const findGitPlaces = async (project: Project, folder: string): Promise<GitPlaces> => {
  const { prefix = "" } = project.git ?? {};
  const top = prefix === "" ? folder : folder.slice(0, -prefix.length + 1).replace(/\/$/, "");
  const entry = join(top, ".git");
  const readOnly = [entry, project.home].filter((path) => isThere(path) && !folder.startsWith(`${path}${sep}`));
  const closed = { writable: findToolLog(project, folder), readOnly, hidden: [], variables: {} };
  const settings = project.peek()?.settings;
  if (settings?.createPrs !== true || settings.direct) return closed;
  if (settings.parallel > 1)
    throw declaredError(
      "no_sandbox",
      "agents that commit at the same time share git's folders of objects, and one could lead the other's git elsewhere: open the session with one ticket at a time, or trust the agent with `--sandbox off`",
    );
  const ticket = findTicket(project, top);
  const tree = ticket && (await findWorktree(project, entry));
  if (ticket === undefined || tree === undefined) return closed;
  requirePlainFiles(top);
  const places = findCommitPlaces(tree, ticket);
  return { ...places, readOnly: [...readOnly, ...places.readOnly], variables: withoutLogs };
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The hooks of the agent's client, in the same tree, write when its tools were at work. */
const findToolLog = ({ root, home }: Project, folder: string): readonly string[] =>
  folder === root ? [editLogName, shellEndName].map((name) => join(home, name)).filter(isThere) : [];

/** The ticket whose worktree it is. */
const findTicket = ({ home }: Project, top: string): TicketId | undefined => {
  const worktrees = join(home, "worktrees");
  return dirname(top) === worktrees ? parseTicketId(top.slice(worktrees.length + 1)) : undefined;
};

interface Worktree {
  /** Where the repository's objects and branches are. */
  readonly common: string;
  /** What git keeps of this worktree. */
  readonly own: string;
}

/** Where git keeps a worktree: only below the project's own repository, whatever the file in the worktree says. */
const findWorktree = async ({ git }: Project, entry: string): Promise<Worktree | undefined> => {
  if (git === undefined || lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const common = (await git(gitArguments.commonFolder())).stdout.trim();
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, "utf8").slice(0, 4_096))?.[1];
  if (common === "" || named === undefined || !isFolder(named)) return undefined;
  const own = realpathSync(named);
  return dirname(own) === join(realpathSync(common), "worktrees") ? { common: realpathSync(common), own } : undefined;
};

/** The settings of the worktree are made where they are not there, so that they cannot be the agent's: git obeys them where `extensions.worktreeConfig` is set. */
const findCommitPlaces = ({ common, own }: Worktree, ticket: TicketId) => {
  const branch = join("refs/heads/promptwheel", ticket);
  const settings = join(own, "config.worktree");
  try {
    mkdirSync(join(common, branch), { recursive: true });
    writeNew(settings);
  } catch (problem) {
    throw declaredError("no_sandbox", `the agent cannot commit in a sandbox here: ${errorMessage(problem)}`);
  }
  return {
    writable: [own, join(common, "objects"), join(common, branch)],
    readOnly: [settings, ...["commondir", "gitdir"].map((name) => join(own, name)).filter(isThere)],
    hidden: [join(common, "logs", branch)].filter(isFolder),
  };
};

const writeNew = (path: string): void => {
  try {
    writeFileSync(path, "", { flag: "wx" });
  } catch (problem) {
    if (errorCode(problem) !== "EEXIST") throw problem;
  }
};
