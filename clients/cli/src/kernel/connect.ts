/**
 * A kernel to talk to: the one that runs at `--url`, or one in this process that ends with the command. Both are called with the same
 * client, over different transports.
 */
import { ClientError } from "@fairlead/client";
import type { Context } from "../command/context.ts";
import { withCommandHints } from "./client-error.ts";
import type { KernelConnection } from "./connection.ts";
import { type CommandNames, mentionsTools } from "./tool-names.ts";

const connect = async (context: Context): Promise<KernelConnection> => {
  if (context.url === undefined) {
    const { connectLocal } = await import("./local.ts");
    return connectLocal(context);
  }
  const { connectRemote } = await import("./remote.ts");
  return connectRemote(context.url, context);
};

/** Connects to a kernel for as long as the work takes. */
export const withKernel = async <T>(context: Context, work: (kernel: KernelConnection) => Promise<T>): Promise<T> => {
  const kernel = await connect(context);
  try {
    return await work(kernel);
  } catch (error) {
    const names = context.json ? noNames : await commandNames(error, kernel);
    throw withCommandHints(error, { ...context, names });
  } finally {
    await kernel.close();
  }
};

const noNames: CommandNames = { tools: new Map(), verbs: [] };

/** The commands for the kernel's tools, where the error seems to name one and the kernel can say. */
const commandNames = async (error: unknown, kernel: KernelConnection): Promise<CommandNames> => {
  if (!(error instanceof ClientError) || !mentionsTools(`${error.message} ${error.hint ?? ""}`)) return noNames;
  try {
    return { tools: await kernel.tools(), verbs: await kernel.verbs() };
  } catch {
    return noNames;
  }
};
