/** `start_session`: fills in the defaults, applies the formula, lets memory decay, and records the session's first event. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FairleadError, Issue } from "@fairlead/contracts";
import { findFormula, listFormulas } from "../formula/catalog.ts";
import type { Formula } from "../formula/formula.ts";
import { gitRefused } from "../git/branch.ts";
import { decayLessons } from "../memory/lesson.ts";
import { decayTitles } from "../memory/title.ts";
import { listToolFiles, readCustomTools } from "../project/custom-tool.ts";
import { findOmittedGuidelines } from "../project/guideline.ts";
import { divideBacklog } from "../proposal/backlog.ts";
import { parseCommand } from "../qa/allow-list.ts";
import { createSessionMatcher } from "../scope/check.ts";
import { parsePath } from "../scope/path.ts";
import { declaredError, invalidArgument } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import type { ProjectSurvey } from "../session/scan.ts";
import { defaultThresholds } from "../spindle/threshold.ts";
import { groupBySector } from "../state/coverage.ts";
import type { SessionStart } from "../state/run-state.ts";
import type { SessionSettings } from "../state/settings.ts";
import { isoTime } from "../state/state-document.ts";
import { defaultCategories, safeCategories } from "../value/category.ts";
import { limits } from "../value/limits.ts";
import { quantity } from "../value/text.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";

type StartSessionInput = ToolInput<"startSession">;
type StartSessionOutput = ToolOutput<"startSession">;

const hour = 3_600_000;
const max = { parallel: 5, continuous: 999 } as const;

/** Starts the session at once; the project was scanned before. A known event id is answered as it was. */
export const startSession = (project: Project, input: StartSessionInput, scan: ProjectSurvey): StartSessionOutput => {
  const known = project.findRecorded("SESSION_START", input.event_id);
  if (known !== undefined) return JSON.parse(known.answer ?? "null") as StartSessionOutput;
  checkArguments(input);
  if (scan.isIgnored) throw ignoredFolder(project);
  if (scan.hasCommit === false) throw noCommit(project);
  // Work that is done could not be committed then.
  if (scan.signingProblem !== undefined) throw cannotSign(scan.signingProblem);
  const formula = resolveFormula(project, input);
  const warnings: string[] = [];
  const now = project.options.clock();
  const settings = resolveSettings(input, formula, {
    now,
    git: project.git !== undefined,
    branch: scan.branch,
    hasRemote: scan.hasRemote,
    warn: (text) => warnings.push(text),
  });
  if (scan.networkProblem !== undefined) warnings.push(`${scan.networkProblem}: they will not run`);
  const hooks = missingHooks(project);
  if (hooks !== undefined)
    warnings.push(
      `there is no folder ${hooks}, which the server's configuration names (commitHooks): no hook will run`,
    );
  const omitted = findOmittedGuidelines(project.root, settings.client, settings.guidelines);
  if (omitted !== undefined) warnings.push(omitted);
  for (const text of toolWarnings(project.home, settings.customTools)) warnings.push(text);
  const stored = project.store.memory();
  const memory = {
    learnings: settings.learnings ? decayLessons(stored.learnings, input.learnings_decay_rate ?? 3, now) : [],
    remembered: decayTitles(stored.remembered, now),
  };
  const backlog = settings.backlog === "carry" ? divideBacklog(stored.backlog, settings) : undefined;
  const taken = backlog?.taken ?? [];
  const begin: SessionStart = {
    runId: `run_${project.options.ids()}`,
    sessionId: `ses_${project.options.ids()}`,
    project: project.name,
    settings,
    memory,
    carried: stored.deferred,
    ...(taken.length > 0 && {
      backlog: taken.map((proposal) => ({ id: `tkt_${project.options.ids()}` as const, proposal })),
    }),
    sectors: groupBySector(
      scan.files.filter(createSessionMatcher(settings.scope, settings.excludeDirs)),
      limits.sectors,
      scan.importers,
    ),
  };
  return project.begin(begin, {
    id: input.event_id,
    memory: {
      remembered: memory.remembered,
      ...(settings.learnings && { learnings: memory.learnings }),
      ...(backlog !== undefined && { backlog: backlog.left }),
    },
    buildAnswer: (state) => ({
      run_id: state.runId,
      session_id: state.sessionId,
      project_id: state.project,
      phase: state.phase,
      step_budget: settings.stepBudget,
      expires_at: settings.expiresAt === null ? null : isoTime(settings.expiresAt),
      run_dir: `.promptwheel/runs/${state.runId}`,
      warnings,
      detected: { ...scan.detected, languages: [...scan.detected.languages] },
      formula: formula === null ? null : { name: formula.name, description: formula.description, model: formula.model },
      message: `the session is started${taken.length === 0 ? "" : ` with ${quantity(taken.length, "ticket")} that an earlier one had not done`}; call promptwheel_advance for the first prompt`,
    }),
  });
};

