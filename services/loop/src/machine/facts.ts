/** Finds out about an event what guards and actions need in a phase: proposals sifted, plans and results held against the scope. Pure. */

import { finishedLately } from "../memory/title.ts";
import { checkPlan } from "../plan/check.ts";
import { sift } from "../proposal/filter.ts";
import { attempts, classify } from "../qa/failure-class.ts";
import { filesViolations, linesViolation, type Violation } from "../scope/check.ts";
import { credentialsIn } from "../scope/credential.ts";
import { parsePath } from "../scope/path.ts";
import { graphBoost } from "../state/coverage.ts";
import type { LoopEvent, Measured, PayloadOf } from "../state/event.ts";
import type { RunState, Work } from "../state/run-state.ts";
import { derivePolicy } from "../ticket/policy.ts";
import { shortHash } from "../value/hash.ts";
import type { Facts, QaFailure, ResultCheck } from "./action/transition.ts";

export const findFacts = (state: RunState, event: LoopEvent): Facts => {
  const { phase, current } = state;
  switch (event.type) {
    case "SCOUT_OUTPUT":
      return phase === "SCOUT" ? { sifted: siftAll(state, event.payload.proposals, event.at) } : {};
    case "PROPOSALS_REVIEWED":
      return phase === "SCOUT" && state.scout.pending !== null
        ? { sifted: siftAll(state, merged(state.scout.pending, event.payload), event.at) }
        : {};
    case "PLAN_SUBMITTED":
      return phase === "PLAN" && current !== null
        ? { plan: checkPlan(derivePolicy(current.ticket, state.recent), event.payload) }
        : {};
    case "TICKET_RESULT":
      return phase === "EXECUTE" && current !== null ? { result: checkResult(state, current, event) } : {};
    case "QA_PASSED":
      return phase === "QA" && current !== null
        ? { result: checkTree(state, current, event.measured), owed: owedIn(current, event.payload) }
        : {};
    case "PR_CREATED":
      return phase === "PR" && current !== null ? { result: checkTree(state, current, event.measured) } : {};
    case "QA_FAILED":
      return phase === "QA" && current !== null
        ? { failure: classifyFailure(current.qaRetries, event.payload.error) }
        : {};
    default:
      return {};
  }
};

const siftAll = (state: RunState, proposals: readonly unknown[], at: number) =>
  sift(proposals, {
    minImpact: state.settings.minImpact,
    categories: state.settings.categories,
    scope: state.settings.scope,
    excludeDirs: state.settings.excludeDirs,
    maxProposals: state.settings.maxProposals,
    knownTitles: knownTitles(state, at),
    carried: state.carried,
    boostOf: (files) => graphBoost(state.sectors, files),
  });

/** Titles a new proposal must not repeat. */
const knownTitles = (state: RunState, now: number): readonly string[] => [
  ...state.ready.map(({ title }) => title),
  ...(state.current === null ? [] : [state.current.ticket.title]),
  ...state.workers.map(({ ticket }) => ticket.title),
  ...state.recent.filter(({ outcome, at }) => outcome === "done" && now - at < 86_400_000).map(({ title }) => title),
  ...finishedLately(state.memory.remembered, now),
];

/** The held proposals with what the review changed, matched by title. */
const merged = (
  pending: readonly unknown[],
  { reviewed_proposals }: PayloadOf<"PROPOSALS_REVIEWED">,
): readonly unknown[] => {
  const reviews = new Map(reviewed_proposals.map((review) => [review.title.trim(), review]));
  return pending.map((proposal) => {
    if (typeof proposal !== "object" || proposal === null || !("title" in proposal)) return proposal;
    const review = reviews.get(String(proposal.title).trim());
    if (review === undefined) return proposal;
    const { confidence, impact_score, review_note } = review;
    return {
      ...proposal,
      ...(confidence !== undefined && { confidence }),
      ...(impact_score !== undefined && { impact_score }),
      review_note: review_note ?? "reviewed",
    };
  });
};

