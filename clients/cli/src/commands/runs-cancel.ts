/** `fairlead runs cancel`: ends a run; its handler is interrupted. */
import type { CommandModule } from "../command/command.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";

const runsCancel: CommandModule = {
  define: (command) => {
    command.argument("<id>", "Its id, as `fairlead runs ls` lists it");
  },

  run: async (context, { args: [id = ""] }) => {
    const run = await withRunningKernel(context, (client) => client.cancelRun({ id }));
    context.print({ run }, () => `${id} is cancelled`);
    return 0;
  },
};

export default runsCancel;
