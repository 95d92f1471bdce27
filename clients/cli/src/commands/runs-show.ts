/** `fairlead runs show`: one run with its log, question and result. */
import type { CommandModule } from "../command/command.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";
import { runText } from "../run/run-text.ts";

const runsShow: CommandModule = {
  define: (command) => {
    command.argument("<id>", "Its id, as `fairlead runs ls` lists it");
  },

  run: async (context, { args: [id = ""] }) => {
    const run = await withRunningKernel(context, (client) => client.getRun({ id }));
    context.print({ run }, () => runText(run));
    return 0;
  },
};

export default runsShow;
