/**
 * What services import of the kernel: `@fairlead/kernel/service`. The vocabulary itself is in `service/`; services with processes of
 * their own find those in `subprocess.ts`.
 */
import "./call/version.ts";

export { FairleadError } from "@fairlead/contracts";
export { detached } from "./call/ambient.ts";
export {
  type ByteRange,
  type ByteSource,
  type ByteStream,
  type ClientLog,
  isGranted,
  type LogMessage,
  type LogSeverity,
  logSeverities,
  type Principal,
  type Progress,
  type Question,
} from "./call/call.ts";
export type { KernelEvent, Reading, ReadOptions } from "./observe/event.ts";
export type { EffectService, LayeredService, LayerNeeds, ServiceLayer } from "./service/effect-service.ts";
export {
  DeclaredError,
  type DeclaredErrorUnion,
  declaredErrors,
  type ErrorConstructors,
  type FailureText,
  InfrastructureError,
  type InfrastructureText,
  type ProcedureError,
  StaleSession,
} from "./service/errors.ts";
export {
  Call,
  type EffectHandler,
  type EffectHandlers,
  type Handler,
  type HandlerEvents,
  type HandlerResult,
  type Handlers,
  type HandlerValue,
  type TrackedEvent as Tracked,
  tracked,
} from "./service/handler.ts";
export { Host, type LogLevel, type Peer, type PeerClient, type PeerOptions, Peers } from "./service/host.ts";
export {
  type Declarations,
  type DefineService,
  defineService,
  type Service,
  type Settings,
  type StartResult,
} from "./service/service.ts";
export type { SessionState, Sessions } from "./service/sessions.ts";
export type {
  Condition,
  Relay,
  SelfCheck,
  ServiceDetails,
  StartedService,
  ToolDefinition,
} from "./service/started-service.ts";
export { longestPause, pauseBefore } from "./supervision/backoff.ts";
export type { Backoff, ChildState, ChildStatus, RestartKind } from "./supervision/child-state.ts";
