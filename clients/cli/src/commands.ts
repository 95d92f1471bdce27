/**
 * The list of the command's own commands: name, one line about it, and where its code is. Adding one is a row here and a file in
 * `commands/`. Nothing is loaded before it is needed.
 *
 * Not here: the verbs that services declare (`verb/`).
 */
import type { CommandRow } from "./command/command.ts";

export const commands: readonly CommandRow[] = [
  { name: "up", summary: "Start the kernel with its services", load: () => import("./commands/up.ts") },
  { name: "dev", summary: "Start the kernel and run what is saved", load: () => import("./commands/dev.ts") },
  { name: "status", summary: "Show which kernel owns the project's state", load: () => import("./commands/status.ts") },
  { name: "stop", summary: "End the kernel of this project", load: () => import("./commands/stop.ts") },
  { name: "logs", summary: "Show what this project's kernel logged", load: () => import("./commands/logs.ts") },
  { name: "call", summary: "Call a procedure", load: () => import("./commands/call.ts") },
  { name: "ls", summary: "List services and procedures", load: () => import("./commands/ls.ts") },
  { name: "describe", summary: "Describe a service or a procedure", load: () => import("./commands/describe.ts") },
  { name: "gen", summary: "Generate code and documents from the contracts", load: () => import("./commands/gen.ts") },
  {
    name: "diff",
    summary: "Show what changed between two releases of the contracts",
    load: () => import("./commands/diff.ts"),
  },
  { name: "init", summary: "Make a project of your own", load: () => import("./commands/init.ts") },
  { name: "new", summary: "Add a contract and a service", load: () => import("./commands/new.ts") },
  {
    name: "mcp serve",
    summary: "Serve the tools to an MCP client",
    plain: { flags: ["--stdio", "--local"], words: 64 },
    load: () => import("./commands/mcp-serve.ts"),
  },
  {
    name: "services ls",
    summary: "List services of a running kernel",
    load: () => import("./commands/services-ls.ts"),
  },
  {
    name: "services restart",
    summary: "Restart a service of a running kernel",
    load: () => import("./commands/services-restart.ts"),
  },
  {
    name: "services logs",
    summary: "Follow the log lines of a service",
    load: () => import("./commands/services-logs.ts"),
  },
  {
    name: "services events",
    summary: "Follow the events of a service",
    load: () => import("./commands/services-events.ts"),
  },
  { name: "token create", summary: "Make a bearer token", load: () => import("./commands/token-create.ts") },
  {
    name: "token rotate",
    summary: "Replace a token; the old one works on for a while",
    load: () => import("./commands/token-rotate.ts"),
  },
  { name: "token ls", summary: "List who has a token", load: () => import("./commands/token-ls.ts") },
  { name: "token revoke", summary: "End a caller's tokens", load: () => import("./commands/token-revoke.ts") },
  {
    name: "token log",
    summary: "Show who changed the tokens, and when",
    load: () => import("./commands/token-log.ts"),
  },
  { name: "doctor", summary: "Check this machine and this project", load: () => import("./commands/doctor.ts") },
  { name: "version", summary: "Print the version", load: () => import("./commands/version.ts") },
];

export type FoundCommand =
  | { readonly kind: "none" }
  | { readonly kind: "group"; readonly group: string; readonly hint: string }
  | { readonly kind: "command"; readonly command: CommandRow }
  /** Without a hint where no command begins like it. */
  | { readonly kind: "unknown"; readonly message: string; readonly hint?: string };

/** Commands of a group that a hint names one by one. */
const mostNamed = 6;

/** Which of the commands the words mean. Pure. */
export const findCommand = (words: readonly string[], rows: readonly CommandRow[]): FoundCommand => {
  const [first, second] = words;
  if (first === undefined) return { kind: "none" };
  const single = rows.find(({ name }) => name === first);
  if (single !== undefined) return { kind: "command", command: single };
  const group = groupCommands(first, rows);
  if (group.length > 0) {
    const command = group.find(({ name }) => name === `${first} ${second}`);
    if (command !== undefined) return { kind: "command", command };
    const names = group.map(({ name }) => `\`fairlead ${name}\``);
    const hint = names.length > mostNamed ? `\`fairlead ${first} --help\` lists them` : `try ${names.join(" or ")}`;
    if (second === undefined) return { kind: "group", group: first, hint };
    const message = `there is no command \`fairlead ${first} ${second}\``;
    return { kind: "unknown", message, hint };
  }
  return { kind: "unknown", message: `there is no command \`fairlead ${first}\`` };
};

/** The commands whose first word this is, when there are two. */
export const groupCommands = (group: string, rows: readonly CommandRow[]): readonly CommandRow[] =>
  rows.filter(({ name }) => name.startsWith(`${group} `));
