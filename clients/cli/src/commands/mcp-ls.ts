/** `fairlead mcp ls`: which MCP clients have this project's tools, by their files. Starts nothing. */
import type { CommandModule } from "../command/command.ts";
import { findPlaces } from "../mcp-client/choice.ts";
import { listEntries } from "../mcp-client/list.ts";
import { findOrigin } from "../mcp-client/origin.ts";
import { table } from "../terminal/table.ts";

const mcpLs: CommandModule = {
  define: (command) => {
    command
      .option("-a, --all", "Show servers that are not this project's as well")
      .addHelpText("after", "\nExamples:\n  fairlead mcp ls\n  fairlead mcp ls --all --json\n");
  },

  run: async (context, { flags }) => {
    const { entries, unreadable } = listEntries(findPlaces(context), await findOrigin(context));
    const shown = entries
      .filter(({ isOwn }) => isOwn || flags.all === true)
      .map(({ client, scope, name, file, isOwn }) => ({ client: client.id, scope, name, file, own: isOwn }));
    const broken = unreadable.map(({ client, file, fault }) => ({ client: client.id, file, fault }));
    context.print({ entries: shown, unreadable: broken }, () =>
      shown.length === 0
        ? "no MCP client has this project's tools; `fairlead mcp add` gives them to one"
        : table([
            ["CLIENT", "SCOPE", "NAME", "FILE"],
            ...shown.map(({ client, scope, name, file, own }) => [client, scope, own ? name : `(${name})`, file]),
          ]),
    );
    for (const { file, fault } of broken) context.say(`${file}: ${fault}`);
    return 0;
  },
};

export default mcpLs;
