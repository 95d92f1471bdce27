/** `fairlead runs show`: one run with its log, question and result. */
import type { CommandModule } from "../command/command.ts";
import { withNamedRun } from "../run/named-run.ts";
import { runText } from "../run/run-text.ts";

const runsShow: CommandModule = {
  define: (command) => {
    command.argument("<id>", "Its id, as `fairlead runs ls` lists it, or the beginning of it");
  },

  run: async (context, { args: [named = ""] }) => {
    const run = await withNamedRun(context, named, (client, id) => client.getRun({ id }));
    context.print({ run }, () => runText(run));
    return 0;
  },
};

export default runsShow;
