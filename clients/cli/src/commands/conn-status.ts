/** `fairlead conn status`: how one connection is, with what is kept back; with `--watch` what happens to it. */
import type { ConnectionsTypes } from "@fairlead/client/connections";
import type { CommandModule } from "../command/command.ts";
import {
  askConnections,
  type Connection,
  changeLine,
  connectionLines,
  followConnections,
  noConnection,
} from "../kernel/connections-client.ts";
import { table } from "../terminal/table.ts";

const connStatus: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .option("-w, --watch", "Follow what happens to it, until interrupted")
      .addHelpText("after", "\nExamples:\n  fairlead conn status holler\n");
  },

  run: (context, { args: [name = ""], flags }) =>
    askConnections(context, async (client) => {
      const look = async () => {
        const connection = await client.status({ name });
        if (connection === null) {
          const known = (await client.list()).map((each) => each.name);
          throw noConnection(name, known);
        }
        const { tools: quarantine } = await client.quarantine({ name });
        return { connection, quarantine };
      };
      const picture = async (): Promise<string> => textOf(await look());
      const follow = flags.watch === true ? await followConnections(context, client, { name, picture }) : undefined;
      const seen = await look();
      context.print(seen, () => textOf(seen));
      await follow?.();
      return 0;
    }),
};

interface Seen {
  readonly connection: Connection;
  readonly quarantine: ConnectionsTypes["quarantine"]["output"]["tools"];
}

const textOf = ({ connection, quarantine }: Seen): string =>
  table([
    ...connectionLines(connection),
    ...quarantine.flatMap(({ tool, changes }) => [
      ["kept back", tool],
      ...changes.map((change) => ["", changeLine(change)]),
    ]),
  ]);

export default connStatus;
