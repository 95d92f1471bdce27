/** Follows the events of a running kernel, as lines for people or as one JSON object a line. */

import { ClientError } from "@fairlead/client";
import type { KernelTypes } from "@fairlead/client/kernel";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { withRunningKernel } from "./kernel-client.ts";
import { notFoundError } from "./not-found.ts";

type KernelEvent = KernelTypes["events"]["output"];

interface FollowOptions {
  readonly service: string | undefined;
  readonly types: readonly string[];
  /** An event as a line for people. */
  readonly line: (event: KernelEvent) => string;
}

const ended = new CommandError(
  { code: "unavailable", exit: 4 },
  { message: "the kernel has ended, or cannot be reached any more", hint: "start it with `fairlead up`" },
);

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
      if (signal.aborted) return 0;
      throw error instanceof ClientError && error.code === "unavailable" ? ended : error;
    }
    return 0;
  });
