/** `fairlead conn reconnect`: connects anew at once, also where it was blocked. */
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { askConnections, noConnection } from "../kernel/connections-client.ts";

const connReconnect: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .addHelpText("after", "\nExamples:\n  fairlead conn reconnect holler\n");
  },

  run: (context, { args: [name = ""] }) =>
    askConnections(context, async (client) => {
      try {
        const connection = await client.reconnect({ name });
        context.print({ connection }, () => `${name} is ${connection.state}`);
      } catch (error) {
        if (isReason(error, client.reconnect, "unknown_connection")) throw noConnection(name, error.data.known);
        throw error;
      }
      return 0;
    }),
};

export default connReconnect;