const checkArguments = (input: StartSessionInput): void => {
  const issues: Issue[] = [];
  const checkPath = (path: string, value: string): void => {
    const verdict = parsePath(value);
    if (!verdict.ok)
      issues.push({ path, expected: "a path or glob inside the project", fix: `correct it: ${verdict.why}` });
  };
  if (input.scope !== undefined) checkPath("scope", input.scope);
  if (typeof input.guidelines === "string") checkPath("guidelines", input.guidelines);
  for (const [index, folder] of (input.exclude_dirs ?? []).entries()) checkPath(`exclude_dirs[${index}]`, folder);
  for (const [index, command] of (input.qa_commands ?? []).entries()) {
    const verdict = parseCommand(command);
    if (!verdict.ok)
      issues.push({
        path: `qa_commands[${index}]`,
        expected: "a command from the allow-list",
        fix: `correct it: ${verdict.why}`,
      });
  }
  if (issues.length > 0) throw invalidArgument(issues.slice(0, 20));
};

const noCommit = ({ root, top, name }: Project): FairleadError =>
  gitRefused(
    `the repository of project ${name}, ${top}, has no commit that work could begin from`,
    `make one: git -C ${top} commit --allow-empty --message "Begin"${
      top === root ? "" : `; or make the project a repository of its own: git -C ${root} init`
    }`,
  );

const missingHooks = ({ options: { commitHooks }, top }: Project): string | undefined => {
  const folder = commitHooks === undefined ? undefined : resolve(top, commitHooks);
  return folder === undefined || existsSync(folder) ? undefined : folder;
};

const cannotSign = (problem: string): FairleadError =>
  gitRefused(
    `no commit can be signed as the server's configuration says (signing): ${problem}`,
    "see to the key and its program, or take `signing` out of the section `loop` of the configuration",
  );

const ignoredFolder = ({ root, name }: Project): FairleadError =>
  gitRefused(
    `the repository around project ${name} ignores its folder or all in it, so that git sees none of its work`,
    `take it out of .gitignore, or make it a repository: git -C ${root} init`,
  );

const resolveFormula = (project: Project, { formula, deep }: StartSessionInput): Formula | null => {
  const name = formula ?? (deep === true ? "deep" : undefined);
  if (name === undefined) return null;
  const verdict = findFormula(project.home, name);
  if (verdict === undefined) {
    const known = listFormulas(project.home).formulas.map((one) => one.name);
    throw declaredError(
      "unknown_formula",
      `there is no formula ${JSON.stringify(name.slice(0, 64))}; there are ${known.join(", ")}`,
      {
        known,
      },
    );
  }
  if (!verdict.ok) throw declaredError("bad_formula", `the formula ${name} cannot be read: ${verdict.why}`);
  return verdict.formula;
};

interface SettingsContext {
  readonly now: number;
  readonly git: boolean;
  /** The branch that is checked out. */
  readonly branch: string | null;
  readonly hasRemote: boolean;
  readonly warn: (text: string) => void;
}

