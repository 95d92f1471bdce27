/**
 * Writes the prompt that advance answers with: the values for each template, taken from the state and from its
 * context at that moment. Pure; the caller reads guidelines and tools.
 */

import { branchName } from "../git/branch.ts";
import { scoutRetries } from "../machine/guard.ts";
import { selectLessons } from "../memory/lesson.ts";
import { titlesToAvoid } from "../memory/title.ts";
import { maxRejections } from "../plan/check.ts";
import { type CustomTool, formatTools, type ToolPhase } from "../project/custom-tool.ts";
import { describeCategory } from "../scope/check.ts";
import { assessRisk } from "../spindle/spindle.ts";
import type { EventType } from "../state/event.ts";
import type { PromptKind } from "../state/prompt-kind.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import { ticketPolicy } from "../state/state-document.ts";
import { fill, loadTemplate, type TemplateValues } from "./template.ts";

/** What is read again for each prompt. */
interface PromptContext {
  /** The guidelines, wrapped; empty without any. */
  readonly guidelines: string;
  /** The languages and tools of the project, as a sentence. */
  readonly metadata: string;
  /** What the repository says of itself, a line each; none where no scout reads it. */
  readonly facts: readonly string[];
  /** Whether the server sees for itself what a ticket changed. */
  readonly measured: boolean;
  /** The project's own tools, when the session enables them. */
  readonly tools: readonly CustomTool[];
  readonly reader: PromptReader;
}

/** Who reads it: one that calls the session's tools, or one that only answers, to a program that does the rest. */
export type PromptReader = "caller" | "answerer";

export const writePrompt = (kind: PromptKind, state: RunState, context: PromptContext): string =>
  fill(loadTemplate(kind), promptValues(kind, state, context));

/** The values of a template; public for its test. */
export const promptValues = (kind: PromptKind, state: RunState, context: PromptContext): TemplateValues => ({
  tools: bullets(formatTools(context.tools, phaseByKind[kind], state.current?.ticket.category)),
  report_type: reportByKind[kind],
  by_tool: context.reader === "caller" ? "yes" : "",
  by_answer: context.reader === "answerer" ? "yes" : "",
  ...kindValues(kind, state, context),
});

const phaseByKind: Readonly<Record<PromptKind, ToolPhase>> = {
  scout: "SCOUT",
  "scout-retry": "SCOUT",
  review: "SCOUT",
  plan: "PLAN",
  execute: "EXECUTE",
  qa: "QA",
  pr: "PR",
};

/** The event that answers it. Commands of `qa` are reported one by one first. */
const reportByKind: Readonly<Record<PromptKind, EventType>> = {
  scout: "SCOUT_OUTPUT",
  "scout-retry": "SCOUT_OUTPUT",
  review: "PROPOSALS_REVIEWED",
  plan: "PLAN_SUBMITTED",
  execute: "TICKET_RESULT",
  qa: "QA_PASSED",
  pr: "PR_CREATED",
};

const kindValues = (kind: PromptKind, state: RunState, context: PromptContext): TemplateValues => {
  switch (kind) {
    case "scout":
    case "scout-retry":
      return scoutValues(state, context);
    case "review":
      return { proposals: JSON.stringify(state.scout.pending ?? [], null, 2) };
    case "plan":
    case "execute":
    case "qa":
    case "pr":
      return state.current === null ? {} : ticketValues(state, state.current, context);
  }
};

const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

