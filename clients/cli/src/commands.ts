/**
 * The list of commands: name, one line about it, and where its code is. Adding a command is a row here and a file in `commands/`.
 *
 * Nothing is loaded before it is needed.
 */
import type { CommandRow } from "./command/command.ts";
import { verbs } from "./kernel/session-verbs.ts";
import { meant, nearest } from "./text/suggest.ts";

export const commands: readonly CommandRow[] = [
  { name: "up", summary: "Start the kernel with its services", load: () => import("./commands/up.ts") },
  { name: "call", summary: "Call a procedure", load: () => import("./commands/call.ts") },
  { name: "odds", summary: "Chart the exact odds of a roll", load: () => import("./commands/odds.ts") },
  { name: "ls", summary: "List services and procedures", load: () => import("./commands/ls.ts") },
  { name: "describe", summary: "Describe a service or a procedure", load: () => import("./commands/describe.ts") },
  { name: "gen", summary: "Generate code and documents from the contracts", load: () => import("./commands/gen.ts") },
  { name: "new", summary: "Add a contract and a service", load: () => import("./commands/new.ts") },
  { name: "mcp serve", summary: "Serve the tools to an MCP client", load: () => import("./commands/mcp-serve.ts") },
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
    summary: "Follow what happens to a service",
    load: () => import("./commands/services-events.ts"),
  },
  ...verbs.map(({ name, summary }) => ({
    name,
    summary,
    load: async () => ({ default: (await import("./commands/session.ts")).verbCommand(name) }),
  })),
  { name: "conn ls", summary: "List connections to upstream MCP servers", load: () => import("./commands/conn-ls.ts") },
  { name: "conn status", summary: "Show how one connection is", load: () => import("./commands/conn-status.ts") },
  {
    name: "conn add",
    summary: "Add a connection, without waiting for it",
    load: () => import("./commands/conn-add.ts"),
  },
  { name: "conn rm", summary: "Remove a connection", load: () => import("./commands/conn-rm.ts") },
  { name: "conn reconnect", summary: "Connect anew at once", load: () => import("./commands/conn-reconnect.ts") },
  {
    name: "conn approve",
    summary: "Approve changed tools of an upstream",
    load: () => import("./commands/conn-approve.ts"),
  },
  {
    name: "conn import",
    summary: "Write a typed contract of an upstream's tools",
    load: () => import("./commands/conn-import.ts"),
  },
  { name: "conn login", summary: "Log in to an upstream by OAuth", load: () => import("./commands/conn-login.ts") },
  { name: "token create", summary: "Make a bearer token", load: () => import("./commands/token-create.ts") },
  {
    name: "token rotate",
    summary: "Replace a token; the old one works on for a while",
    load: () => import("./commands/token-rotate.ts"),
  },
  { name: "token ls", summary: "List who has a token", load: () => import("./commands/token-ls.ts") },
  { name: "token revoke", summary: "End a caller's tokens", load: () => import("./commands/token-revoke.ts") },
  { name: "doctor", summary: "Check this machine and this project", load: () => import("./commands/doctor.ts") },
  { name: "version", summary: "Print the version", load: () => import("./commands/version.ts") },
];

export type Found =
  | { readonly kind: "none" }
  | { readonly kind: "group"; readonly group: string; readonly hint: string }
  | { readonly kind: "command"; readonly command: CommandRow }
  | { readonly kind: "unknown"; readonly message: string; readonly hint: string };

/** Which command the words mean. Pure. */
export const findCommand = (words: readonly string[]): Found => {
  const [first, second] = words;
  if (first === undefined) return { kind: "none" };
  const single = commands.find(({ name }) => name === first);
  if (single !== undefined) return { kind: "command", command: single };
  const group = ofGroup(first);
  if (group.length > 0) {
    const command = group.find(({ name }) => name === `${first} ${second}`);
    if (command !== undefined) return { kind: "command", command };
    const hint = `try ${group.map(({ name }) => `\`fairlead ${name}\``).join(" or ")}`;
    if (second === undefined) return { kind: "group", group: first, hint };
    return { kind: "unknown", message: `there is no command \`fairlead ${first} ${second}\``, hint };
  }
  const near = nearest(first, [...new Set(commands.flatMap(({ name }) => [name, name.split(" ")[0] ?? name]))]);
  const hint = meant([near && `\`fairlead ${near}\``], "run `fairlead --help` for the list");
  return { kind: "unknown", message: `there is no command \`fairlead ${first}\``, hint };
};

/** The commands whose first word this is, when there are two. */
export const ofGroup = (group: string): readonly CommandRow[] =>
  commands.filter(({ name }) => name.startsWith(`${group} `));
