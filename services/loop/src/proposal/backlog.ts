/** Which of the tickets that earlier sessions have not done a session begins with; the others wait for one with a wider scope. Pure. */
import { createSessionMatcher } from "../scope/check.ts";
import { type FilterRules, proposalPaths } from "./filter.ts";
import type { Proposal } from "./proposal.ts";

interface DividedBacklog {
  readonly taken: readonly Proposal[];
  readonly left: readonly Proposal[];
}

export const divideBacklog = (
  backlog: readonly Proposal[],
  { scope, excludeDirs, categories }: Pick<FilterRules, "scope" | "excludeDirs" | "categories">,
): DividedBacklog => {
  const inScope = createSessionMatcher(scope, excludeDirs);
  const fits = (proposal: Proposal): boolean =>
    categories.includes(proposal.category) && proposalPaths(proposal).every(inScope);
  return { taken: backlog.filter(fits), left: backlog.filter((proposal) => !fits(proposal)) };
};
