/**
 * The open exchange: the switchboard with what the configuration, the `.mcp.json` and the startup script want connected.
 *
 * All it knows is in memory, but for the pins of tool definitions.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import connections from "@fairlead/contracts/connections";
import { FairleadError, type Handlers, type Host, type ToolDefinition } from "@fairlead/kernel/service";
import { type ApprovedTargets, openApprovedTargets } from "./approved-targets.ts";
import { type ConnectionsConfig, readMcpJson, targetOf, type Upstream } from "./config.ts";
import type { CatalogueTool } from "./core/catalogue.ts";
import type { Target } from "./core/target.ts";
import { Expectations } from "./expectations.ts";
import { handlersOf } from "./handlers.ts";
import { openLists } from "./list-file.ts";
import { isNested, nesting } from "./nesting.ts";
import { openPins } from "./pin-file.ts";
import { isClaimed } from "./relay.ts";
import type { StartupTools } from "./startup/script-tools.ts";
import { runStartup } from "./startup/startup.ts";
import { Switchboard, type Told } from "./switchboard.ts";
import { eventView, listedTool, scriptStatus } from "./view.ts";

export interface Exchange {
  readonly handlers: Handlers<typeof connections>;
  /** Tools of what is connected, as they are shown. */
  tools(): readonly ToolDefinition[];
  /** The tool of that name; its name alone for one about which there is more to say than that it is not there. */
  find(name: string): ToolDefinition | undefined;
  /** What of the configuration could not be followed. */
  trouble(): string | undefined;
  info(): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** The configuration, with the startup script that is to be run. */
export type Wanted = Omit<ConnectionsConfig, "startup"> & { readonly startup: string | undefined };

/** Begins to connect what is wanted, and waits for none of it. */
export const openExchange = (host: Host, config: Wanted, toolsChanged: () => void): Exchange => {
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
    lists: openLists(projectFolder),
    tell,
    listed: (name, present) => expectations.compare(name, present),
    toolsChanged,
    log: host.log,
  });
  const configured = new Map<string, Target>();
  const approved = openApprovedTargets(projectFolder);
  const listed = (tool: CatalogueTool): ToolDefinition => listedTool(tool, board.entry(tool.connection));
  const { trouble } = startUp(config, { host, board, configured, approved });
  return {
    handlers: handlersOf({ board, expectations, configured, approved, most: config.most, events: host.events }),
    tools: () => board.catalogue.tools.map(listed),
    find: (name) => {
      const tool = board.catalogue.find(name);
      if (tool !== undefined) return listed(tool);
      return isClaimed(board, name) ? { name } : undefined;
    },
    trouble,
    info: () => ({ connections: board.names.length, tools: board.catalogue.tools.length }),
    close: () => board.close(),
  };
};

interface StartParts {
  readonly host: Host;
  readonly board: Switchboard;
  readonly configured: Map<string, Target>;
  readonly approved: ApprovedTargets;
}

/** Adds what the configuration wants, in its order: its own upstreams, those of the `.mcp.json`, those of the script. */
const startUp = (config: Wanted, { host, board, configured, approved }: StartParts) => {
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
    const why = cause instanceof Error ? cause.message : String(cause);
    trouble = `${what}: ${why}`;
    // What a person has written down wrong, and no defect of ours: a stack would tell nothing.
    host.log("error", what, { why, ...(cause instanceof FairleadError && { issues: cause.issues }) });
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
    const { mcpJson, startup } = config;
    if (mcpJson !== undefined) {
      try {
        take(readMcpJson(await readFile(resolve(folder, mcpJson), "utf8"), mcpJson), "foreign");
      } catch (cause) {
        failed(`the upstreams of ${mcpJson} were not added`, cause);
      }
    }
    if (startup === undefined) return;
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
