/** The kernel: what a host of services, a command line or a test may use of it. Services use `./service` instead. */
import "./version.ts";
import type { Manifest } from "./manifest.ts";
import type { Containment } from "./subprocess/containment.ts";

export {
  type CallRequest,
  type Dispatch,
  localPrincipal,
  type Principal,
  type Progress,
  type Reply,
  type StreamItem,
  type TraceContext,
} from "./call.ts";
export { type Config, type ConfigInput, configSchema, defineConfig, readConfig, tokenFileOf } from "./config.ts";
export { type Kernel, type KernelOptions, openKernel } from "./kernel.ts";
export { type Log, makeLog } from "./log.ts";
export type { Manifest, ServiceEntry, ToolEntry, TrpcContext } from "./manifest.ts";
export type { Addresses } from "./network.ts";
export type { SelfCheck } from "./service.ts";
export type { Containment } from "./subprocess/containment.ts";
export { isExpired, replaced, sha256Of, type Token, tokenSchema } from "./tokens/token.ts";
export type { Catalog, CatalogEntry, Surroundings } from "./transport/transport.ts";
export { version } from "./version.ts";

/** The manifest that a configuration names: what services there are, without loading them. */
export const loadManifest = async (path: string | undefined, from: string): Promise<Manifest> =>
  (await import("./registry.ts")).loadManifest(path, from);

/** How well a child's descendants can be kept on this machine; asked of it once. */
export const probeContainment = async (): Promise<Containment> =>
  (await import("./subprocess/containment.ts")).probeContainment();

/** How the file of tokens is read and written: by the commands that change it. */
export const openTokenFile = async (): Promise<typeof import("./tokens/token-file.ts")> =>
  import("./tokens/token-file.ts");
