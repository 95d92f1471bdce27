/** `fairlead mcp add`: gives an MCP client this project's tools, shows what it writes, and proves it by a handshake. */
import { defaultStateDir } from "@fairlead/kernel/owner";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { refuseUnknownServices } from "../kernel/known-services.ts";
import { apply, findEntry, type PlannedChange, planAdd } from "../mcp-client/change.ts";
import { checkEntry, reportWords } from "../mcp-client/check.ts";
import {
  chooseName,
  findClient,
  findPlaces,
  ownBin,
  readOriginFlag,
  readScope,
  readVariables,
} from "../mcp-client/choice.ts";
import { type McpClient, mcpClients, type Places } from "../mcp-client/clients.ts";
import { addressEntry, programEntry, type ServerEntry } from "../mcp-client/entry.ts";
import { isOwnEntry, readLaunch, readOwnProgram } from "../mcp-client/launch.ts";
import { confirmed, copiesFolder, planWords } from "../mcp-client/show.ts";

const mcpAdd: CommandModule = {
  define: (command) => {
    command
      .argument("<client>", mcpClients.map(({ id }) => id).join(", "))
      .option("--service <ids...>", "Offer these services only (default: all)")
      .option("--profile <name>", "Offer the tools of this profile of the configuration")
      .option("--read-only", "Offer only tools that say they change nothing")
      .option("--name <name>", "Name of the entry (default: the service, else the project's folder)")
      .option("--scope <scope>", "project or user (default: project, where the client has a file for it)")
      .option("--env <names...>", "Variables that the client passes on; their values are not written")
      .option("--edit", "Edit the file, also where the client has a command of its own")
      .option("--force", "Replace an entry of the same name that is not this project's")
      .option("--no-check", "Leave the handshake out")
      .option("--dry-run", "Show what would be written, and write nothing")
      .option("-y, --yes", "Do not ask")
      .addHelpText(
        "after",
        "\nWith --url the entry is the address of that kernel; otherwise it starts `fairlead mcp serve`, which attaches to a kernel that runs.\n" +
          "\nExamples:\n  fairlead mcp add claude-code --dry-run\n  fairlead mcp add cursor --service notes --scope user\n" +
          "  fairlead mcp add vscode --url http://127.0.0.1:5099\n",
      );
  },

  run: async (context, { args: [id = ""], flags }) => {
    const client = findClient(id);
    const scope = readScope(text(flags.scope), client);
    const services = names(flags.service);
    if (context.url === undefined) await refuseUnknownServices(context, services);
    const places = findPlaces(context);
    const name = chooseName(text(flags.name), services, places.project);
    const server = makeEntry(context, flags, { services, places });
    const target = { client, scope, name };
    const found = findEntry(target, places);
    const planned = planAdd(target, found, { places, edit: flags.edit === true, server });
    const origin = server.kind === "address" ? new URL(server.url).origin : undefined;
    const isOwn = found.entry !== undefined && isOwnEntry(found.entry, { project: places.project, origin });
    const isThere =
      planned.after === planned.file.text || (isOwn && flags.force !== true && isPortable(found.entry, server));
    if (found.entry !== undefined && !isThere && !isOwn && flags.force !== true)
      throw taken(client, name, found.file.path);
    const command = isThere ? null : (planned.commands.at(-1) ?? null);
    const document = { client: id, scope, name, file: planned.file.path, command };
    const words = isThere ? `${client.title} has this already: ${planned.file.path}` : planWords(planned, context);
    if (flags.dryRun === true) {
      const after = isThere ? planned.file.text : planned.after;
      context.print({ ...document, changed: false, after, check: null }, () => words);
      return 0;
    }
    if (isThere) context.say(words);
    else if (!(await confirmed(context, words, flags))) return 2;
    const copy = isThere ? undefined : await apply(planned, places, copiesFolder(defaultStateDir(context.io.env)));
    const { entry } = findEntry(target, places);
    if (entry === undefined) throw notWritten(planned);
    const check = flags.check === false ? undefined : await checkEntry(context, entry, { scope, places });
    if (check?.ok === false) throw unproven(target, check.fault, copy);
    context.print({ ...document, changed: !isThere, copy: copy ?? null, check: check ?? null }, () =>
      [
        `${name}: ${check === undefined ? "written" : reportWords(check)}`,
        ...(copy === undefined ? [] : [`the file as it was: ${copy}`]),
        ...(client.notes?.[scope] === undefined ? [] : [client.notes[scope]]),
        ...(server.kind === "address" && server.tokenVariable !== undefined ? [tokenNotice(server.tokenVariable)] : []),
        ...(ownBin().includes("_npx") ? [npxNotice] : []),
      ].join("\n"),
    );
    return 0;
  },
};

/** An entry that `npx` makes the same on every machine is left alone where it is asked for as it is. */
const isPortable = (entry: unknown, server: ServerEntry): boolean => {
  const launch = readLaunch(entry, {});
  if (readOwnProgram(entry)?.portable !== true || launch?.kind !== "program" || server.kind !== "program") return false;
  const words = (args: readonly string[]): string => args.slice(args.indexOf("mcp")).join(" ");
  const project = server.args.indexOf("--cwd");
  return words(launch.args) === words(server.args.filter((_, at) => at !== project && at !== project + 1));
};

const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

interface EntryParts {
  readonly services: readonly string[];
  readonly places: Places;
}

const makeEntry = (
  context: Context,
  flags: Readonly<Record<string, unknown>>,
  { services, places }: EntryParts,
): ServerEntry => {
  const choice = { services, profile: text(flags.profile), readOnly: flags.readOnly === true };
  if (context.url !== undefined) {
    if (flags.env !== undefined)
      throw new UsageError("--env does not go with --url", "an address is given no variables");
    return addressEntry(
      choice,
      readOriginFlag(context.url),
      context.token() === undefined ? undefined : "FAIRLEAD_TOKEN",
    );
  }
  const isNamed = flags.config !== undefined || (context.io.env.FAIRLEAD_CONFIG ?? "") !== "";
  const config = isNamed ? context.configPath() : undefined;
  const place = { node: process.execPath, bin: ownBin(), project: places.project, config };
  return programEntry(choice, place, readVariables(names(flags.env)));
};

const npxNotice =
  "this fairlead is in npx's cache, which npm may empty: install it into the project and run this again";

const tokenNotice = (variable: string): string => `the client needs ${variable} in its environment`;

const taken = ({ title }: McpClient, name: string, path: string): CommandError =>
  new CommandError(
    { code: "already_exists", exit: 8 },
    {
      message: `${title} has another server named ${name} in ${path}`,
      hint: "choose a --name, or replace it with --force",
    },
  );

const notWritten = ({ file, commands }: PlannedChange): CommandError =>
  new CommandError(
    { code: "failed_precondition", exit: 8 },
    { message: `${commands.at(-1)?.join(" ")} ended well, and ${file.path} has no entry`, hint: "use --edit" },
  );

const unproven = (
  { client, scope, name }: Parameters<typeof planAdd>[0],
  fault: string,
  copy: string | undefined,
): CommandError =>
  new CommandError(
    { code: "unavailable", exit: 4 },
    {
      message: `${name} is written for ${client.title}, and is not proved: ${fault}`,
      hint: `\`fairlead mcp remove ${client.id} ${name} --scope ${scope}\` takes it out again${copy === undefined ? "" : `; the file as it was: ${copy}`}`,
    },
  );

export default mcpAdd;
