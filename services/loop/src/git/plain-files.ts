/**
 * What git keeps of a worktree is looked at before each git that may write: where pull requests are made an agent commits there by itself, and a link that
 * it left would lead the server's own git, which follows links at its index, its logs and its folders of objects, to a file elsewhere.
 *
 * Not here: what an agent may write at all (`runner/agent-sandbox.ts`), and settings that would run something (`git.ts`).
 */
import { type Dir, lstatSync, opendirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FairleadError } from "@fairlead/contracts";

/** Files and folders that git may keep of one worktree: dozens are many. */
const mostEntries = 5_000;

/** Throws `git_refused` where a link, or too much to look at, is in the way of git in the work tree `top`. */
export const requirePlainFiles = (top: string): void => {
  const entry = join(top, ".git");
  const own = findOwn(entry);
  const common = own === undefined ? entry : dirname(dirname(own));
  const link =
    (own === undefined ? undefined : findLink(own, { deep: true })) ??
    findLink(join(common, "objects"), { deep: false });
  if (link === undefined) return;
  throw new FairleadError({
    code: "failed_precondition",
    reason: "git_refused",
    message: `git is not run in ${top}: ${link}`,
    hint: "an agent may have put it there: see what it is, remove it, then call again",
  });
};

/** The folder that the file `.git` of a worktree names; nothing where it is the repository's own, or a submodule's. */
const findOwn = (entry: string): string | undefined => {
  if (lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, "utf8").slice(0, 4_096))?.[1];
  const own = named === undefined ? undefined : resolve(dirname(entry), named);
  return own !== undefined && basename(dirname(own)) === "worktrees" ? own : undefined;
};

/** The first link in a folder, in words; with `deep` in those below it, too. */
const findLink = (folder: string, { deep }: { readonly deep: boolean }): string | undefined => {
  const open = [folder];
  let seen = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const listing = openFolder(at);
    try {
      for (let entry = listing?.readSync() ?? null; entry !== null; entry = listing?.readSync() ?? null) {
        seen += 1;
        if (seen > mostEntries) return `${folder} has more than ${mostEntries} entries`;
        if (entry.isSymbolicLink()) return `${join(at, entry.name)} is a link`;
        if (deep && entry.isDirectory()) open.push(join(at, entry.name));
      }
    } finally {
      listing?.closeSync();
    }
  }
  return undefined;
};

/** Nothing where it is not there or cannot be read: git says what is wrong with it. */
const openFolder = (folder: string): Dir | undefined => {
  try {
    return opendirSync(folder);
  } catch {
    return undefined;
  }
};
