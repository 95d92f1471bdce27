/** Follows the events of a running kernel, as lines for people or as one JSON object a line. */
import type { KernelTypes } from "@fairlead/client/kernel";
import type { Context } from "../command/context.ts";
import { withRunningKernel } from "./kernel-client.ts";
import { notFoundError } from "./not-found.ts";

type KernelEvent = KernelTypes["events"]["output"];

interface FollowOptions {
  readonly service: string | undefined;
  readonly types: readonly string[];
  /** An event as a line for people. */
  readonly line: (event: KernelEvent) => string;
}

/** Prints what is kept, then what comes, until it is interrupted or the kernel ends. */
export const followEvents = (context: Context, { service, types, line }: FollowOptions): Promise<number> =>
  withRunningKernel(context, async (client) => {
    const { signal } = context.io;
    if (service !== undefined) {
      const known = (await client.services({}, { signal })).services.map(({ id }) => id);
      if (!known.includes(service)) throw notFoundError("service", service, known);
    }
    const input = { after: 0, types: [...types], ...(service !== undefined && { service }) };
    try {
      for await (const event of client.events(input, { signal })) {
        context.io.out(context.json ? JSON.stringify(event) : line(event));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return 0;
  });
