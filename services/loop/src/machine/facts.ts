/** Collects what guards and actions need to know about an event in a phase: proposals filtered, plans and results checked. Pure. */

import { recentlyCompletedTitles } from "../memory/title.ts";
import { checkPlan } from "../plan/check.ts";
import { explainFileRisk } from "../plan/file-risk.ts";
import { filterProposals } from "../proposal/filter.ts";
import { listUnmatched, mergeReviews } from "../proposal/review.ts";
import { attemptsByClass, classifyFailure } from "../qa/failure-class.ts";
import { checkFiles, checkLines, type ScopeViolation } from "../scope/check.ts";
import { findCredentials } from "../scope/credential.ts";
import { parsePath } from "../scope/path.ts";
import { graphBoost } from "../state/coverage.ts";
import type { EventPayload, LoopEvent, Measurement } from "../state/event.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import { describeBefore, findServerFailure, listUnpassed } from "../state/verification.ts";
import { derivePolicy } from "../ticket/policy.ts";
import { shortHash } from "../value/hash.ts";
import type { EventFacts, QaFailure, ResultCheck } from "./action/transition.ts";

export const collectFacts = (state: RunState, event: LoopEvent): EventFacts => {
  const { phase, current } = state;
  switch (event.type) {
    case "SCOUT_OUTPUT":
      return phase === "SCOUT" ? { proposals: filterAll(state, event.payload.proposals, event.at) } : {};
    case "PROPOSALS_REVIEWED":
      return phase === "SCOUT" && state.scout.pending !== null
        ? {
            proposals: filterAll(state, mergeReviews(state.scout.pending, event.payload), event.at),
            unmatchedTitles: listUnmatched(state.scout.pending, event.payload),
          }
        : {};
    case "PLAN_SUBMITTED":
      return phase === "PLAN" && current !== null ? { plan: checkPlan(planRules(state, current), event.payload) } : {};
    case "PLAN_DECIDED": {
      const decided = event.payload.plan ?? current?.heldPlan ?? null;
      return phase === "PLAN" && current !== null && decided !== null
        ? { plan: checkPlan(planRules(state, current), decided) }
        : {};
    }
    case "TICKET_RESULT":
      return phase === "EXECUTE" && current !== null ? { result: checkResult(state, current, event) } : {};
    case "QA_PASSED":
      return phase === "QA" && current !== null
        ? {
            result: checkWorkingTree(state, current, event.measured),
            unmet: findUnmet(state, current, event.payload),
            ...createServerFailure(state, current),
          }
        : {};
    case "PR_CREATED":
      return phase === "PR" && current !== null ? { result: checkWorkingTree(state, current, event.measured) } : {};
    case "QA_FAILED":
      return phase === "QA" && current !== null
        ? { failure: createQaFailure(current.qaRetries, event.payload.error) }
        : {};
    default:
      return {};
  }
};

const planRules = ({ recent, settings }: RunState, { ticket }: TicketWork) => ({
  policy: derivePolicy(ticket, recent),
  fileRisk: settings.fileRisk,
});

const filterAll = (state: RunState, proposals: readonly unknown[], at: number) =>
  filterProposals(proposals, {
    minImpact: state.settings.minImpact,
    categories: state.settings.categories,
    scope: state.settings.scope,
    excludeDirs: state.settings.excludeDirs,
    maxProposals: state.settings.maxProposals,
    knownTitles: knownTitles(state, at),
    carried: state.carried,
    boost: (files) => graphBoost(state.sectors, files),
  });

/** Titles a new proposal must not repeat. */
const knownTitles = (state: RunState, now: number): readonly string[] => [
  ...state.ready.map(({ title }) => title),
  ...(state.current === null ? [] : [state.current.ticket.title]),
  ...state.workers.map(({ ticket }) => ticket.title),
  ...state.recent.filter(({ outcome, at }) => outcome === "done" && now - at < 86_400_000).map(({ title }) => title),
  ...recentlyCompletedTitles(state.memory.remembered, now),
];