/** Explicit parameters, then the formula's, then the defaults; what the project cannot do is switched off with a warning. */
const resolveSettings = (
  input: StartSessionInput,
  formula: Formula | null,
  { now, git, branch, hasRemote, warn }: SettingsContext,
): SessionSettings => {
  const continuous = input.hours !== undefined;
  const prsRequested = input.create_prs ?? input.draft_prs ?? false;
  const createPrs = prsRequested && git;
  if (!git)
    warn(
      "the folder is not a git repository: work is done in place, without pull requests, and results are taken as reported",
    );
  if (createPrs && !hasRemote)
    warn(
      "pull requests are on and the repository has no remote: a branch cannot be pushed and no draft can be opened; add one with git remote add origin",
    );
  if (!createPrs && input.max_prs !== undefined)
    warn("max_prs is kept and has no effect: pull requests are off (create_prs)");
  if (input.deep === true && input.formula !== undefined && input.formula !== "deep")
    warn(`deep has no effect: the formula ${input.formula} is in use`);
  const parallel = Math.min(max.parallel, input.parallel ?? 1);
  const direct = git ? (input.direct ?? (!createPrs && parallel <= 1)) : true;
  if (direct && parallel > 1) warn("work is done in place: tickets are worked on one at a time");
  const ownTree = input.own_tree === true && git;
  if (input.own_tree === true && !git) warn("own_tree has no effect: it needs git");
  const mergeBranches = ownTree && !createPrs && (input.merge_branches ?? true);
  if (mergeBranches && !direct && branch === null)
    warn("no branch is checked out: the branches of done tickets are left");
  return {
    ownTree,
    mergeBranches,
    startBranch: ownTree ? branch : null,
    scope: normalizeScope(input.scope ?? formula?.scope ?? "**", warn),
    categories: resolveCategories(input, formula),
    minConfidence: input.min_confidence ?? formula?.min_confidence ?? 55,
    minImpact: input.min_impact_score ?? 5,
    maxProposals: input.max_proposals ?? 5,
    stepBudget: input.step_budget ?? 200,
    ticketStepBudget: input.ticket_step_budget ?? (continuous ? null : 12),
    maxPrs: input.max_prs ?? (createPrs ? (formula?.max_prs ?? (continuous ? max.continuous : 5)) : 0),
    maxCostUsd: input.max_cost_usd ?? null,
    maxTokens: input.max_tokens ?? null,
    maxCycles: input.max_cycles ?? (continuous ? max.continuous : 1),
    expiresAt: input.hours === undefined ? null : now + Math.round(input.hours * hour),
    createPrs,
    draftPrs: createPrs && (input.draft ?? input.draft_prs ?? false),
    parallel,
    direct,
    review: input.review ?? false,
    learnings: input.learnings ?? true,
    learningsBudget: input.learnings_budget ?? 2_000,
    qa: input.qa ?? "client",
    planApproval: input.plan_approval ?? "stop",
    fileRisk: input.plan_approval === "hold",
    scopeBreach: input.scope_breach ?? "session",
    backlog: input.backlog ?? "drop",
    qaCommands: input.qa_commands ?? [],
    customTools: input.enable_custom_tools ?? false,
    excludeDirs: [...new Set([...(input.exclude_dirs ?? []), ...(formula?.exclude ?? [])])],
    formula:
      formula === null
        ? null
        : {
            name: formula.name,
            description: formula.description,
            prompt: formula.prompt,
            riskTolerance: formula.risk_tolerance,
            tags: formula.tags,
          },
    client: input.client ?? "claude",
    guidelines: input.guidelines ?? null,
    spindle: resolveThresholds(input.spindle ?? {}),
  };
};

/** Which of the project's own tools the prompts leave out, and why. */
const toolWarnings = (home: string, enabled: boolean): readonly string[] => {
  if (enabled) return readCustomTools(home).unreadable.map((what) => `a custom tool is left out: ${what}`);
  const { length } = listToolFiles(home);
  return length === 0
    ? []
    : [`left out: ${quantity(length, "custom tool")}; enable_custom_tools names them in the prompts`];
};

/** Each threshold from the call, the default for the rest. */
const resolveThresholds = (input: NonNullable<StartSessionInput["spindle"]>): SessionSettings["spindle"] => ({
  stall: input.stall ?? defaultThresholds.stall,
  oscillation: input.oscillation ?? defaultThresholds.oscillation,
  repetition: input.repetition ?? defaultThresholds.repetition,
  ping_pong: input.ping_pong ?? defaultThresholds.ping_pong,
  repeated_failure: input.repeated_failure ?? defaultThresholds.repeated_failure,
});

/** A formula's scope was not checked with the arguments. */
const normalizeScope = (scope: string, warn: (text: string) => void): string => {
  const verdict = parsePath(scope);
  if (verdict.ok) return verdict.path;
  warn(`the formula's scope is not used: ${verdict.why}`);
  return "**";
};

const resolveCategories = (input: StartSessionInput, formula: Formula | null): SessionSettings["categories"] => {
  const candidates =
    input.categories ?? (formula !== null && formula.categories.length > 0 ? formula.categories : defaultCategories);
  const categories =
    input.safe === true ? candidates.filter((category) => safeCategories.includes(category)) : candidates;
  if (categories.length > 0) return categories;
  throw invalidArgument([
    {
      path: "categories",
      expected: "at least one category",
      fix: `name one of ${safeCategories.join(", ")}, or leave out \`safe\``,
    },
  ]);
};
