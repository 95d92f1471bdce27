/** The kernel's own contract, for commands that show what is running. What does not exist is told with what does. */
import { type Client, createClient, isReason } from "@fairlead/client";
import { type KernelTypes, kernel } from "@fairlead/client/kernel";
import type { Context } from "./context.ts";
import { notOffered } from "./offered.ts";
import { withKernel } from "./reach.ts";
import type { Reached } from "./reached.ts";
import { sameWords } from "./suggest.ts";

export type KernelClient = Client<KernelTypes>;
export type ServiceStatus = KernelTypes["services"]["output"]["services"][number];
export type ProcedureDescription = KernelTypes["describe"]["output"]["procedures"][number];

/** Runs `work` with a client of the kernel; every call ends with the command. */
export const askKernel = <T>(context: Context, work: (client: KernelClient) => Promise<T>): Promise<T> =>
  withKernel(context, (reached) => work(clientOf(context, reached)));

/** The kernel's own contract at a kernel that is reached. */
export const clientOf = ({ timeoutMs }: Context, { transport }: Reached): KernelClient =>
  createClient<KernelTypes>(kernel, transport, { timeoutMs: timeoutMs ?? 10_000 });

/** Where `fairlead up` listens when nothing else is said. */
export const usualAddress = "http://127.0.0.1:5099";

/** The same for a kernel that runs already: at `--url`, or at the usual address. */
export const askRunningKernel = <T>(context: Context, work: (client: KernelClient) => Promise<T>): Promise<T> =>
  askKernel({ ...context, url: context.url ?? usualAddress }, work);

/** A service and its procedures; exit 6 when there is none of that name. */
export const describeService = async (client: KernelClient, service: string, procedure?: string) => {
  try {
    return await client.describe({ service, ...(procedure !== undefined && { procedure }) });
  } catch (error) {
    if (isReason(error, client.describe, "unknown_service")) {
      const { known } = error.data;
      const offered = await Promise.all(known.map(async (id) => (await client.describe({ service: id })).procedures));
      // A procedure's name without its service is what people remember.
      const alike = sameWords(
        service,
        offered.flat().map(({ name }) => name),
      );
      throw notOffered("service", service, alike === undefined ? known : [alike]);
    }
    if (isReason(error, client.describe, "unknown_procedure")) {
      const known = error.data.known.map((name) => (name.includes(".") ? name : `${service}.${name}`));
      throw notOffered("procedure", `${service}.${procedure ?? ""}`, known);
    }
    throw error;
  }
};