/** What was reported and what was measured, together. */
const checkResult = (
  state: RunState,
  work: TicketWork,
  { payload, measured }: Extract<LoopEvent, { type: "TICKET_RESULT" }>,
): ResultCheck => {
  const reported = payload.changed_files.map((file) => {
    const parsed = parsePath(file);
    return parsed.ok ? parsed.path : file;
  });
  const files = [...new Set([...reported, ...(measured?.files ?? [])])];
  const lines = Math.max(
    payload.lines_added + payload.lines_removed,
    measured === undefined ? 0 : countChangedLines(measured),
  );
  const credentials = measured === undefined ? findCredentials(payload.diff ?? "") : (measured.credentials ?? []);
  return {
    files,
    lines,
    violations: findViolations(state, work, { files, lines, credentials }),
    diffHash: computeDiffHash(payload, measured?.diffHash, files),
  };
};

/** The whole change of a ticket that is about to be closed; the accepted result, where the server cannot see the tree. */
const checkWorkingTree = (state: RunState, work: TicketWork, measured: Measurement | undefined): ResultCheck => {
  if (measured === undefined) return { files: work.changedFiles, lines: work.lines, violations: [], diffHash: null };
  const { files, credentials = [], diffHash } = measured;
  const lines = countChangedLines(measured);
  return { files, lines, violations: findViolations(state, work, { files, lines, credentials }), diffHash };
};

const countChangedLines = ({ linesAdded, linesRemoved }: Measurement): number => linesAdded + linesRemoved;

interface ChangeSize {
  readonly files: readonly string[];
  readonly lines: number;
  readonly credentials: readonly string[];
}

const findViolations = (
  state: RunState,
  { ticket, plannedFiles }: TicketWork,
  { files, lines, credentials }: ChangeSize,
): readonly ScopeViolation[] => {
  const policy = derivePolicy(ticket, state.recent);
  const outside = checkFiles(policy, files);
  const unplanned: readonly ScopeViolation[] = files
    .filter((file) => plannedFiles?.includes(file) === false && !outside.some((other) => other.file === file))
    .map((file) => ({ file, rule: "not_in_plan", why: "it is not in the approved plan" }));
  // A ticket that began without a plan has none that a person could have approved.
  const risky = state.settings.fileRisk && plannedFiles === null ? files.flatMap(createRiskViolation) : [];
  const tooLong = checkLines(policy, lines);
  return [
    ...outside,
    ...unplanned,
    ...risky,
    ...(tooLong === undefined ? [] : [tooLong]),
    ...credentials.map(createCredentialViolation),
  ];
};

/** Why a ticket has not passed: commands that were not reported as passed since its last result, criteria that are unmet. */
const findUnmet = (
  state: RunState,
  work: TicketWork,
  { unmet_criteria }: EventPayload<"QA_PASSED">,
): readonly string[] => [
  ...listUnpassed(state, work).map((command) => `${command} was not reported as passed`),
  ...unmet_criteria.map((criterion) => `unmet: ${criterion}`),
];

const createServerFailure = (state: RunState, work: TicketWork): Pick<EventFacts, "failure"> => {
  const failed = findServerFailure(state, work);
  return failed === undefined
    ? {}
    : {
        failure: createQaFailure(
          work.qaRetries,
          `${failed.command} failed${describeBefore(failed.before)}: ${failed.tail}`,
        ),
      };
};

const createRiskViolation = (file: string): readonly ScopeViolation[] => {
  const risk = explainFileRisk(file);
  return risk === undefined
    ? []
    : [{ file, rule: "not_in_plan", why: `${risk}, and a ticket without a plan may not touch it` }];
};

const createCredentialViolation = (found: string): ScopeViolation => ({
  file: "",
  rule: "credential",
  why: `${found} is in the lines that were added; take it out`,
});

/** What the server measured; else the diff that was sent; else the figures that were reported. */
const computeDiffHash = (
  payload: EventPayload<"TICKET_RESULT">,
  measured: string | null | undefined,
  files: readonly string[],
): string | null => {
  if (measured !== undefined) return measured;
  if (payload.diff !== undefined) return payload.diff.trim() === "" ? null : shortHash(payload.diff);
  if (files.length === 0) return null;
  return shortHash(JSON.stringify([files.toSorted(), payload.lines_added, payload.lines_removed, payload.summary]));
};

const createQaFailure = (qaRetries: number, error: string): QaFailure => {
  const failureClass = classifyFailure(error);
  const attempt = qaRetries + 1;
  return { error, failureClass, attempt, attempts: Math.max(attempt, attemptsByClass[failureClass]) };
};
