/** `fairlead call --start`: long work as a run, which goes on without the command. */
import type { Context } from "../command/context.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import { createKernelClient } from "../kernel/kernel-client.ts";
import { followRun } from "./follow-run.ts";

interface NamedRun {
  readonly name: string;
  readonly input: unknown;
  /** Follow it to its end. */
  readonly watch: boolean;
  /** Unique for this caller and procedure. */
  readonly key: string | undefined;
}

export const startRun = async (
  context: Context,
  connection: KernelConnection,
  { name, input, watch, key }: NamedRun,
): Promise<void> => {
  const client = createKernelClient(context, connection);
  // What was read as JSON.
  const json = input as NonNullable<Parameters<typeof client.startRun>[0]["input"]>;
  const { run } = await client.startRun({
    procedure: name,
    input: json ?? {},
    ...(key !== undefined && { key }),
  });
  if (watch) {
    context.say(`started ${run.id}`);
    await followRun(context, client, run.id);
    return;
  }
  context.print({ run }, () => run.id);
  context.say(`follow it with \`fairlead runs watch ${run.id}\``);
};
