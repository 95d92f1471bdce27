/**
 * A kernel to talk to: the one that runs at `--url`, or one in this process that ends with the command. Both are reached with
 * the same client, over different transports.
 */

import { ClientError } from "@fairlead/client";
import type { Context } from "../command/context.ts";
import { inCommandWords } from "./client-error.ts";
import type { Reached } from "./connection.ts";
import { namesTools, type Tools } from "./tool-command.ts";

export const reach = async (context: Context): Promise<Reached> => {
  if (context.url === undefined) {
    const { reachLocal } = await import("./local.ts");
    return reachLocal(context);
  }
  const { reachRemote } = await import("./remote.ts");
  return reachRemote(context.url, context);
};

/** Reaches a kernel for as long as the work takes. */
export const withKernel = async <T>(context: Context, work: (reached: Reached) => Promise<T>): Promise<T> => {
  const reached = await reach(context);
  try {
    return await work(reached);
  } catch (error) {
    throw inCommandWords(error, { ...context, tools: context.json ? new Map() : await toolsIn(error, reached) });
  } finally {
    await reached.close();
  }
};

/** The kernel's tools, where the error seems to name one and the kernel can say. */
const toolsIn = async (error: unknown, reached: Reached): Promise<Tools> => {
  const none: Tools = new Map();
  if (!(error instanceof ClientError) || !namesTools(`${error.message} ${error.hint ?? ""}`)) return none;
  return reached.tools().catch(() => none);
};
