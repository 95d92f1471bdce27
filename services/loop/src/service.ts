/**
 * The loop service: which projects there are, and when they are opened: at the first call, or at once where a session may have been
 * cut off. The default export is the service; `loopService` makes one with a clock and ids of the caller's.
 */
import { FairleadError } from "@fairlead/contracts";
import { loop } from "@fairlead/contracts/loop";
import { defineService, type Host } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { loopConfig } from "./config.ts";
import type { Clock, IdSource } from "./id.ts";
import { hasState, projectPaths } from "./project/paths.ts";
import type { ProjectRegistry } from "./session/registry.ts";

/** What a test may replace. */
export interface LoopWorld {
  readonly clock: Clock;
  /** Random ones when left out. */
  readonly ids?: IdSource;
  /** The project's folder when none is configured. */
  readonly folder: string;
}

const ownWorld = (): LoopWorld => ({ clock: Date.now, folder: process.cwd() });

const code = () => import("./handlers.ts");

export const loopService = (world: () => LoopWorld = ownWorld) =>
  defineService(
    loop,
    (host) =>
      Effect.gen(function* () {
        const config = yield* configOf(host);
        const { clock, ids, folder } = world();
        const paths = projectPaths(config, folder);
        let opened: Promise<ProjectRegistry> | undefined;
        const projects = (): Promise<ProjectRegistry> => {
          opened ??= code().then(({ openProjects }) =>
            openProjects(paths, config.defaultProject, {
              clock,
              ...(ids !== undefined && { ids }),
              warn: (message, fields) => host.log("warn", message, fields),
              qaEnvironment: config.qaEnvironment,
              qaTimeLimitMs: config.qaTimeLimitMs,
            }),
          );
          return opened;
        };
        yield* Effect.addFinalizer(() => Effect.promise(async () => (await opened?.catch(() => undefined))?.close()));
        if ([...paths.values()].some(hasState)) yield* Effect.promise(projects);
        return {
          handlers: async () => (await code()).handlersOf(await projects()),
          info: () => ({ projects: [...paths.keys()] }),
        };
      }),
    code,
  );

const configOf = (host: Host) =>
  Effect.suspend(() => {
    const parsed = loopConfig.safeParse(host.config ?? {});
    if (parsed.success) return Effect.succeed(parsed.data);
    const [issue] = parsed.error.issues;
    return Effect.fail(
      new FairleadError({
        code: "failed_precondition",
        message: `the loop service's configuration does not fit: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
        hint: "correct the `loop` section of the configuration",
      }),
    );
  });

export default loopService();