/** What was reported and what was measured, together. */
const checkResult = (
  state: RunState,
  work: Work,
  { payload, measured }: Extract<LoopEvent, { type: "TICKET_RESULT" }>,
): ResultCheck => {
  const reported = payload.changed_files.map((file) => {
    const parsed = parsePath(file);
    return parsed.ok ? parsed.path : file;
  });
  const files = [...new Set([...reported, ...(measured?.files ?? [])])];
  const lines = Math.max(payload.lines_added + payload.lines_removed, measured === undefined ? 0 : linesIn(measured));
  const credentials = measured === undefined ? credentialsIn(payload.diff ?? "") : (measured.credentials ?? []);
  return {
    files,
    lines,
    violations: violationsOf(state, work, { files, lines, credentials }),
    diffHash: diffHashOf(payload, measured?.diffHash, files),
  };
};

/** What the ticket comes to when it is about to be closed; what was accepted before, where the server cannot see it. */
const checkTree = (state: RunState, work: Work, measured: Measured | undefined): ResultCheck => {
  if (measured === undefined) return { files: work.changedFiles, lines: work.lines, violations: [], diffHash: null };
  const { files, credentials = [], diffHash } = measured;
  const lines = linesIn(measured);
  return { files, lines, violations: violationsOf(state, work, { files, lines, credentials }), diffHash };
};

const linesIn = ({ linesAdded, linesRemoved }: Measured): number => linesAdded + linesRemoved;

interface Extent {
  readonly files: readonly string[];
  readonly lines: number;
  readonly credentials: readonly string[];
}

const violationsOf = (
  state: RunState,
  { ticket, plannedFiles }: Work,
  { files, lines, credentials }: Extent,
): readonly Violation[] => {
  const policy = derivePolicy(ticket, state.recent);
  const outside = filesViolations(policy, files);
  const unplanned: readonly Violation[] = files
    .filter((file) => plannedFiles?.includes(file) === false && !outside.some((other) => other.file === file))
    .map((file) => ({ file, rule: "not_in_plan", why: "it is not in the approved plan" }));
  const tooLong = linesViolation(policy, lines);
  return [
    ...outside,
    ...unplanned,
    ...(tooLong === undefined ? [] : [tooLong]),
    ...credentials.map(credentialViolation),
  ];
};

/** What keeps a ticket from having passed: commands that were not reported as passed since its last result, criteria that are unmet. */
const owedIn = (work: Work, { unmet_criteria }: PayloadOf<"QA_PASSED">): readonly string[] => {
  const passed = new Set(work.qaResults.flatMap(({ command, success }) => (success ? [command] : [])));
  return [
    ...work.ticket.verificationCommands
      .filter((command) => !passed.has(command))
      .map((command) => `${command} was not reported as passed`),
    ...unmet_criteria.map((criterion) => `unmet: ${criterion}`),
  ];
};

const credentialViolation = (found: string): Violation => ({
  file: "",
  rule: "credential",
  why: `${found} is in the lines that were added; take it out`,
});

/** What the server measured; else the diff that was sent; else the figures that were reported. */
const diffHashOf = (
  payload: PayloadOf<"TICKET_RESULT">,
  measured: string | null | undefined,
  files: readonly string[],
): string | null => {
  if (measured !== undefined) return measured;
  if (payload.diff !== undefined) return payload.diff.trim() === "" ? null : shortHash(payload.diff);
  if (files.length === 0) return null;
  return shortHash(JSON.stringify([files.toSorted(), payload.lines_added, payload.lines_removed, payload.summary]));
};

const classifyFailure = (qaRetries: number, error: string): QaFailure => {
  const failureClass = classify(error);
  const attempt = qaRetries + 1;
  return { failureClass, attempt, attempts: Math.max(attempt, attempts[failureClass]) };
};
