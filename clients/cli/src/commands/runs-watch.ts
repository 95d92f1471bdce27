/** `fairlead runs watch`: follows a run to its end; at a terminal its questions are asked there. */
import type { CommandModule } from "../command/command.ts";
import { followRun } from "../run/follow-run.ts";
import { withNamedRun } from "../run/named-run.ts";

const runsWatch: CommandModule = {
  define: (command) => {
    command
      .argument("<id>", "Its id, as `fairlead runs ls` lists it, or the beginning of it")
      .addHelpText(
        "after",
        "\nPrints its result; exits with 1 where it failed or was cancelled. With --json one object a change.\n",
      );
  },

  run: (context, { args: [named = ""] }) =>
    withNamedRun(context, named, (client, id) => followRun(context, client, id)),
};

export default runsWatch;
