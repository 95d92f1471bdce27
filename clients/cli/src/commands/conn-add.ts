/** `fairlead conn add`: adds a connection to a running kernel, and does not wait for it. */
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { askConnections } from "../kernel/connections-client.ts";

const connAdd: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection")
      .argument("[url]", "Address of its MCP endpoint; left out for one that the configuration names")
      .option("-H, --header <header...>", "Header to send, like `x-team: red`")
      .option("--era <era>", "auto, legacy or modern")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead conn add holler http://localhost:8080/mcp\n  fairlead conn add files    # named in the configuration\n",
      );
  },

  run: (context, { args: [name = "", url], flags }) =>
    askConnections(context, async (client) => {
      const headers = Array.isArray(flags.header) ? Object.fromEntries(flags.header.map(headerOf)) : undefined;
      const era = eraOf(flags.era);
      try {
        const added = await client.add({
          name,
          ...(url !== undefined && { url }),
          ...(headers !== undefined && { headers }),
          ...(era !== undefined && { era }),
        });
        context.print({ connection: added }, () => `${name} is ${added.state}`);
      } catch (error) {
        if (!isReason(error, client.add, "not_configured")) throw error;
        const { known } = error.data;
        const hint = known.length === 0 ? "give an address" : `give an address, or one of ${known.join(", ")}`;
        throw new CommandError({ code: "not_found", exit: 6 }, { message: error.message, hint });
      }
      return 0;
    }),
};

const headerOf = (text: unknown): readonly [string, string] => {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(String(text)) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError("--header takes `name: value`", "like `x-team: red`");
  return [name, value.trim()];
};

const eras = ["auto", "legacy", "modern"] as const;

const eraOf = (value: unknown): (typeof eras)[number] | undefined => {
  if (value === undefined) return undefined;
  const found = eras.find((era) => era === value);
  if (found === undefined) throw new UsageError(`--era takes ${eras.join(", ")}, not ${JSON.stringify(value)}`);
  return found;
};

export default connAdd;
