/** `fairlead runs resume`: queues a run again that failed or was cancelled, with the answers that it got. */
import type { CommandModule } from "../command/command.ts";
import { withNamedRun } from "../run/named-run.ts";

const runsResume: CommandModule = {
  define: (command) => {
    command.argument("<id>", "Its id, as `fairlead runs ls --state failed` lists it, or the beginning of it");
  },

  run: async (context, { args: [named = ""] }) => {
    const run = await withNamedRun(context, named, (client, id) => client.resumeRun({ id }));
    context.print({ run }, () => `${run.id} is queued again; follow it with \`fairlead runs watch ${run.id}\``);
    return 0;
  },
};

export default runsResume;
