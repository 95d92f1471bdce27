/**
 * The open exchange: the switchboard with what the configuration, the `.mcp.json` and the startup script want connected.
 *
 * All it knows is in memory, but for what is approved and what lazy upstreams have listed.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import connections from "@fairlead/contracts/connections";
import type { Handlers, Host, ToolDefinition } from "@fairlead/kernel/service";
import { nesting } from "./config/nesting.ts";
import { readWritten, type Wanted } from "./declarations.ts";
import { handlersOf } from "./handlers/handlers.ts";
import type { Target } from "./machine/target.ts";
import { Switchboard, type Told } from "./registry/connection-registry.ts";
import { Expectations } from "./registry/expectations.ts";
import { isClaimed } from "./registry/relay.ts";
import { eventView, listedTool } from "./registry/view.ts";
import { openApprovedTargets } from "./store/approved-targets.ts";
import { openLists } from "./store/list-file.ts";
import { openPins } from "./store/pin-file.ts";
import type { CatalogueTool } from "./tools/catalogue.ts";
import { seam } from "./tools/relayed-name.ts";

export interface Exchange {
  readonly handlers: Handlers<typeof connections>;
  /** Tools of what is connected, as they are shown. */
  tools(): readonly ToolDefinition[];
  /** The tool of that name; its name alone for one about which there is more to say than that it is not there. */
  find(name: string): ToolDefinition | undefined;
  /** Resolves when all that is written down was read. */
  readonly declared: Promise<void>;
  /** What of the configuration could not be followed. */
  trouble(): string | undefined;
  info(): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Begins to connect what is wanted, and waits for none of it. */
export const openExchange = (host: Host, config: Wanted, toolsChanged: () => void): Exchange => {
  // Projects may share a state folder, and have other upstreams of the same names.
  const projectFolder = (): string => {
    const made = join(host.stateDir(), createHash("sha256").update(process.cwd()).digest("hex").slice(0, 16));
    mkdirSync(made, { recursive: true, mode: 0o700 });
    return made;
  };
  const place = { folder: projectFolder, warn: (message: string) => host.log("error", message) };
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
    pins: openPins(place),
    lists: openLists(place),
    tell,
    listed: (name, present) => expectations.compare(name, present),
    toolsChanged,
    log: host.log,
  });
  const configured = new Map<string, Target>();
  const approved = openApprovedTargets(place);
  const listed = (tool: CatalogueTool): ToolDefinition => listedTool(tool, board.entry(tool.connection));
  const written = readWritten(config, { host, board, configured, approved });
  const { declared } = written;
  const { most } = config;
  return {
    handlers: handlersOf({ board, expectations, configured, approved, declared, most, events: host.events }),
    tools: () => board.catalogue.tools.map(listed),
    find: (name) => {
      const tool = board.catalogue.find(name);
      if (tool !== undefined) return listed(tool);
      return isClaimed(board, name) || (written.isReading() && name.includes(seam)) ? { name } : undefined;
    },
    declared,
    trouble: written.trouble,
    info: () => ({ connections: board.names.length, tools: board.catalogue.tools.length }),
    close: () => board.close(),
  };
};