const scoutValues = (state: RunState, { guidelines, metadata, facts }: PromptContext): TemplateValues => {
  const { settings, scout, sectors, memory, recent } = state;
  const formula = settings.formula;
  const titles = new Set([
    ...state.ready.map(({ title }) => title),
    ...recent.slice(-30).map(({ title }) => title),
    ...titlesToAvoid(memory.remembered),
  ]);
  return {
    guidelines,
    metadata,
    facts: bullets(facts),
    project: state.project,
    index: bullets(
      sectors.slice(0, 40).map(({ path, files, scanned }) => `${path} (${files}${scanned ? ", seen" : ""})`),
    ),
    formula: formula?.prompt.trim() ?? "",
    formula_name: formula?.name ?? "",
    risk_tolerance: formula?.riskTolerance ?? "",
    scope: settings.scope,
    categories: settings.categories.join(", "),
    min_confidence: String(settings.minConfidence),
    min_impact: String(settings.minImpact),
    max_proposals: String(settings.maxProposals),
    exclude: settings.excludeDirs.join(", "),
    explored: scout.exploredDirs.slice(-40).join(", "),
    unexplored: bullets(
      sectors
        .filter(({ scanned }) => !scanned)
        .slice(0, 40)
        .map(({ path }) => path),
    ),
    hints: bullets(scout.shownHints),
    answers: formatAnswers(state),
    avoid: bullets([...titles]),
    tried: bullets(scout.tried),
    retry: String(scout.retries),
    retries: String(scoutRetries(state)),
    learnings: formatLessons(state, [], settings.categories),
  };
};

const ticketValues = (
  state: RunState,
  work: TicketWork,
  { guidelines, measured, reader }: PromptContext,
): TemplateValues => {
  const { ticket, plan, lastQaFailure } = work;
  const { settings } = state;
  const policy = ticketPolicy(state, work);
  const assessment = assessRisk(work.spindle, settings.spindle);
  return {
    guidelines,
    run_id: state.runId,
    ticket_id: ticket.id,
    title: ticket.title,
    description: ticket.description,
    rejection: work.lastPlanRejection ?? "",
    rejections: String(work.planRejections),
    max_rejections: String(maxRejections),
    allowed_paths: policy.allowed_paths.join(", ") || "whatever is not denied",
    denied_paths: policy.denied_paths.join(", "),
    denied_names: policy.denied_patterns.join(", "),
    max_files: String(policy.max_files),
    max_lines: String(policy.max_lines),
    category_rule: describeCategory(policy),
    criteria: bullets(ticket.acceptanceCriteria),
    commands: settings.qa === "client" ? listCommands(ticket) : "",
    server_commands: settings.qa === "server" ? listCommands(ticket) : "",
    learnings: formatLessons(state, [...ticket.files, ...ticket.allowedPaths], [ticket.category]),
    plan: bullets(
      (plan?.files_to_touch ?? []).map(({ path, action, reason }) => `${action} ${path}${reason && `: ${reason}`}`),
    ),
    failure: lastQaFailure?.error ?? "",
    failure_class: lastQaFailure?.failureClass ?? "",
    attempt: String(lastQaFailure?.attempt ?? 0),
    attempts: String(lastQaFailure?.attempts ?? 0),
    failed_commands: (lastQaFailure?.commands ?? []).map(({ command, tail }) => `${command}\n${tail}`).join("\n\n"),
    refusal: work.lastScopeRefusal ?? "",
    spindle: assessment.risk === "none" ? "" : bullets(assessment.reasons),
    // Who only answers is in its folder already.
    branch: settings.direct || reader === "answerer" ? "" : "yes",
    plan_stops: settings.planApproval === "stop" ? "yes" : "",
    plan_waits: settings.planApproval === "hold" ? "yes" : "",
    commits: settings.ownTree ? "yes" : "",
    branch_name: branchName(ticket),
    measured: measured ? "yes" : "",
    answers: formatAnswers(state),
    results: bullets(work.qaResults.map(({ command, success }) => `${command}: ${success ? "passed" : "failed"}`)),
    files: work.changedFiles.join(", ") || "those it changed",
    draft: settings.draftPrs ? " as a draft" : "",
    draft_flag: settings.draftPrs ? " --draft" : "",
    rollback: ticket.rollbackNote,
  };
};

const formatAnswers = ({ answers }: RunState): string =>
  bullets(answers.map(({ question, answer }) => (question === "" ? answer : `${question} ${answer}`)));

const listCommands = ({ verificationCommands }: TicketWork["ticket"]): string =>
  verificationCommands.map((command) => `\`\`\`\n${command}\n\`\`\``).join("\n");

const formatLessons = (state: RunState, paths: readonly string[], tags: readonly string[]): string =>
  state.settings.learnings
    ? bullets(
        selectLessons(state.memory.learnings, { paths, tags }, state.settings.learningsBudget).map(
          ({ category, text }) => `${category}: ${text}`,
        ),
      )
    : "";
