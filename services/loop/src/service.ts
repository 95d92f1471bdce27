/**
 * The loop service: ties the contract to the sessions of the configured projects. Everything interesting is in `session/` and
 * `machine/`. The default export is the service; `loopService` makes one with a clock and ids of the caller's.
 */
import { FairleadError } from "@fairlead/contracts";
import { loop } from "@fairlead/contracts/loop";
import { defineService } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { loopConfig } from "./config.ts";
import type { Clock, IdSource } from "./id.ts";
import { randomIds } from "./random-id.ts";
import { advance } from "./session/advance.ts";
import { completeTicket } from "./session/completion.ts";
import { endSession } from "./session/end.ts";
import { ingestEvent, nudge } from "./session/ingest.ts";
import { ProjectRegistry } from "./session/registry.ts";
import { listRuns, replayRun, showRun } from "./session/run.ts";
import { scanProject } from "./session/scan.ts";
import { startSession } from "./session/start.ts";
import { getScopePolicy, sessionStatus, showFormulas, validateScope } from "./session/status.ts";
import { failTicket, gitSetup, nextTicket } from "./session/ticket.ts";

/** What a test may replace. */
export interface LoopWorld {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** The project's folder when none is configured. */
  readonly folder: string;
}

const ownWorld = (): LoopWorld => ({ clock: Date.now, ids: randomIds, folder: process.cwd() });

export const loopService = (world: () => LoopWorld = ownWorld) =>
  defineService(loop, (host) =>
    Effect.gen(function* () {
      const parsed = loopConfig.safeParse(host.config ?? {});
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return yield* Effect.fail(
          new FairleadError({
            code: "failed_precondition",
            message: `the loop service's configuration does not fit: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
            hint: "correct the `loop` section of the configuration",
          }),
        );
      }
      const { clock, ids, folder } = world();
      const projects = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const registry = new ProjectRegistry(parsed.data, folder, {
            clock,
            ids,
            warn: (message, fields) => host.log("warn", message, fields),
            qaEnvironment: parsed.data.qaEnvironment,
            qaTimeLimitMs: parsed.data.qaTimeLimitMs,
          });
          registry.recover();
          return registry;
        }),
        (registry) => Effect.sync(() => registry.close()),
      );
      return {
        handlers: {
          startSession: async (input) => {
            const project = projects.find(input.project);
            return startSession(project, input, await scanProject(project));
          },
          advance: (input) => advance(projects.find(input.project), input),
          ingestEvent: (input) => ingestEvent(projects.find(input.project), input),
          sessionStatus: ({ project }) => sessionStatus(projects.find(project)),
          endSession: (input) => endSession(projects.find(input.project), input),
          nudge: (input) => nudge(projects.find(input.project), input),
          listFormulas: ({ project }) => showFormulas(projects.find(project)),
          getScopePolicy: (input) => getScopePolicy(projects.find(input.project), input),
          nextTicket: ({ project }) => nextTicket(projects.find(project)),
          validateScope: (input) => validateScope(projects.find(input.project), input),
          completeTicket: (input, { signal }) => completeTicket(projects.find(input.project), input, signal),
          failTicket: (input) => failTicket(projects.find(input.project), input),
          gitSetup: (input) => gitSetup(projects.find(input.project), input),
          listRuns: (input) => listRuns(projects.find(input.project), input),
          showRun: (input) => showRun(projects.find(input.project), input),
          replayRun: (input) => replayRun(projects.find(input.project), input),
        },
        info: () => ({ projects: projects.names }),
      };
    }),
  );

export default loopService();
