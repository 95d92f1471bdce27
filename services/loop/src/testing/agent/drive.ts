/** Drives an agent through a session of a repository in this process, as the service does. */

import { driveAgent } from "../../runner/drive-agent.ts";
import { openAgentSession } from "../../runner/open-session.ts";
import { Project, type ProjectOptions } from "../../session/project.ts";
import type { ToolInput, ToolOutput } from "../../tool/procedure.ts";
import { randomIds } from "../../value/random-id.ts";

export type DriveEvent = ToolOutput<"driveAgent">;

export const openProject = (path: string, options: Partial<ProjectOptions> = {}): Project =>
  new Project("sample", path, {
    clock: Date.now,
    ids: randomIds,
    warn: () => undefined,
    qaEnvironment: [],
    qaTimeLimitMs: 60_000,
    ...options,
  });

interface DriveRun {
  readonly events: readonly DriveEvent[];
  /** What it ended with; `undefined` where the session is done. */
  readonly problem: unknown;
}

interface DriveOptions {
  readonly agent: string;
  readonly settings?: Partial<ToolInput<"openAgentSession">>;
  readonly drive?: Partial<ToolInput<"driveAgent">>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: DriveEvent) => void;
}

/** The scripted agent writes down its calls outside of the repository. */
const free = () => ({ sandbox: "off", network: "host", write: [] as string[] }) as const;

export const driveToEnd = async (
  project: Project,
  { agent, settings = {}, drive = {}, signal = new AbortController().signal, onEvent }: DriveOptions,
): Promise<DriveRun> => {
  const events: DriveEvent[] = [];
  try {
    await openAgentSession(project, { max_proposals: 10, ...settings, agent });
    for await (const event of driveAgent(project, { agent, call_minutes: 5, pass: [], ...free(), ...drive }, signal)) {
      events.push(event);
      onEvent?.(event);
    }
    return { events, problem: undefined };
  } catch (problem) {
    return { events, problem };
  }
};
