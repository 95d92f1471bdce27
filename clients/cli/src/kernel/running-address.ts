/** Where a kernel of this project listens for HTTP, as far as the configuration says. For kernels that own no state folder of this machine. */
import type { ConfigFile } from "../command/config-file.ts";
import type { Context } from "../command/context.ts";

/** Where `fairlead up` listens when nothing else is said. */
const usual = { host: "127.0.0.1", port: 5_099 } as const;
const anyHost = new Set(["0.0.0.0", "::"]);

/** Where `fairlead up` of this project would listen; the usual place where the configuration cannot be evaluated. */
export const usualAddress = async ({ io, configFile }: Pick<Context, "io" | "configFile">): Promise<string> => {
  const { FAIRLEAD_HOST, FAIRLEAD_PORT } = io.env;
  const { value } = await configFile().catch((): Pick<ConfigFile, "value"> => ({ value: {} }));
  const host = String(FAIRLEAD_HOST ?? value.host ?? usual.host);
  const name = anyHost.has(host) ? usual.host : host.includes(":") ? `[${host}]` : host;
  // A port that the system chooses cannot be known here.
  const port = Number(FAIRLEAD_PORT ?? value.port ?? usual.port) || usual.port;
  return `http://${name}:${port}`;
};
