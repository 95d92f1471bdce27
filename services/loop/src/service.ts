/**
 * The loop service: which projects there are, and when they are opened: at the first call, or at once where a session may have been
 * cut off. The default export is the service; `loopService` makes one with a clock and ids of the caller's.
 */
import { dirname } from "node:path";
import { loop } from "@fairlead/contracts/loop";
import { defineService } from "@fairlead/kernel/service";
import { loopConfig } from "./config.ts";
import { hasState, projectPaths } from "./project/paths.ts";
import type { ProjectRegistry } from "./session/registry.ts";
import type { EpochClock, IdSource } from "./value/id.ts";

/** The clock, the ids and the folder; a test replaces them. */
export interface LoopOptions {
  readonly clock: EpochClock;
  /** Random ids when left out. */
  readonly ids?: IdSource;
  /** The project's folder when none is configured. */
  readonly folder: string;
}

const defaultOptions = (): LoopOptions => ({ clock: Date.now, folder: process.cwd() });

const code = () => import("./handlers.ts");

/** The loop as a service; `options` are read when it starts. */
export const loopService = (options: () => LoopOptions = defaultOptions) =>
  defineService(
    loop,
    async (host) => {
      const { config } = host;
      const { clock, ids, folder } = options();
      const paths = projectPaths(config.projects, folder);
      let opened: Promise<ProjectRegistry> | undefined;
      const projects = (): Promise<ProjectRegistry> => {
        opened ??= code().then(({ openProjects, findOwnersFolders }) =>
          openProjects(paths, config.defaultProject, {
            clock,
            ...(ids !== undefined && { ids }),
            event: (type, data) => host.event(type, data),
            warn: (message, fields) => host.log("warn", message, fields),
            qaEnvironment: config.qaEnvironment,
            qaTimeLimitMs: config.qaTimeLimitMs,
            qaNetwork: config.qaNetwork,
            commitHooks: config.commitHooks,
            signing: config.signing,
            pullRequestCheck: config.pullRequestCheck,
            ownersFolders: () => findOwnersFolders(host.env, dirname(host.stateDir())),
          }),
        );
        return opened;
      };
      if ([...paths.values()].some(hasState)) await projects();
      return {
        handlers: async () => (await code()).createHandlers(await projects()),
        info: () => ({ projects: [...paths.keys()] }),
        stop: async () => (await opened?.catch(() => undefined))?.close(),
      };
    },
    { config: loopConfig, code },
  );

export default loopService();
