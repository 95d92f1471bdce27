/**
 * Whether a coding agent may edit a file: asked by its client's hook before the edit, answered from the files that the server keeps for
 * hooks. Without an active session everything may be edited. Not here: what each client sends and reads (`client-format.ts`).
 *
 * This folder becomes one script without imports (`gen/client-hook.ts`), so it must not import anything that has to be installed.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { checkFile } from "../scope/check.ts";
import type { ScopePolicy } from "../scope/policy.ts";

/** There while a session is active, in `.promptwheel`. */
export const statusFile = "loop-state.json";

/** The active session, as that file has it. */
interface ActiveSession {
  readonly run_id: string;
  readonly phase: string;
  readonly pid: number;
  /** A person has to decide before it goes on. */
  readonly waits?: boolean;
}

/** What the server's files hold. This is the named boundary of their types: only the server writes them, as a whole. */
const readJson = <T>(path: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
};

const home = (root: string): string => join(root, ".promptwheel");

/** The session of the project at `root`, while the server that holds it is there. */
export const readSession = (root: string): ActiveSession | undefined => {
  const session = readJson<ActiveSession>(join(home(root), statusFile));
  return session !== undefined && isRunning(session.pid) ? session : undefined;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (problem) {
    // Another user's process cannot be signalled, and is there.
    return problem instanceof Error && "code" in problem && problem.code === "EPERM";
  }
};

/** Fields of a run's `state.json`. */
export const readRunState = (root: string, { run_id }: ActiveSession): Readonly<Record<string, unknown>> =>
  readJson(join(home(root), "runs", run_id, "state.json")) ?? {};

/** Why the file may not be edited now; `undefined` where it may. A relative path is taken from `from`. */
export const refuseEdit = (root: string, file: string, from = root): string | undefined => {
  if (readSession(root) === undefined) return undefined;
  const policies = readJson<{ readonly tickets: Readonly<Record<string, ScopePolicy>> }>(
    join(home(root), "scope-policy.json"),
  )?.tickets;
  if (policies === undefined) return "the scope of the session's ticket cannot be read";
  const path = toProjectPath(root, isAbsolute(file) ? file : resolve(from, file));
  if (path === undefined) return undefined;
  const worktree = /^\.promptwheel\/worktrees\/([^/]+)\/(.+)$/.exec(path);
  if (worktree !== null) return refuseInWorktree(root, policies, worktree);
  const refusals: string[] = [];
  for (const [id, policy] of Object.entries(policies)) {
    const folder = `.promptwheel/worktrees/${id}`;
    const why = existsSync(join(root, folder)) ? `it is worked on in ${folder}` : checkFile(policy, path)?.why;
    if (why === undefined) return undefined;
    refusals.push(`${id}: ${why}`);
  }
  return refusals.length === 0
    ? undefined
    : `${path} is outside the scope of what is worked on: ${refusals.join("; ")}`;
};

const refuseInWorktree = (
  root: string,
  policies: Readonly<Record<string, ScopePolicy>>,
  [, id = "", rest = ""]: readonly string[],
): string | undefined => {
  const policy = policies[id];
  if (policy === undefined) return `the ticket of this worktree, ${id}, is not being worked on`;
  const prefix = repositoryPrefix(root);
  const inside = rest.startsWith(prefix) ? rest.slice(prefix.length) : `../${rest}`;
  const why = checkFile(policy, inside)?.why;
  return why === undefined ? undefined : `${inside} is outside the scope of ${id}: ${why}`;
};

/** The project's folder in its repository, like `packages/a/`; empty at the top. */
const repositoryPrefix = (root: string): string => {
  const top = repositoryTop(root);
  return top === undefined || top === root ? "" : `${relative(top, root).split(sep).join("/")}/`;
};

const repositoryTop = (root: string): string | undefined => {
  for (let top = root; ; top = dirname(top)) {
    if (existsSync(join(top, ".git"))) return top;
    if (dirname(top) === top) return undefined;
  }
};

/** Relative to the project, by the real folder that it lies in; `undefined` for what is not a file of the repository. */
export const toProjectPath = (root: string, file: string): string | undefined => {
  const real = realPlace(file);
  const top = repositoryTop(root) ?? root;
  if (relative(top, real).split(sep)[0] === "..") return undefined;
  return relative(root, real).split(sep).join("/");
};

/** The real path of a file that may not be there yet. */
const realPlace = (file: string): string => {
  try {
    return realpathSync(file);
  } catch {
    return dirname(file) === file ? file : join(realPlace(dirname(file)), basename(file));
  }
};
