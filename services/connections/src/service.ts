/**
 * The connections service: what the configuration and callers want connected, and the tools of what is.
 *
 * It is up at once, whatever the upstreams do. All it knows is in memory, but for the pins of tool definitions.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import connections from "@fairlead/contracts/connections";
import { type Condition, defineService, FairleadError, type Host } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { type ApprovedTargets, openApprovedTargets } from "./approved-targets.ts";
import { type ConnectionsConfig, readConfig, readMcpJson, targetOf, type Upstream } from "./config.ts";
import type { Target } from "./core/target.ts";
import { Expectations } from "./expectations.ts";
import { handlersOf } from "./handlers.ts";
import { isNested, nesting } from "./nesting.ts";
import { openPins } from "./pin-file.ts";
import { isClaimed } from "./relay.ts";
import type { StartupTools } from "./startup/script-tools.ts";
import { runStartup } from "./startup/startup.ts";
import { Switchboard, type Told } from "./switchboard.ts";
import { eventView, scriptStatus } from "./view.ts";

export type { StartupTools } from "./startup/script-tools.ts";
export type { StartupModule } from "./startup/startup.ts";

const start = (host: Host) => {
  const config = readConfig(host.config);
  const listeners = new Set<() => void>();
  // Projects may share a state folder, and have other upstreams of the same names.
  const projectFolder = (): string => {
    const made = join(host.stateDir(), createHash("sha256").update(process.cwd()).digest("hex").slice(0, 16));
    mkdirSync(made, { recursive: true, mode: 0o700 });
    return made;
  };
  const tell = (told: Told): void => {
    const event = eventView(told);
    host.event(`connection.${event.type}`, { ...event });
  };
  const expectations = new Expectations(({ name, importer }, drift) => {
    const { added, removed, changed } = drift;
    host.log("warn", "the tools differ from what was imported", {
      connection: name,
      importer,
      added,
      removed,
      changed,
    });
    tell({ type: "Drifted", name, importer, ...drift });
  });
  const board = new Switchboard({
    env: host.env,
    passed: nesting(host.env, process.cwd()),
    instance: randomUUID().slice(0, 8),
    version: connections.version,
    times: config.times,
    now: () => performance.timeOrigin + performance.now(),
    random: Math.random,
    folder: host.stateDir,
    pins: openPins(projectFolder, (message) => host.log("warn", message)),
    tell,
    listed: (name, present) => expectations.compare(name, present),
    toolsChanged: () => {
      for (const listener of listeners) listener();
    },
    log: host.log,
  });
  const configured = new Map<string, Target>();
  const approved = openApprovedTargets(projectFolder);
  const wanted = startUp(config, { host, board, configured, approved });
  return {
    board,
    running: {
      relay: {
        through: "callTool" as const,
        list: () => board.catalogue.tools.map(({ shown }) => shown),
        find: (name: string) => board.catalogue.find(name)?.shown ?? (isClaimed(board, name) ? { name } : undefined),
        onChange: (listener: () => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      handlers: handlersOf({ board, expectations, configured, approved, most: config.most, events: host.events }),
      condition: (): Condition => {
        const trouble = wanted.trouble();
        return trouble === undefined
          ? { state: "ready" }
          : { state: "degraded", why: trouble, fix: "mend it and start the kernel again" };
      },
      info: () => ({ connections: board.names.length, tools: board.catalogue.tools.length }),
    },
  };
};

interface StartParts {
  readonly host: Host;
  readonly board: Switchboard;
  readonly configured: Map<string, Target>;
  readonly approved: ApprovedTargets;
}

/** Adds what the configuration wants, in its order: its own upstreams, those of the `.mcp.json`, those of the script. */
const startUp = (config: ConnectionsConfig, { host, board, configured, approved }: StartParts) => {
  const folder = process.cwd();
  let trouble: string | undefined;
  const take = (upstreams: Readonly<Record<string, Upstream>>, from: "own" | "foreign"): void => {
    for (const [name, upstream] of Object.entries(upstreams)) {
      const own = targetOf(upstream, folder);
      const target = from === "own" ? own : approved.judge(name, own);
      configured.set(name, target);
      if (upstream.start) board.add(name, target);
    }
  };
  const failed = (what: string, cause: unknown): void => {
    trouble = `${what}: ${cause instanceof FairleadError || cause instanceof Error ? cause.message : String(cause)}`;
    host.log("error", what, { error: cause });
  };
  const tools: StartupTools = {
    mcp_add: (name, upstream) => {
      // The script's words were checked before they came here.
      take({ [name]: upstream as Upstream }, "own");
    },
    mcp_remove: (name) => board.remove(name),
    mcp_status: (name) => {
      const entry = board.entry(name);
      return entry === undefined ? undefined : scriptStatus(entry, board.knowledge(name));
    },
    mcp_list: () =>
      board.names.flatMap((name) => {
        const entry = board.entry(name);
        return entry === undefined ? [] : [scriptStatus(entry, board.knowledge(name))];
      }),
  };
  const more = async (): Promise<void> => {
    const { mcpJson, startup = found(folder) } = config;
    if (mcpJson !== undefined) {
      try {
        take(readMcpJson(await readFile(resolve(folder, mcpJson), "utf8"), mcpJson), "foreign");
      } catch (cause) {
        failed(`the upstreams of ${mcpJson} were not added`, cause);
      }
    }
    if (startup === undefined || startup === false) return;
    try {
      const print = (text: string): void => host.log("info", text, { script: startup });
      await runStartup(resolve(folder, startup), { tools, print });
    } catch (cause) {
      failed(`the startup script ${startup} failed`, cause);
    }
  };
  if (isNested(host.env, folder)) {
    trouble = "this kernel was started by one of the same project, and connects to nothing";
    host.log("warn", trouble);
  } else {
    take(config.upstreams, "own");
    void more();
  }
  return { trouble: () => trouble };
};

/** The startup script that is there without being named. */
const found = (folder: string): string | undefined =>
  ["startup.lua", "startup.ts"].find((name) => existsSync(resolve(folder, name)));

export default defineService(connections, (host) =>
  Effect.acquireRelease(
    Effect.sync(() => start(host)),
    ({ board }) => Effect.promise(() => board.close()),
  ).pipe(Effect.map(({ running }) => running)),
);
