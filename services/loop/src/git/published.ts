/** What this repository knows of the branch that a pull request is said to come from. Asks no remote. Not here: how a branch is set up (`branch.ts`). */
import type { PrCheck } from "../state/pull-request.ts";
import { gitArguments, parseRevision } from "./arguments.ts";
import type { Git } from "./git.ts";

/** `base`: the commit that the ticket began at. */
export const checkPublished = async (git: Git, name: string, base: string): Promise<PrCheck> => {
  const branch = parseRevision(name);
  const tip =
    branch === undefined ? undefined : parseRevision((await git(gitArguments.resolveCommit(branch))).stdout.trim());
  if (tip === undefined)
    return { pr: "unverified", reason: `there is no branch ${JSON.stringify(name.slice(0, 80))} here` };
  const first = parseRevision(base);
  const isEmpty = first !== undefined && (await git(gitArguments.isAncestor(tip, first))).code === 0;
  return isEmpty
    ? { pr: "unverified", reason: `${name} has no commit since the ticket was taken` }
    : { pr: "local", reason: "the branch is here; no remote was asked" };
};
