/** `fairlead conn rm`: removes a connection from a running kernel. */
import type { CommandModule } from "../command/command.ts";
import { askConnections, noConnection } from "../kernel/connections-client.ts";

const connRm: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .addHelpText("after", "\nExamples:\n  fairlead conn rm holler\n");
  },

  run: (context, { args: [name = ""] }) =>
    askConnections(context, async (client) => {
      const removed = await client.remove({ name });
      if (!removed)
        throw noConnection(
          name,
          (await client.list()).map((each) => each.name),
        );
      context.print({ removed: name }, () => `${name} is removed`);
      return 0;
    }),
};

export default connRm;
