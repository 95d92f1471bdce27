/** The kernel: what a host of services, a command line or a test may use of it. Services use `./service` instead. */
import "./call/version.ts";
import type { Config } from "./config/config.ts";
import type { Manifest } from "./host/manifest.ts";
import type { Containment } from "./subprocess/contain/containment.ts";

export type { ConfigCheck } from "./boot/check-config.ts";
export { type Kernel, type KernelOptions, openKernel } from "./boot/kernel.ts";
export type { Addresses } from "./boot/network.ts";
export type { ReloadedService, ReloadRequest } from "./boot/reload.ts";
export {
  type CallRequest,
  type Dispatch,
  localPrincipal,
  type Principal,
  type Progress,
  type Reply,
  type StreamItem,
  type TraceContext,
} from "./call/call.ts";
export { version } from "./call/version.ts";
export {
  type Config,
  type ConfigInput,
  configSchema,
  defineConfig,
  readConfig,
  tokenFilePath,
} from "./config/config.ts";
export { isExpired, replaced, sha256, type Token, tokenSchema } from "./config/tokens/token.ts";
export type { AuditEntry } from "./config/tokens/token-audit.ts";
export type { ChangedTokens, TokenChange } from "./config/tokens/token-changes.ts";
export type { Manifest, ServiceEntry, ToolEntry, TrpcContext } from "./host/manifest.ts";
export type { FollowedModules, MissingPackage } from "./host/module-generations.ts";
export type { CreateRouter } from "./host/router-options.ts";
export { type Log, type LogEntry, type LogWriter, makeLog } from "./observe/log.ts";
export type { SelfCheck } from "./service/started-service.ts";
export type { Containment } from "./subprocess/contain/containment.ts";
export type { Catalog, CatalogEntry, Surroundings } from "./transport/transport.ts";

/** The manifest that a configuration names: what services there are, without loading them. */
export const loadManifest = async (path: string | undefined, from: string): Promise<Manifest> =>
  (await import("./host/manifest-file.ts")).loadManifest(path, from);

/** How well a child's descendants can be contained on this machine; probed once. */
export const probeContainment = async (): Promise<Containment> =>
  (await import("./subprocess/spawn/probe.ts")).probeContainment();

/** How the file of tokens is read and changed: by the commands that do. */
export const openTokens = async (): Promise<
  Pick<typeof import("./config/tokens/token-file.ts"), "readTokens"> &
    Pick<typeof import("./config/tokens/token-changes.ts"), "changeTokens"> &
    Pick<typeof import("./config/tokens/token-audit.ts"), "readAudit">
> => {
  const [{ readTokens }, { changeTokens }, { readAudit }] = await Promise.all([
    import("./config/tokens/token-file.ts"),
    import("./config/tokens/token-changes.ts"),
    import("./config/tokens/token-audit.ts"),
  ]);
  return { readTokens, changeTokens, readAudit };
};

/** Lets services be reloaded: to be called before any of them is loaded. `isOwn` says which files are a project's own. */
export const followModules = async (
  isOwn: (file: string) => boolean,
): Promise<import("./host/module-generations.ts").FollowedModules> =>
  (await import("./host/module-generations.ts")).followModules(isOwn);

/** Runs a command to its end; never rejects. When it resolves, no process of it is left. */
export const runCommand = async (
  spec: import("./subprocess.ts").CommandSpec,
): Promise<import("./subprocess.ts").CommandOutcome> => (await import("./subprocess.ts")).runToEnd(spec);

/** Whether the kernel's own state is sound, and what was put aside; `folder` is the `kernel` folder in the state folder. */
export const examineState = async (folder: string): Promise<import("./state/examine.ts").ExaminedState> =>
  (await import("./state/examine.ts")).examineState(folder);

/** Looks at the PostgreSQL and the NATS that a configuration names, by name. Each rejects with a `FairleadError` where it cannot be used. */
export const examineOutside = async (
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReturnType<typeof import("./boot/outside/examine-outside.ts").examineOutside>> =>
  (await import("./boot/outside/examine-outside.ts")).examineOutside(config, env);
