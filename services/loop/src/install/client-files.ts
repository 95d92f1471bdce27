/**
 * What is installed for each client, file by file, as data: whole files of ours, and how an entry of ours gets into a file of the user's
 * and out of it again. Not here: reading and writing them (`install.ts`).
 */
import { clientHook } from "../../gen/client-hook.ts";
import { shellEndName } from "../hook/edit-log.ts";
import { statusFile } from "../hook/scope.ts";

export type InstalledClient = "claude-code" | "codex" | "cursor";

export type JsonObject = Readonly<Record<string, unknown>>;

export type InstalledFile =
  /** A file of ours. */
  | { readonly kind: "own"; readonly path: string; readonly text: string }
  /** Entries in a JSON file. `undefined` from `add`: one of the same name is there already. */
  | {
      readonly kind: "json";
      readonly path: string;
      readonly add: (document: JsonObject) => JsonObject | undefined;
      readonly remove: (document: JsonObject) => JsonObject;
    }
  /** Lines at the end of a text file, unless it holds `taken`. */
  | { readonly kind: "lines"; readonly path: string; readonly text: string; readonly taken: string };

interface ClientSetup {
  readonly files: readonly InstalledFile[];
  /** What a person has to know or do. */
  readonly notes: readonly string[];
}

const serverName = "fairlead-loop";
const script = "fairlead-loop.cjs";
const server = { command: "npx", args: ["fairlead", "mcp", "serve", "loop", "--stdio"] };

const record = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** The object with a value under the key; without the key where the value is empty. */
const replace = (object: JsonObject, key: string, value: JsonObject | readonly unknown[]): JsonObject =>
  (Array.isArray(value) ? value.length : Object.keys(value).length) === 0
    ? without(object, key)
    : { ...object, [key]: value };

const mcpFile = (path: string): InstalledFile => ({
  kind: "json",
  path,
  add: (document) => {
    const servers = record(document.mcpServers);
    return Object.hasOwn(servers, serverName)
      ? undefined
      : { ...document, mcpServers: { ...servers, [serverName]: server } };
  },
  remove: (document) => replace(document, "mcpServers", without(record(document.mcpServers), serverName)),
});

/** Whether an entry of hooks runs our script. */
const isOurs = (entry: unknown): boolean => JSON.stringify(entry).includes(script);

const addHooks = (
  document: JsonObject,
  added: Readonly<Record<string, JsonObject | readonly JsonObject[]>>,
): JsonObject | undefined => {
  const hooks = record(document.hooks);
  if (Object.values(hooks).some((entries) => list(entries).some(isOurs))) return undefined;
  const all = Object.entries(added).map(
    ([event, entries]) => [event, [...list(hooks[event]), entries].flat()] as const,
  );
  return { ...document, hooks: { ...hooks, ...Object.fromEntries(all) } };
};

const removeHooks = (document: JsonObject): JsonObject => {
  let hooks = record(document.hooks);
  for (const [event, entries] of Object.entries(hooks))
    if (list(entries).some(isOurs)) hooks = replace(hooks, event, list(entries).flatMap(removeOurs));
  return replace(document, "hooks", hooks);
};

/** The entry without our hook; nothing where that was all. The user may have put hooks of their own beside ours. */
const removeOurs = (entry: unknown): readonly unknown[] => {
  if (!isOurs(entry)) return [entry];
  const rest = list(record(entry).hooks).filter((hook) => !isOurs(hook));
  return rest.length === 0 ? [] : [{ ...record(entry), hooks: rest }];
};

const claudeCommand = (hook: string): JsonObject => ({
  type: "command",
  command: `node "$CLAUDE_PROJECT_DIR/.claude/hooks/${script}" ${hook}`,
});

const editingTools = "Edit|Write|MultiEdit|NotebookEdit";
/** What edits files; of a shell it is noted when it was at work. */
const claudeTools = `${editingTools}|Bash`;
/**
 * After a shell command its time is noted by the shell itself: one start of Node for each command is enough. The server makes the file, for a session. A repository, or an
 * agent, may have put a link there: nothing is written through one, and what is there is never cut.
 */
const shellEnd: JsonObject = {
  type: "command",
  // What it is sent is read: a client that still writes would fail.
  command: `cat > /dev/null; d="$CLAUDE_PROJECT_DIR/.promptwheel"; f="$d/${shellEndName}"; if [ -f "$d/${statusFile}" ] && [ ! -L "$d" ] && [ -f "$f" ] && [ ! -L "$f" ]; then echo >> "$f"; fi # ${script}`,
};
const cursorTools = "Write|Edit|MultiEdit|NotebookEdit|Shell";

