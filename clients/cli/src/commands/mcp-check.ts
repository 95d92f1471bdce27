/** `fairlead mcp check`: proves the entries of MCP clients' files by a handshake with each, as the client makes it. */
import type { CommandModule } from "../command/command.ts";
import { checkEntry, reportWords } from "../mcp-client/check.ts";
import { findClient, findPlaces } from "../mcp-client/choice.ts";
import type { FileScope } from "../mcp-client/clients.ts";
import { listEntries } from "../mcp-client/list.ts";
import { findOrigin } from "../mcp-client/origin.ts";
import type { ProbeReport } from "../mcp-client/probe.ts";
import { table } from "../terminal/table.ts";

interface CheckedEntry {
  readonly client: string;
  readonly scope: FileScope;
  readonly name: string;
  readonly file: string;
  readonly check: ProbeReport;
}

/** Of a finding, as `gen --check` has it. */
const foundExit = 9;

const mcpCheck: CommandModule = {
  define: (command) => {
    command
      .argument("[client]", "This client only (default: all)")
      .addHelpText("after", "\nExamples:\n  fairlead mcp check\n  fairlead mcp check cursor --json\n");
  },

  run: async (context, { args: [id] }) => {
    const clients = id === undefined ? undefined : [findClient(id)];
    const places = findPlaces(context);
    const { entries, unreadable } = listEntries(places, await findOrigin(context), clients);
    const rows: CheckedEntry[] = [];
    for (const { client, scope, name, file, entry, isOwn } of entries)
      if (isOwn)
        rows.push({ client: client.id, scope, name, file, check: await checkEntry(context, entry, { scope, places }) });
    const broken = unreadable.map(({ client, file, fault }) => ({ client: client.id, file, fault }));
    context.print({ entries: rows, unreadable: broken }, () =>
      rows.length === 0
        ? "no MCP client has this project's tools; `fairlead mcp add` gives them to one"
        : table(rows.map(({ client, scope, name, check }) => [client, scope, name, reportWords(check)])),
    );
    for (const { file, fault } of broken) context.say(`${file}: ${fault}`);
    return broken.length > 0 || rows.some(({ check }) => !check.ok) ? foundExit : 0;
  },
};

export default mcpCheck;
