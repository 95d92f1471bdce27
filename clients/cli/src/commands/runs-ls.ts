/** `fairlead runs ls`: long work of a running kernel, the latest first. */

import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";
import { runTable } from "../run/run-text.ts";

const states = ["queued", "running", "waiting", "done", "failed", "cancelled"] as const;

const runsLs: CommandModule = {
  define: (command) => {
    command
      .option("--procedure <name>", "Only of this procedure, like notes.export")
      .option("--state <state>", `Only in this state: ${states.join(", ")}`)
      .option("--limit <n>", "So many at most", "50")
      .addHelpText(
        "after",
        "\nRuns that failed for good are the list of dead letters: `fairlead runs ls --state failed`.\n\nExamples:\n  fairlead runs ls\n  fairlead runs ls --state waiting\n",
      );
  },

  run: async (context, { flags }) => {
    const query = { ...filters(flags), pageSize: parseLimit(flags.limit) };
    const { items } = await withRunningKernel(context, (client) => client.listRuns(query));
    context.print({ runs: items }, () => (items.length === 0 ? "no runs" : runTable(items)));
    return 0;
  },
};

const filters = ({ procedure, state }: Readonly<Record<string, unknown>>) => {
  const found = states.find((each) => each === state);
  if (state !== undefined && found === undefined)
    throw new UsageError(`--state takes ${states.join(", ")}, not ${JSON.stringify(state)}`);
  const name = text(procedure);
  return { ...(name !== undefined && { procedure: name }), ...(found !== undefined && { state: found }) };
};

const parseLimit = (value: unknown): number => {
  const limit = Number(text(value));
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit;
  throw new UsageError(`--limit takes a number, not ${JSON.stringify(value)}`, "give 1 to 200");
};

export default runsLs;
