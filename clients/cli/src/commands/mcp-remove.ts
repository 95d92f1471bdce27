/** `fairlead mcp remove`: takes an entry out of an MCP client's file. */
import { defaultStateDir } from "@fairlead/kernel/owner";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { apply, findEntry, planRemove } from "../mcp-client/change.ts";
import { chooseName, findClient, findPlaces, readScope } from "../mcp-client/choice.ts";
import { isOwnEntry } from "../mcp-client/launch.ts";
import { findOrigin } from "../mcp-client/origin.ts";
import { confirmed, copiesFolder, planWords } from "../mcp-client/show.ts";

const mcpRemove: CommandModule = {
  define: (command) => {
    command
      .argument("<client>", "The client, as `fairlead mcp ls` shows it")
      .argument("[name]", "Name of the entry (default: the project's folder)")
      .option("--scope <scope>", "project or user (default: project, where the client has a file for it)")
      .option("--edit", "Edit the file, also where the client has a command of its own")
      .option("--force", "Take it out although it is not this project's")
      .option("--dry-run", "Show what would be written, and write nothing")
      .option("-y, --yes", "Do not ask")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead mcp remove claude-code\n  fairlead mcp remove cursor notes --scope user\n",
      );
  },

  run: async (context, { args: [id = "", given], flags }) => {
    const client = findClient(id);
    const scope = readScope(text(flags.scope), client);
    const places = findPlaces(context);
    const name = given ?? chooseName(undefined, [], places.project);
    const target = { client, scope, name };
    const found = findEntry(target, places);
    const { path } = found.file;
    if (found.entry === undefined) {
      const message = `${client.title} has no server named ${name} in ${path}`;
      throw new CommandError({ code: "not_found", exit: 6 }, { message, hint: "run `fairlead mcp ls` for the list" });
    }
    const origin = await findOrigin(context);
    if (flags.force !== true && !isOwnEntry(found.entry, { project: places.project, origin })) {
      const message = `${name} in ${path} is not this project's`;
      throw new CommandError({ code: "failed_precondition", exit: 8 }, { message, hint: "take it out with --force" });
    }
    const planned = planRemove(target, found, { places, edit: flags.edit === true });
    const document = { client: id, scope, name, file: path, command: planned.commands.at(-1) ?? null };
    if (flags.dryRun === true) {
      context.print({ ...document, changed: false, after: planned.after }, () => planWords(planned, context));
      return 0;
    }
    if (!(await confirmed(context, planWords(planned, context), flags))) return 2;
    const copy = await apply(planned, places, copiesFolder(defaultStateDir(context.io.env)));
    context.print({ ...document, changed: true, copy: copy ?? null }, () =>
      [`${name} is out of ${path}`, ...(copy === undefined ? [] : [`the file as it was: ${copy}`])].join("\n"),
    );
    return 0;
  },
};

export default mcpRemove;
