/** `openAgentSession`: the session that an agent is driven through: the one that is open, or a new one with the defaults of unattended work. */

import { basename } from "node:path";
import { gitRefused } from "../git/branch.ts";
import type { Git } from "../git/git.ts";
import { findClient } from "../project/guideline.ts";
import { declaredError } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import { surveyProject } from "../session/scan.ts";
import type { RunState } from "../state/run-state.ts";
import type { ToolInput, ToolOutput } from "../tool/procedure.ts";
import { startSession } from "../tool/start-session.ts";
import { parseAgent } from "./agent-command.ts";

/** What a session of unattended work is started with where the caller says nothing else. */
const defaults = {
  qa: "server",
  plan_approval: "hold",
  scope_breach: "ticket",
  own_tree: true,
  backlog: "carry",
  direct: false,
} as const;

/** An agent that works alone needs git: for its folders, and for what it has changed. */
export const requireRepository = ({ git, root, name }: Project): Git => {
  if (git !== undefined) return git;
  throw gitRefused(
    `the folder of project ${name}, ${root}, is in no git repository, without which an agent cannot work alone: each ticket gets a worktree, and git says what was changed`,
    `make it one: git -C ${quoteWord(root)} init; then write a .gitignore (node_modules, .env and whatever else does not belong into commits), git add what belongs, and git commit --message "Begin"`,
  );
};

/** A path as one word of a shell. */
const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const openAgentSession = async (
  project: Project,
  { agent, ...input }: ToolInput<"openAgentSession">,
): Promise<ToolOutput<"openAgentSession">> => {
  const [program] = parseAgent(agent);
  requireRepository(project);
  const open = project.peek();
  if (open !== undefined) {
    if (open.settings.direct && input.direct !== true)
      throw declaredError(
        "session_active",
        `${open.runId} is led by hand in the working tree of ${project.name} (direct), where an agent that works alone would edit your files: end it with fairlead session end, and run this again`,
        { run_id: open.runId, phase: open.phase },
      );
    const given = Object.keys(input).filter((name) => name !== "project");
    return {
      run_id: open.runId,
      continued: true,
      phase: open.phase,
      warnings: [
        ...(given.length === 0
          ? []
          : [`the session goes on as it was started: no effect have ${given.sort().join(", ")}`]),
        ...describeDifferences(open, { ...defaults, ...input }),
      ],
      message: `${open.runId} goes on in ${open.phase}, with ${program}`,
    };
  }
  const started = startSession(
    project,
    { ...defaults, client: findClient(basename(program)), ...input },
    await surveyProject(project),
  );
  return {
    run_id: started.run_id,
    continued: false,
    phase: started.phase,
    warnings: started.warnings,
    message: `${started.run_id} is started, with ${program}`,
  };
};

type AgentSettings = Pick<ToolInput<"openAgentSession">, keyof typeof defaults>;

/** A session that somebody else has started may trust its agent more than this command promises. */
const describeDifferences = ({ settings }: RunState, wanted: AgentSettings): readonly string[] => {
  const pairs = [
    ["qa", settings.qa, wanted.qa],
    ["plan_approval", settings.planApproval, wanted.plan_approval],
    ["scope_breach", settings.scopeBreach, wanted.scope_breach],
    ["backlog", settings.backlog, wanted.backlog],
    ["own_tree", settings.ownTree, wanted.own_tree],
  ] as const;
  return pairs.flatMap(([name, is, would]) =>
    is === would ? [] : [`${name} is ${is} in this session; this command would have started it with ${would}`],
  );
};
