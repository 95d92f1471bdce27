/** `fairlead runs cancel`: ends a run; its handler is interrupted. */
import type { CommandModule } from "../command/command.ts";
import { withNamedRun } from "../run/named-run.ts";

const runsCancel: CommandModule = {
  define: (command) => {
    command.argument("<id>", "Its id, as `fairlead runs ls` lists it, or the beginning of it");
  },

  run: async (context, { args: [named = ""] }) => {
    const run = await withNamedRun(context, named, (client, id) => client.cancelRun({ id }));
    context.print({ run }, () => `${run.id} is cancelled`);
    return 0;
  },
};

export default runsCancel;
