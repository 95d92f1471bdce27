/** `fairlead conn approve`: approves tools whose definition has changed, or an entry of a `.mcp.json` that has, as they are now. */
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { CommandError } from "../command/failure.ts";
import { askConnections, noConnection } from "../kernel/connections-client.ts";

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
        const { approved, target } = await client.approve({ name, ...(tools.length > 0 && { tools }) });
        const missing = tools.filter((tool) => !approved.includes(tool));
        if (missing.length > 0) {
          const message = `${name} keeps back no ${missing.join(", ")}${approved.length === 0 ? "" : `; approved ${approved.join(", ")}`}`;
          const hint = `see \`fairlead conn status ${name}\` for what it keeps back`;
          throw new CommandError({ code: "not_found", exit: 6 }, { message, hint });
        }
        const what = [...(target ? ["what it starts or leads to"] : []), ...approved];
        context.print({ approved, target }, () =>
          what.length === 0 ? "nothing was kept back" : `approved ${what.join(", ")}`,
        );
      } catch (error) {
        if (isReason(error, client.approve, "unknown_connection")) throw noConnection(name, error.data.known);
        throw error;
      }
      return 0;
    }),
};

export default connApprove;
