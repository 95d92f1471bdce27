/** The handler of each procedure: finds the project and calls the tool (`tool/`). Nothing else. */
import type { loop } from "@fairlead/contracts/loop";
import type { Handlers } from "@fairlead/kernel/service";
import { runMetrics } from "./metrics/run-metrics.ts";
import { findClient } from "./project/guideline.ts";
import { driveAgent } from "./runner/drive-agent.ts";
import { openAgentSession } from "./runner/open-session.ts";
import type { ProjectOptions } from "./session/project.ts";
import { ProjectRegistry } from "./session/registry.ts";
import { surveyProject } from "./session/scan.ts";
import { advance } from "./tool/advance.ts";
import { completeTicket } from "./tool/complete-ticket.ts";
import { approvePlan, rejectPlan } from "./tool/decide-plan.ts";
import { endSession } from "./tool/end-session.ts";
import { followSession } from "./tool/follow-session.ts";
import { ingestEvent, nudge } from "./tool/ingest-event.ts";
import { installClient, uninstallClient } from "./tool/install.ts";
import { toMutable } from "./tool/mutable.ts";
import { pauseSession, resumeSession } from "./tool/pause-session.ts";
import { sessionReport } from "./tool/report.ts";
import { listRuns, replayRun, showRun } from "./tool/run.ts";
import { startSession } from "./tool/start-session.ts";
import { getScopePolicy, sessionStatus, showFormulas, validateScope } from "./tool/status.ts";
import { failTicket, gitSetup, nextTicket } from "./tool/ticket.ts";
import { listProjects, listRunFiles, readRunFile, viewRun } from "./tool/view.ts";
import { randomIds } from "./value/random-id.ts";

export { ownersFolders as findOwnersFolders } from "@fairlead/kernel/subprocess";

/** Opens what the configuration names, and repairs what a killed server left. */
export const openProjects = (
  paths: ReadonlyMap<string, string>,
  defaultName: string | undefined,
  options: Omit<ProjectOptions, "ids"> & Partial<Pick<ProjectOptions, "ids">>,
): ProjectRegistry => {
  const projects = new ProjectRegistry(paths, defaultName, { ids: randomIds, ...options });
  projects.recover();
  return projects;
};

export const createHandlers = (projects: ProjectRegistry): Handlers<typeof loop> => ({
  startSession: async (input, { app }) => {
    const project = projects.find(input.project);
    return startSession(project, { client: findClient(app), ...input }, await surveyProject(project));
  },
  advance: (input) => advance(projects.find(input.project), input),
  ingestEvent: (input, { signal }) => ingestEvent(projects.find(input.project), input, signal),
  sessionStatus: ({ project }) => sessionStatus(projects.find(project)),
  endSession: (input) => endSession(projects.find(input.project), input),
  nudge: (input) => nudge(projects.find(input.project), input),
  listFormulas: ({ project }) => showFormulas(projects.find(project)),
  getScopePolicy: (input) => getScopePolicy(projects.find(input.project), input),
  nextTicket: ({ project }) => nextTicket(projects.find(project)),
  validateScope: (input) => validateScope(projects.find(input.project), input),
  completeTicket: (input, { signal }) => completeTicket(projects.find(input.project), input, signal),
  approvePlan: (input) => approvePlan(projects.find(input.project), input),
  rejectPlan: (input) => rejectPlan(projects.find(input.project), input),
  failTicket: (input) => failTicket(projects.find(input.project), input),
  gitSetup: (input) => gitSetup(projects.find(input.project), input),
  listRuns: (input) => listRuns(projects.find(input.project), input),
  showRun: (input) => showRun(projects.find(input.project), input),
  openAgentSession: (input) => openAgentSession(projects.find(input.project), input),
  driveAgent: (input, { signal }) => driveAgent(projects.find(input.project), input, signal),
  sessionReport: (input) => sessionReport(projects.find(input.project), input),
  pauseSession: (input) => pauseSession(projects.find(input.project), input),
  resumeSession: (input) => resumeSession(projects.find(input.project), input),
  followSession: (input, { signal }) => followSession(projects.find(input.project), input, signal),
  installClient: (input) => installClient(projects.find(input.project), input),
  uninstallClient: (input) => uninstallClient(projects.find(input.project), input),
  listProjects: () => listProjects(projects),
  viewRun: (input) => viewRun(projects.find(input.project), input),
  listRunFiles: (input) => listRunFiles(projects.find(input.project), input),
  readRunFile: (input) => readRunFile(projects.find(input.project), input),
  runMetrics: (input) => toMutable(runMetrics(projects.find(input.project), input)),
  replayRun: (input) => replayRun(projects.find(input.project), input),
});
