/** `fairlead runs resume`: queues a run again that failed or was cancelled, with the answers that it got. */
import type { CommandModule } from "../command/command.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";

const runsResume: CommandModule = {
  define: (command) => {
    command.argument("<id>", "Its id, as `fairlead runs ls --state failed` lists it");
  },

  run: async (context, { args: [id = ""] }) => {
    const run = await withRunningKernel(context, (client) => client.resumeRun({ id }));
    context.print({ run }, () => `${id} is queued again; follow it with \`fairlead runs watch ${id}\``);
    return 0;
  },
};

export default runsResume;
