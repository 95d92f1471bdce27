/** `fairlead conn ls`: the connections of a running kernel; with `--watch` what happens to them, as it happens. */
import type { CommandModule } from "../command.ts";
import { askConnections, connectionRows, followConnections } from "../connections-client.ts";
import { table } from "../table.ts";

const connLs: CommandModule = {
  define: (command) => {
    command
      .option("-w, --watch", "Follow what happens, until interrupted")
      .addHelpText("after", "\nExamples:\n  fairlead conn ls\n  fairlead conn ls --watch\n");
  },

  run: (context, { flags }) =>
    askConnections(context, async (client) => {
      const follow = flags.watch === true ? await followConnections(context, client) : undefined;
      const list = await client.list();
      context.print({ connections: list }, () => table(connectionRows(list)));
      if (list.length === 0) context.say("there are none; `fairlead conn add <name> <url>` makes one");
      await follow?.();
      return 0;
    }),
};

export default connLs;
