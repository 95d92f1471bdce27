/**
 * The connections service: what the configuration and callers want connected, and the tools of what is.
 *
 * It is up at once, whatever the upstreams do. Where nothing is to be connected from the start, and in a kernel that ends with its one
 * call, the exchange (`composition.ts`) is opened by the first call. Until it is open, each name that may be an upstream tool is reserved: its
 * call waits.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import connections from "@fairlead/contracts/connections";
import { type Condition, defineService, type Host, type SelfCheck } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import type { OpenConnections } from "./composition.ts";
import { type ConnectionsConfig, configSchema } from "./config/config.ts";
import type { ResolvedConfig } from "./declared/declarations.ts";
import { nameSeparator } from "./tools/relayed-name.ts";

export type { StartupTools } from "./startup/script-tools.ts";
export type { StartupModule } from "./startup/startup.ts";

const code = () => import("./composition.ts");

const start = (host: Host<ConnectionsConfig>) =>
  Effect.gen(function* () {
    const config = resolveConfig(host.config);
    const listeners = new Set<() => void>();
    const notify = (): void => {
      for (const listener of listeners) listener();
    };
    let opened: OpenConnections | undefined;
    let opening: Promise<OpenConnections> | undefined;
    const openOnce = Effect.gen(function* () {
      const { openConnections } = yield* Effect.promise(code);
      opened = yield* openConnections(host, config, notify);
      return opened;
    }).pipe(Scope.provide(yield* Effect.scope));
    const open = (): Promise<OpenConnections> => {
      opening ??= Effect.runPromise(openOnce);
      return opening;
    };
    // A service that is stopped while it opens has its connections closed, too.
    yield* Effect.addFinalizer(() => Effect.promise(async () => opening?.catch(() => undefined)));
    let failure: string | undefined;
    const reservedName = (name: string): { readonly name: string } | undefined =>
      isAnyDeclared(config) && failure === undefined && name.includes(nameSeparator) ? { name } : undefined;
    if (isAnyDeclared(config) && host.stays) {
      open().catch((cause: unknown) => {
        failure = `the connections were not opened: ${cause instanceof Error ? cause.message : String(cause)}`;
        host.log("error", failure, { error: cause });
      });
    }
    return {
      relay: {
        through: "callTool" as const,
        list: () => opened?.tools() ?? [],
        find: (name: string) => (opened === undefined ? reservedName(name) : opened.find(name)),
        onChange: (listener: () => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      handlers: async () => (await open()).handlers,
      condition: (): Condition => {
        const problem = failure ?? opened?.problem();
        return problem === undefined
          ? { state: "ready" }
          : { state: "degraded", why: problem, fix: "fix it and start the kernel again" };
      },
      checks: async (): Promise<readonly SelfCheck[]> => {
        if (!isAnyDeclared(config)) return [];
        const { whenRead, problem, checks, info } = await open();
        await whenRead;
        const found = problem();
        const name = "configured connections";
        const read: SelfCheck =
          found === undefined
            ? { name, ok: true, detail: "all were read" }
            : { name, ok: false, detail: found, fix: "correct it and start the kernel again" };
        return [read, host.stays ? checks() : [untried(info())]].flat();
      },
      children: () => opened?.children() ?? [],
      info: () => opened?.info() ?? { connections: 0, tools: 0 },
    };
  });

const untried = ({ connections: count }: Readonly<Record<string, unknown>>): SelfCheck => ({
  name: "upstreams",
  ok: true,
  detail: `${count}, none of which is started for a look: where \`fairlead up\` runs, the doctor says how they are`,
});

const resolveConfig = (config: ConnectionsConfig): ResolvedConfig => {
  if (config.startup === false) return { ...config, startup: undefined, ignoredScript: undefined };
  if (config.startup !== undefined) return { ...config, startup: config.startup, ignoredScript: undefined };
  const [startup, ignoredScript] = findStartupScripts(process.cwd());
  return { ...config, startup, ignoredScript: ignoredScript };
};

/** The startup scripts that are there without being named; the first is run. */
const findStartupScripts = (folder: string): readonly string[] =>
  ["startup.lua", "startup.ts"].filter((name) => existsSync(resolve(folder, name)));

const isAnyDeclared = ({ upstreams, mcpJson, startup }: ResolvedConfig): boolean =>
  Object.keys(upstreams).length > 0 || mcpJson !== undefined || startup !== undefined;

export default defineService(connections, start, { config: configSchema, code });
