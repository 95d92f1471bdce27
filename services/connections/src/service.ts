/**
 * The connections service: what the configuration and callers want connected, and the tools of what is.
 *
 * It is up at once, whatever the upstreams do. Where nothing is to be connected from the start, and in a kernel that ends with its one
 * call, the exchange (`composition.ts`) is opened by the first call. Until it is open, each name that may be an upstream tool is taken: its
 * call waits, and is told.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import connections from "@fairlead/contracts/connections";
import { type Condition, defineService, type Host, type SelfCheck } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import type { Exchange } from "./composition.ts";
import { type ConnectionsConfig, configSchema } from "./config/config.ts";
import type { Wanted } from "./declarations.ts";
import { seam } from "./tools/relayed-name.ts";

export type { StartupTools } from "./startup/script-tools.ts";
export type { StartupModule } from "./startup/startup.ts";

const code = () => import("./composition.ts");

const start = (host: Host<ConnectionsConfig>) =>
  Effect.gen(function* () {
    const config = wanted(host.config);
    const listeners = new Set<() => void>();
    const tell = (): void => {
      for (const listener of listeners) listener();
    };
    let exchange: Exchange | undefined;
    let opening: Promise<Exchange> | undefined;
    const open = (): Promise<Exchange> => {
      opening ??= code().then(({ openExchange }) => {
        exchange = openExchange(host, config, tell);
        return exchange;
      });
      return opening;
    };
    yield* Effect.addFinalizer(() => Effect.promise(async () => (await opening?.catch(() => undefined))?.close()));
    let failure: string | undefined;
    const claimed = (name: string): { readonly name: string } | undefined =>
      wantsAny(config) && failure === undefined && name.includes(seam) ? { name } : undefined;
    if (wantsAny(config) && host.stays) {
      open().catch((cause: unknown) => {
        failure = `the connections were not opened: ${cause instanceof Error ? cause.message : String(cause)}`;
        host.log("error", failure, { error: cause });
      });
    }
    return {
      relay: {
        through: "callTool" as const,
        list: () => exchange?.tools() ?? [],
        find: (name: string) => (exchange === undefined ? claimed(name) : exchange.find(name)),
        onChange: (listener: () => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      handlers: async () => (await open()).handlers,
      condition: (): Condition => {
        const trouble = failure ?? exchange?.trouble();
        return trouble === undefined
          ? { state: "ready" }
          : { state: "degraded", why: trouble, fix: "mend it and start the kernel again" };
      },
      checks: async (): Promise<readonly SelfCheck[]> => {
        if (!wantsAny(config)) return [];
        const { declared, trouble } = await open();
        await declared;
        const found = trouble();
        const name = "what is written down";
        return found === undefined
          ? [{ name, ok: true, detail: "can be followed" }]
          : [{ name, ok: false, detail: found, fix: "mend it" }];
      },
      info: () => exchange?.info() ?? { connections: 0, tools: 0 },
    };
  });

const wanted = (config: ConnectionsConfig): Wanted => {
  if (config.startup === false) return { ...config, startup: undefined, passedOver: undefined };
  if (config.startup !== undefined) return { ...config, startup: config.startup, passedOver: undefined };
  const [startup, passedOver] = found(process.cwd());
  return { ...config, startup, passedOver };
};

/** The startup scripts that are there without being named; the first is run. */
const found = (folder: string): readonly string[] =>
  ["startup.lua", "startup.ts"].filter((name) => existsSync(resolve(folder, name)));

const wantsAny = ({ upstreams, mcpJson, startup }: Wanted): boolean =>
  Object.keys(upstreams).length > 0 || mcpJson !== undefined || startup !== undefined;

export default defineService(connections, start, { config: configSchema, code });
