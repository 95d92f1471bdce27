/**
 * The declared connections: in the configuration, in a `.mcp.json`, in the startup script. Read in this order, and each as
 * far as it can be read: an error in one place is reported and takes nothing from the others.
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError, type Host } from "@fairlead/kernel/service";
import { type ConnectionsConfig, toTarget, type UpstreamSettings } from "./config/config.ts";
import { readMcpJson } from "./config/mcp-json.ts";
import { isNested } from "./config/nesting.ts";
import type { Target } from "./machine/target.ts";
import type { ConnectionRegistry } from "./registry/connection-registry.ts";
import { scriptStatus } from "./registry/view.ts";
import type { StartupTools } from "./startup/script-tools.ts";
import { runStartup } from "./startup/startup.ts";
import type { ApprovedTargets } from "./store/approved-targets.ts";

/** The configuration, with the startup script that is to be run. */
export type ResolvedConfig = Omit<ConnectionsConfig, "startup"> & {
  readonly startup: string | undefined;
  /** Another script beside it, which was not named and is not run. */
  readonly ignoredScript: string | undefined;
};

interface DeclarationOptions {
  readonly host: Host;
  readonly registry: ConnectionRegistry;
  /** Filled with what is read. */
  readonly configured: Map<string, Target>;
  readonly approved: ApprovedTargets;
}

export interface Declarations {
  /** Resolves when all of it was read, or when that takes too long to wait for. */
  readonly whenRead: Promise<void>;
  isReading(): boolean;
  /** What could not be followed. */
  problem(): string | undefined;
}

/** Milliseconds that calls wait for a script that does not end. */
const readTimeoutMs = 5_000;

type Upstreams = Readonly<Record<string, UpstreamSettings>>;

/** Adds what is declared, and waits for nothing. The configuration's own upstreams are there when this returns. */
export const readDeclarations = (
  config: ResolvedConfig,
  { host, registry, configured, approved }: DeclarationOptions,
): Declarations => {
  const folder = process.cwd();
  const problems: string[] = [];

  const take = (upstreams: Upstreams, from: "own" | "foreign"): void => {
    for (const [name, upstream] of Object.entries(upstreams)) {
      if (!configured.has(name) && configured.size >= config.most) {
        throw new Error(`${name}: there are ${config.most} connections already; \`most\` says how many there may be`);
      }
      const own = toTarget(upstream, folder);
      const target = from === "own" ? own : approved.check(name, own);
      configured.set(name, target);
      if (upstream.start) registry.add(name, target);
    }
  };

  const attempt = async (failure: string, work: () => void | Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      problems.push(`${failure}: ${why}`);
      // What a person has written down wrong, and no defect of ours: a stack would say nothing.
      host.log("error", failure, { why, ...(cause instanceof FairleadError && { issues: cause.issues }) });
    }
  };

  const takeMcpJson = async (path: string): Promise<void> => {
    const { upstreams, wrong } = readMcpJson(await readFile(resolve(folder, path), "utf8"), path);
    take(upstreams, "foreign");
    if (wrong !== undefined) throw wrong;
  };

  const run = async (script: string): Promise<void> => {
    const print = (text: string): void => host.log("info", text, { script });
    // The script's words were checked before they come here.
    const add = (name: string, upstream: unknown): void => take({ [name]: upstream as UpstreamSettings }, "own");
    await runStartup(resolve(folder, script), { tools: { mcp_add: add, ...queryTools(registry) }, print });
  };

  const read = async (): Promise<void> => {
    const { upstreams, mcpJson, startup, ignoredScript } = config;
    if (ignoredScript !== undefined) {
      const problem = `${ignoredScript} is not run, for there is ${startup}, too: take one away, or name one with \`startup\``;
      problems.push(problem);
      host.log("warn", problem);
    }
    await attempt("not all upstreams of the configuration were added", () => take(upstreams, "own"));
    if (mcpJson !== undefined) await attempt(`not all upstreams of ${mcpJson} were added`, () => takeMcpJson(mcpJson));
    if (startup !== undefined) await attempt(`the startup script ${startup} failed`, () => run(startup));
  };

  if (isNested(host.env, folder)) {
    const problem = "this kernel was started by one of the same project, and connects to nothing";
    host.log("warn", problem);
    return { whenRead: Promise.resolve(), isReading: () => false, problem: () => problem };
  }
  let isReading = true;
  const whenRead = Promise.race([read(), sleep(readTimeoutMs, undefined, { ref: false })]).then(() => {
    isReading = false;
  });
  return {
    whenRead: whenRead,
    isReading: () => isReading,
    problem: () => (problems.length === 0 ? undefined : problems.join("; ")),
  };
};

const queryTools = (registry: ConnectionRegistry): Omit<StartupTools, "mcp_add"> => {
  const status = (name: string) => {
    const entry = registry.connection(name);
    return entry === undefined ? undefined : scriptStatus(entry, registry.record(name));
  };
  return {
    mcp_remove: (name) => registry.remove(name),
    mcp_status: status,
    mcp_list: () => registry.names.flatMap((name) => status(name) ?? []),
  };
};