const claudeSettings: InstalledFile = {
  kind: "json",
  path: ".claude/settings.json",
  add: (document) => {
    const hooked = addHooks(document, {
      PreToolUse: { matcher: claudeTools, hooks: [claudeCommand("claude-edit")] },
      PostToolUse: [
        { matcher: editingTools, hooks: [claudeCommand("claude-after")] },
        { matcher: "Bash", hooks: [shellEnd] },
      ],
      Stop: { hooks: [claudeCommand("claude-stop")] },
    });
    return hooked === undefined || Object.hasOwn(hooked, "statusLine")
      ? hooked
      : { ...hooked, statusLine: claudeCommand("claude-status") };
  },
  remove: (document) => {
    const rest = removeHooks(document);
    return isOurs(rest.statusLine ?? "") ? without(rest, "statusLine") : rest;
  },
};

const cursorHooks: InstalledFile = {
  kind: "json",
  path: ".cursor/hooks.json",
  add: (document) =>
    addHooks(
      { version: 1, ...document },
      {
        preToolUse: {
          command: `node .cursor/hooks/${script} cursor-edit`,
          matcher: cursorTools,
        },
        postToolUse: { command: `node .cursor/hooks/${script} cursor-after`, matcher: cursorTools },
        stop: { command: `node .cursor/hooks/${script} cursor-stop` },
      },
    ),
  remove: removeHooks,
};

/** What a session that a client's command begins is started with, as `loop run` starts its own, but in the person's working tree. */
const sessionSettings =
  '`qa: "server"`, `own_tree: true`, `plan_approval: "hold"`, `scope_breach: "ticket"` and `backlog: "carry"`';

const howTo = `Run an improvement session with the promptwheel tools:

1. Call \`promptwheel_start_session\` with ${sessionSettings}, and with the scope or formula that was asked for, if any. When a
   session is active already, go on with it.
2. Call \`promptwheel_advance\`, do what its prompt says, and report it with \`promptwheel_ingest_event\`; again, until it answers STOP. At WAIT, stop: a person decides with \`fairlead session approve\`, \`reject\`, \`resume\` or \`answer\`.
3. Call \`promptwheel_end_session\` and say where the work of each ticket is: its field \`work\`.

Never commit what belongs to a ticket, unless its prompt says so: the server does. An edit that the hook refuses is outside the ticket's
scope: change the plan or give the ticket up, and do not write the file by another tool.
`;

const improve = (header: string): string => `${header}${howTo}`;

const status = `Call \`promptwheel_session_status\` and say in a few lines: the phase, the steps that are left, what is done and what has failed, who verified it.
`;

const claude: ClientSetup = {
  files: [
    mcpFile(".mcp.json"),
    claudeSettings,
    { kind: "own", path: `.claude/hooks/${script}`, text: clientHook },
    {
      kind: "own",
      path: ".claude/commands/improve.md",
      text: improve(
        '---\ndescription: Run an improvement session\nargument-hint: "[scope or formula]"\n---\nWhat was asked for: $ARGUMENTS\n\n',
      ),
    },
    {
      kind: "own",
      path: ".claude/commands/improve-status.md",
      text: `---\ndescription: Show the improvement session\n---\n${status}`,
    },
    {
      kind: "own",
      path: ".claude/skills/improve/SKILL.md",
      text: improve(
        "---\nname: improve\ndescription: Finds and does improvements of this repository in a session of small verified tickets. Use when asked to improve, clean up, harden or test the code in general.\n---\n\n",
      ),
    },
  ],
  notes: [
    "What Bash writes cannot be stopped by the hook; the server finds it in the diff and refuses the result.",
    "Claude Code asks once whether the project's MCP server may be used.",
  ],
};

const cursor: ClientSetup = {
  files: [
    mcpFile(".cursor/mcp.json"),
    cursorHooks,
    { kind: "own", path: `.cursor/hooks/${script}`, text: clientHook },
    { kind: "own", path: ".cursor/commands/improve.md", text: howTo },
    { kind: "own", path: ".cursor/commands/improve-status.md", text: status },
  ],
  notes: ["What a shell writes cannot be stopped by the hook; the server finds it in the diff and refuses the result."],
};

const codex: ClientSetup = {
  files: [
    {
      kind: "lines",
      path: ".codex/config.toml",
      text: `[mcp_servers.${serverName}]\ncommand = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\n`,
      taken: `[mcp_servers.${serverName}]`,
    },
  ],
  notes: [
    "Codex reads .codex/config.toml of a project that it trusts.",
    "Codex gets no hook: what leaves a ticket's scope is found in the diff, and its result is refused.",
    `To begin, ask it to call promptwheel_start_session with ${sessionSettings}, and then promptwheel_advance until STOP.`,
  ],
};

export const setups: Readonly<Record<InstalledClient, ClientSetup>> = { "claude-code": claude, codex, cursor };
