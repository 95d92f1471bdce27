/** The kernel's own contract, for commands that show what is running. An error about a name that does not exist lists those that do. */
import { type Client, createClient, isReason } from "@fairlead/client";
import { type KernelTypes, kernel } from "@fairlead/client/kernel";
import type { Context } from "../command/context.ts";
import { findByOwnName } from "../text/suggest.ts";
import { withKernel } from "./connect.ts";
import type { KernelConnection } from "./connection.ts";
import { notFoundError } from "./not-found.ts";

type KernelClient = Client<KernelTypes>;
export type ServiceStatus = KernelTypes["services"]["output"]["services"][number];
export type ProcedureDescription = KernelTypes["describe"]["output"]["procedures"][number];

/** Runs `work` with a client of the kernel; every call ends with the command. */
export const withKernelClient = <T>(context: Context, work: (client: KernelClient) => Promise<T>): Promise<T> =>
  withKernel(context, (connection) => work(createKernelClient(context, connection)));

/** The kernel's own contract of the connected kernel. */
export const createKernelClient = ({ timeoutMs }: Context, { transport }: KernelConnection): KernelClient =>
  createClient<KernelTypes>(kernel, transport, { timeoutMs: timeoutMs ?? 10_000 });

/** The same for a kernel that runs already. */
export const withRunningKernel = async <T>(context: Context, work: (client: KernelClient) => Promise<T>): Promise<T> =>
  withKernelClient({ ...context, url: await runningAddress(context) }, work);

/** Where `fairlead up` listens when nothing else is said. */
const usual = { host: "127.0.0.1", port: 5_099 } as const;
const anyHost = new Set(["0.0.0.0", "::"]);

/** Where a kernel runs already: at `--url`, or where one of this project listens. */
export const runningAddress = async ({ url, io, configFile }: Context): Promise<string> => {
  if (url !== undefined) return url;
  const { FAIRLEAD_HOST, FAIRLEAD_PORT } = io.env;
  const { value } = await configFile();
  const host = String(FAIRLEAD_HOST ?? value.host ?? usual.host);
  const name = anyHost.has(host) ? usual.host : host.includes(":") ? `[${host}]` : host;
  // A port that the system chooses cannot be known here.
  const port = Number(FAIRLEAD_PORT ?? value.port ?? usual.port) || usual.port;
  return `http://${name}:${port}`;
};

/** A service and its procedures; exit 6 when there is none of that name. */
export const describeService = async (client: KernelClient, service: string, procedure?: string) => {
  try {
    return await client.describe({ service, ...(procedure !== undefined && { procedure }) });
  } catch (error) {
    if (isReason(error, client.describe, "unknown_service")) {
      const { known } = error.data;
      const offered = await Promise.all(known.map(async (id) => (await client.describe({ service: id })).procedures));
      // A procedure's name without its service is what people remember.
      const alike = findByOwnName(
        service,
        offered.flat().map(({ name }) => name),
      );
      throw notFoundError("service", service, alike === undefined ? known : [alike]);
    }
    if (isReason(error, client.describe, "unknown_procedure")) {
      const known = error.data.known.map((name) => (name.includes(".") ? name : `${service}.${name}`));
      throw notFoundError("procedure", `${service}.${procedure ?? ""}`, known);
    }
    throw error;
  }
};
