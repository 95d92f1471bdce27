/**
 * The composition root: the connection registry with what the configuration, the `.mcp.json` and the startup script declare.
 *
 * All it knows is in memory, but for what is approved and what lazy upstreams have listed.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import connections from "@fairlead/contracts/connections";
import type { ChildStatus, Handlers, Host, SelfCheck, ToolDefinition } from "@fairlead/kernel/service";
import { ownersFolders } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import * as FiberMap from "effect/FiberMap";
import * as Scope from "effect/Scope";
import { nestingVariables } from "./config/nesting.ts";
import { Secrets } from "./config/secrets.ts";
import { type DeclarationPlan, type ResolvedConfig, readDeclarations } from "./declared/declarations.ts";
import type { PlannedChange } from "./declared/plan.ts";
import { watchFiles } from "./declared/watch.ts";
import { createHandlers } from "./handlers/handlers.ts";
import type { Target } from "./machine/target.ts";
import { ConnectionRegistry } from "./registry/connection-registry.ts";
import { Expectations } from "./registry/expectations.ts";
import type { RegistryEvent } from "./registry/record.ts";
import { isReserved } from "./registry/relay.ts";
import { ToolRates } from "./registry/tool-rates.ts";
import { eventView, listedTool } from "./registry/view.ts";
import { openApprovedTargets } from "./store/approved-targets.ts";
import { openLists } from "./store/list-file.ts";
import { openPins } from "./store/pin-file.ts";
import type { CatalogueTool } from "./tools/catalogue.ts";
import { nameSeparator } from "./tools/relayed-name.ts";

export interface OpenConnections {
  readonly handlers: Handlers<typeof connections>;
  /** Tools of what is connected, as they are shown. */
  tools(): readonly ToolDefinition[];
  /** The tool of that name; its name alone for one about which there is more to say than that it is not there. */
  find(name: string): ToolDefinition | undefined;
  /** Resolves when all that is written down was read. */
  readonly whenRead: Promise<void>;
  /** What of the configuration could not be followed. */
  problem(): string | undefined;
  /** Processes of upstreams, for the supervision tree. */
  children(): readonly ChildStatus[];
  /** What `fairlead doctor` says of connections that are not up. */
  checks(): readonly SelfCheck[];
  info(): Readonly<Record<string, unknown>>;
}

const summary = ({ name, change }: PlannedChange): string => `${change} ${name}`;

/** Begins to connect what is declared, and waits for none of it. When the scope closes, no socket and no process is left. */
export const openConnections = Effect.fnUntraced(function* (
  host: Host,
  config: ResolvedConfig,
  toolsChanged: () => void,
) {
  const scope = yield* Scope.fork(yield* Effect.scope, "parallel");
  const replace = yield* FiberMap.makeRuntime<never, string>();
  // Projects may share a state folder, and have other upstreams of the same names.
  const projectFolder = (): string => {
    const made = join(host.stateDir(), createHash("sha256").update(process.cwd()).digest("hex").slice(0, 16));
    mkdirSync(made, { recursive: true, mode: 0o700 });
    return made;
  };
  const place = { folder: projectFolder, warn: (message: string) => host.log("error", message) };
  const publish = (change: RegistryEvent): void => {
    const event = eventView(change);
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
    publish({ type: "Drifted", name, importer, ...drift });
  });
  const registry = new ConnectionRegistry({
    secrets: new Secrets(config.secrets, host.env, process.cwd()),
    childVariables: nestingVariables(host.env, process.cwd()),
    ownersFolders: () => ownersFolders(host.env, dirname(host.stateDir())),
    scope,
    replace,
    instance: randomUUID().slice(0, 8),
    version: connections.version,
    times: config.times,
    now: () => performance.timeOrigin + performance.now(),
    random: Math.random,
    folder: host.stateDir,
    pins: openPins(place),
    lists: openLists(place),
    publish: publish,
    onToolsListed: (name, present) => expectations.compare(name, present),
    toolsChanged,
    span: host.span,
    log: host.log,
  });
  // Before the scope of upstreams closes: the registry lets go of each in its own time, and what it has left then is ended.
  yield* Effect.addFinalizer(() => Effect.promise(() => registry.close()));
  const configured = new Map<string, Target>();
  const disabled = new Map<string, Target>();
  const approved = openApprovedTargets(place);
  const listed = (tool: CatalogueTool): ToolDefinition => listedTool(tool, registry.connection(tool.connection));
  const written = readDeclarations(config, { host, registry, configured, approved, disabled });
  const { whenRead } = written;
  const { watch } = config;
  if (watch !== false && host.stays) {
    const report = ({ changes, problems }: DeclarationPlan, next: string): void => {
      if (changes.length + problems.length === 0) return;
      host.log("info", "what is written down has changed", { changes: changes.map(summary), problems, next });
    };
    const { mcpJson, script } = written.files;
    if (watch === "apply") {
      yield* watchFiles([...mcpJson, ...script], async () => report(await written.apply(), "applied"));
    } else {
      const next = "`fairlead conn plan` shows it, `fairlead conn apply` does it";
      yield* watchFiles(mcpJson, async () => report(await written.planData(), next));
      // Whoever can write it does not get it run by that: it may do anything.
      const name = script.map((path) => basename(path)).join();
      yield* watchFiles(script, async () => host.log("info", `${name} was written; \`fairlead conn plan\` runs it`));
    }
  }
  const { most: maxConnections } = config;
  return {
    handlers: createHandlers({
      registry: registry,
      expectations,
      configured,
      disabled,
      rates: new ToolRates(() => performance.now()),
      log: config.audit ? host.log : undefined,
      approved,
      whenRead: whenRead,
      maxConnections,
      declarations: written,
      events: host.events,
    }),
    tools: () => registry.catalogue.tools.map(listed),
    find: (name) => {
      const tool = registry.catalogue.find(name);
      if (tool !== undefined) return listed(tool);
      return isReserved(registry, name) || (written.isReading() && name.includes(nameSeparator)) ? { name } : undefined;
    },
    whenRead: whenRead,
    problem: written.problem,
    children: () => registry.children(),
    checks: () => registry.checks(),
    info: () => ({ connections: registry.names.length, tools: registry.catalogue.tools.length }),
  } satisfies OpenConnections;
});
