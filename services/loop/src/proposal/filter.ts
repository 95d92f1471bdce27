/**
 * Filters what a scout reported down to what becomes a ticket. The filters run in the order below; each refusal says why, and the
 * reasons reach the next scout prompt. Pure: the same input gives the same tickets.
 */

import { createSessionMatcher } from "../scope/check.ts";
import type { Category } from "../value/category.ts";
import { limits } from "../value/limits.ts";
import type { Proposal } from "./proposal.ts";
import { rankProposals } from "./rank.ts";
import { readProposal } from "./schema.ts";
import { nearDuplicate, similarity } from "./similarity.ts";

export interface ProposalRejection {
  readonly title: string;
  readonly rule:
    | "schema"
    | "noise"
    | "confidence"
    | "impact"
    | "category"
    | "scope"
    | "duplicate"
    | "repeated"
    | "maximum"
    | "tests";
  readonly why: string;
}

export interface FilterResult {
  /** Best first. */
  readonly accepted: readonly Proposal[];
  readonly rejected: readonly ProposalRejection[];
  /** Outside the scope, but good otherwise; kept for a session with a wider one. */
  readonly deferred: readonly Proposal[];
}

export interface FilterRules {
  readonly minImpact: number;
  readonly categories: readonly Category[];
  /** Glob. */
  readonly scope: string;
  readonly excludeDirs: readonly string[];
  readonly maxProposals: number;
  /** Titles of open and of recently finished tickets. */
  readonly knownTitles: readonly string[];
  /** Proposals deferred earlier; they are tried again, after the new ones. */
  readonly carried: readonly Proposal[];
  /** What the score of work on some files is multiplied with. */
  readonly boost: (files: readonly string[]) => number;
}

/** Share of test proposals among those accepted; at least one is always let through. */
const testShare = 0.4;

const noise =
  /\b(?:typos?|whitespace|formatting|indentation|reword(?:ing)?|wording|grammar|spelling|punctuation|capitali[sz]ation|trailing (?:spaces?|commas?|newlines?)|blank lines?|sort imports?|import order|rename comments?|comment style)\b/i;

type ProposalFilter = (proposal: Proposal, rules: FilterRules) => Omit<ProposalRejection, "title"> | undefined;

const rejectNoise: ProposalFilter = ({ category, title, confidence }) =>
  (category === "docs" || category === "cleanup") && confidence < 80 && noise.test(title)
    ? { rule: "noise", why: "cosmetic, and not sure enough (confidence below 80)" }
    : undefined;

const rejectNoConfidence: ProposalFilter = ({ confidence }) =>
  confidence <= 0 ? { rule: "confidence", why: "its confidence is 0" } : undefined;

const rejectLowImpact: ProposalFilter = ({ impact_score }, { minImpact }) =>
  impact_score < minImpact
    ? { rule: "impact", why: `its impact ${impact_score} is below the session's minimum ${minImpact}` }
    : undefined;

const rejectOtherCategory: ProposalFilter = ({ category }, { categories }) =>
  categories.includes(category)
    ? undefined
    : { rule: "category", why: `${category} is not among ${categories.join(", ")}` };

const filters: readonly ProposalFilter[] = [rejectNoise, rejectNoConfidence, rejectLowImpact, rejectOtherCategory];

export const filterProposals = (raw: readonly unknown[], rules: FilterRules): FilterResult => {
  const rejected: ProposalRejection[] = [];
  const deferred: Proposal[] = [];
  const passed: Proposal[] = [];
  const reject = (title: string, reason: Omit<ProposalRejection, "title">): void => {
    rejected.push({ title, ...reason });
  };
  const inScope = createSessionMatcher(rules.scope, rules.excludeDirs);
  const read = raw.flatMap((value) => {
    const verdict = readProposal(value);
    if (verdict.ok) return [verdict.proposal];
    reject(verdict.title, { rule: "schema", why: verdict.why });
    return [];
  });
  for (const proposal of [...read, ...rules.carried]) {
    const reason = applyFilters(proposal, rules);
    if (reason !== undefined) reject(proposal.title, reason);
    else if (!proposalPaths(proposal).every(inScope)) {
      deferred.push(proposal);
      reject(proposal.title, { rule: "scope", why: `outside the scope ${rules.scope}; kept for a wider one` });
    } else {
      const same = findDuplicate(proposal, rules.knownTitles, passed);
      if (same === undefined) passed.push(proposal);
      else reject(proposal.title, same);
    }
  }
  const best = limitCount(rankProposals(passed, rules.boost), rules.maxProposals, reject);
  const onlyTests = rules.categories.every((category) => category === "test");
  const accepted = onlyTests ? best : limitTests(best, reject);
  return { accepted, rejected, deferred: deferred.slice(0, limits.deferred) };
};

const applyFilters: ProposalFilter = (proposal, rules) => {
  for (const filter of filters) {
    const reason = filter(proposal, rules);
    if (reason !== undefined) return reason;
  }
  return undefined;
};

/** Globs are compared as text. */
export const proposalPaths = ({ files, allowed_paths }: Proposal): readonly string[] =>
  files.length > 0 ? files : allowed_paths;

const findDuplicate = (
  { title, files }: Proposal,
  known: readonly string[],
  batch: readonly Proposal[],
): Omit<ProposalRejection, "title"> | undefined => {
  const twin = known.find((other) => similarity(title, other) >= nearDuplicate);
  if (twin !== undefined) return { rule: "duplicate", why: `nearly the same as "${twin.slice(0, 80)}"` };
  const repeat = batch.find(
    (other) => similarity(title, other.title) >= nearDuplicate || (files.length >= 3 && sameFiles(files, other.files)),
  );
  return repeat === undefined
    ? undefined
    : { rule: "repeated", why: `the same report holds "${repeat.title.slice(0, 80)}"` };
};

const sameFiles = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((file) => b.includes(file));

type Reject = (title: string, reason: Omit<ProposalRejection, "title">) => void;

const limitCount = (best: readonly Proposal[], max: number, reject: Reject): readonly Proposal[] => {
  for (const { title } of best.slice(max))
    reject(title, { rule: "maximum", why: `the session takes ${max} proposals a scout, and better ones were found` });
  return best.slice(0, max);
};

/** With `others` kept, this many tests are still at most their share of all. */
const testQuota = (others: number): number => Math.max(1, Math.floor((others * testShare) / (1 - testShare) + 1e-9));

const limitTests = (best: readonly Proposal[], reject: Reject): readonly Proposal[] => {
  const quota = testQuota(best.filter(({ category }) => category !== "test").length);
  let tests = 0;
  return best.filter(({ category, title }) => {
    if (category !== "test") return true;
    tests += 1;
    if (tests <= quota) return true;
    reject(title, { rule: "tests", why: `tests are at most ${testShare * 100} % of what a scout yields` });
    return false;
  });
};
