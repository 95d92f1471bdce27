/** `fairlead conn approve`: approves tools whose definition has changed, as they are now. */
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command.ts";
import { askConnections, noConnection } from "../connections-client.ts";

const connApprove: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .argument("[tool...]", "The upstream's names of the tools; all that are kept back when left out")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead conn status holler    # what they say now\n  fairlead conn approve holler\n",
      );
  },

  run: (context, { args: [name = "", ...tools] }) =>
    askConnections(context, async (client) => {
      try {
        const { approved } = await client.approve({ name, ...(tools.length > 0 && { tools }) });
        context.print({ approved }, () =>
          approved.length === 0 ? "nothing was kept back" : `approved ${approved.join(", ")}`,
        );
      } catch (error) {
        if (isReason(error, client.approve, "unknown_connection")) throw noConnection(name, error.data.known);
        throw error;
      }
      return 0;
    }),
};

export default connApprove;
