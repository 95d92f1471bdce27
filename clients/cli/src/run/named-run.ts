/** A run as the command line names it: its id, or a beginning of it that no other run has. */
import type { Client } from "@fairlead/client";
import type { KernelTypes } from "@fairlead/client/kernel";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";

type RunClient = Client<KernelTypes>;

const wholeId = 36;

/** Runs `work` with a client of the running kernel and the whole id of the run. */
export const withNamedRun = <T>(
  context: Context,
  named: string,
  work: (client: RunClient, id: string) => Promise<T>,
): Promise<T> => withRunningKernel(context, async (client) => work(client, await findRunId(client, named)));

/** What begins no id is left as it is: the kernel says that there is no such run. */
const findRunId = async (client: RunClient, named: string): Promise<string> => {
  if (named.length >= wholeId) return named;
  const found: string[] = [];
  for await (const { id } of client.listRuns.items({ pageSize: 200 })) if (id.startsWith(named)) found.push(id);
  const [first = named, ...others] = found;
  if (others.length === 0) return first;
  const hint = `give more of it, like ${found.slice(0, 3).join(" or ")}`;
  throw new UsageError(`${found.length} runs have an id that begins with ${JSON.stringify(named)}`, hint);
};
