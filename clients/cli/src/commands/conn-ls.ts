/** `fairlead conn ls`: the connections of a running kernel; with `--watch` as they are at every moment, and what happens to them. */
import type { CommandModule } from "../command/command.ts";
import { askConnections, type Connection, connectionRows, followConnections } from "../kernel/connections-client.ts";
import { table } from "../terminal/table.ts";

const connLs: CommandModule = {
  define: (command) => {
    command
      .option("-w, --watch", "Follow what happens, until interrupted")
      .addHelpText("after", "\nExamples:\n  fairlead conn ls\n  fairlead conn ls --watch\n");
  },

  run: (context, { flags }) =>
    askConnections(context, async (client) => {
      const text = (list: readonly Connection[]): string => table(connectionRows(list));
      const picture = async (): Promise<string> => text(await client.list());
      const follow = flags.watch === true ? await followConnections(context, client, { picture }) : undefined;
      const list = await client.list();
      context.print({ connections: list }, () => text(list));
      if (list.length === 0) context.say("there are none; `fairlead conn add <name> <url>` makes one");
      await follow?.();
      return 0;
    }),
};

export default connLs;
