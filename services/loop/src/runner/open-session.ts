/** `openAgentSession`: the session that an agent is driven through: the one that is open, or a new one with the defaults of unattended work. */

import type { Project } from "../session/project.ts";
import { surveyProject } from "../session/scan.ts";
import type { ToolInput, ToolOutput } from "../tool/procedure.ts";
import { startSession } from "../tool/start-session.ts";
import { parseAgent } from "./agent-command.ts";

export const openAgentSession = async (
  project: Project,
  { agent, ...input }: ToolInput<"openAgentSession">,
): Promise<ToolOutput<"openAgentSession">> => {
  const [program] = parseAgent(agent);
  const open = project.peek();
  if (open !== undefined) {
    const given = Object.keys(input).filter((name) => name !== "project");
    return {
      run_id: open.runId,
      continued: true,
      phase: open.phase,
      warnings:
        given.length === 0 ? [] : [`the session goes on as it was started: no effect have ${given.sort().join(", ")}`],
      message: `${open.runId} goes on in ${open.phase}, with ${program}`,
    };
  }
  const started = startSession(
    project,
    {
      qa: "server",
      plan_approval: "hold",
      scope_breach: "ticket",
      own_tree: true,
      direct: false,
      ...input,
    },
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
