/**
 * The open exchange: the switchboard with what the configuration, the `.mcp.json` and the startup script want connected.
 *
 * All it knows is in memory, but for the pins of tool definitions.
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import connections from "@fairlead/contracts/connections";
import { FairleadError, type Handlers, type Host, type ToolDefinition } from "@fairlead/kernel/service";
import { type ConnectionsConfig, readMcpJson, targetOf, type Upstream } from "./config.ts";
import { handlersOf } from "./handlers.ts";
import { openPins } from "./pin-file.ts";
import { isClaimed } from "./relay.ts";
import type { StartupTools } from "./startup/script-tools.ts";
import { runStartup } from "./startup/startup.ts";
import { Switchboard } from "./switchboard.ts";
import { eventView, scriptStatus } from "./view.ts";

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

/** Begins to connect what is wanted, and waits for none of it. */
export const openExchange = (host: Host, config: ConnectionsConfig, toolsChanged: () => void): Exchange => {
  const board = new Switchboard({
    env: host.env,
    version: connections.version,
    times: config.times,
    now: () => performance.timeOrigin + performance.now(),
    random: Math.random,
    pins: openPins(host.stateDir, (message) => host.log("warn", message)),
    tell: (told) => {
      const event = eventView(told);
      host.event(`connection.${event.type}`, { ...event });
    },
    toolsChanged,
    log: host.log,
  });
  const configured = new Map<string, Upstream>();
  const { trouble } = startUp(config, { host, board, configured });
  return {
    handlers: handlersOf({ board, configured, most: config.most, folder: process.cwd(), events: host.events }),
    tools: () => board.catalogue.tools.map(({ shown }) => shown),
    find: (name) => board.catalogue.find(name)?.shown ?? (isClaimed(board, name) ? { name } : undefined),
    trouble,
    info: () => ({ connections: board.names.length, tools: board.catalogue.tools.length }),
    close: () => board.close(),
  };
};

interface StartParts {
  readonly host: Host;
  readonly board: Switchboard;
  readonly configured: Map<string, Upstream>;
}

/** Adds what the configuration wants, in its order: its own upstreams, those of the `.mcp.json`, those of the script. */
const startUp = (config: ConnectionsConfig, { host, board, configured }: StartParts) => {
  const folder = process.cwd();
  let trouble: string | undefined;
  const take = (upstreams: Readonly<Record<string, Upstream>>): void => {
    for (const [name, upstream] of Object.entries(upstreams)) {
      configured.set(name, upstream);
      if (upstream.start) board.add(name, targetOf(upstream, folder));
    }
  };
  const failed = (what: string, cause: unknown): void => {
    trouble = `${what}: ${cause instanceof FairleadError || cause instanceof Error ? cause.message : String(cause)}`;
    host.log("error", what, { error: cause });
  };
  const tools: StartupTools = {
    mcp_add: (name, upstream) => {
      // The script's words were checked before they came here.
      take({ [name]: upstream as Upstream });
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
        take(readMcpJson(await readFile(resolve(folder, mcpJson), "utf8"), mcpJson));
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
  take(config.upstreams);
  void more();
  return { trouble: () => trouble };
};
