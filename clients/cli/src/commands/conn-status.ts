/** `fairlead conn status`: how one connection is, with what is kept back; with `--watch` what happens to it. */
import type { CommandModule } from "../command.ts";
import { askConnections, changeLine, connectionLines, followConnections, noConnection } from "../connections-client.ts";
import { table } from "../table.ts";

const connStatus: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .option("-w, --watch", "Follow what happens to it, until interrupted")
      .addHelpText("after", "\nExamples:\n  fairlead conn status holler\n");
  },

  run: (context, { args: [name = ""], flags }) =>
    askConnections(context, async (client) => {
      const follow = flags.watch === true ? await followConnections(context, client, name) : undefined;
      const status = await client.status({ name });
      if (status === null)
        throw noConnection(
          name,
          (await client.list()).map((each) => each.name),
        );
      const { tools: kept } = await client.quarantine({ name });
      context.print({ connection: status, quarantine: kept }, () =>
        table([
          ...connectionLines(status),
          ...kept.flatMap(({ tool, changes }) => [
            ["kept back", tool],
            ...changes.map((change) => ["", changeLine(change)]),
          ]),
        ]),
      );
      await follow?.();
      return 0;
    }),
};

export default connStatus;
