/**
 * What a service drives processes of its own with, and supervises them by: `@fairlead/kernel/subprocess`. Apart from `service.ts`,
 * since few services need it.
 */
import "./call/version.ts";
import * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import type { SubprocessError } from "./subprocess/protocol/subprocess-error.ts";
import { type CommandOutcome, type CommandSpec, runCommand } from "./subprocess/spawn/command.ts";
import type { LineProcess, LineProcessSpec } from "./subprocess/spawn/line-process.ts";

export { ownersFolders } from "./owner/places.ts";
export { type Containment, type Denial, type FolderAccess, refuseFolders } from "./subprocess/contain/containment.ts";
export { privateBytes } from "./subprocess/contain/memory.ts";
export {
  type ChildMessage,
  type Dialect,
  type Handshake,
  lineProtocol,
} from "./subprocess/protocol/dialect.ts";
export type { Message } from "./subprocess/protocol/line.ts";
export type { Ask, RequestOptions, SubprocessSpec } from "./subprocess/protocol/spec.ts";
export { FailedError, type Fault, SubprocessError } from "./subprocess/protocol/subprocess-error.ts";
export type { Diagnostics } from "./subprocess/spawn/child.ts";
export type { CommandEnd, CommandOutcome, CommandSpec } from "./subprocess/spawn/command.ts";
export type { LineProcess, LineProcessSpec } from "./subprocess/spawn/line-process.ts";
export { probeContainment } from "./subprocess/spawn/probe.ts";
export {
  makeSubprocess,
  type Subprocess,
  type Supervision,
  superviseSubprocess,
} from "./subprocess/spawn/subprocess.ts";
export type { ChildSpec, RunningChild } from "./supervision/child-spec.ts";
export { nested } from "./supervision/nested.ts";
export { makeSupervisor, type Supervisor, type SupervisorOptions } from "./supervision/supervisor.ts";

/** Runs a command to its end: the promise for services that are written without Effect. When it resolves, no process of its group is left, and where the system gives control groups none at all. Never rejects. */
export const runToEnd = (spec: CommandSpec): Promise<CommandOutcome> => Effect.runPromise(runCommand(spec));

/** Starts a process that speaks a protocol of its own in lines of JSON, for as long as its scope. Loads what it needs when first used. */
export const startLineProcess = (spec: LineProcessSpec): Effect.Effect<LineProcess, SubprocessError, Scope> =>
  Effect.flatMap(
    Effect.promise(() => import("./subprocess/spawn/line-process.ts")),
    (module) => module.startLineProcess(spec),
  );
