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
export const createKernelClient = (
  { timeoutMs }: Context,
  { transport }: Pick<KernelConnection, "transport">,
): KernelClient => createClient<KernelTypes>(kernel, transport, { timeoutMs: timeoutMs ?? 10_000 });

/** The same for a kernel that runs already: at `--url`, or one of this project. */
export const withRunningKernel = <T>(context: Context, work: (client: KernelClient) => Promise<T>): Promise<T> =>
  withKernel(context, (connection) => work(createKernelClient(context, connection)), { running: true });

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
