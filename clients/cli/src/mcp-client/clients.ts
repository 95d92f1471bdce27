/**
 * The MCP clients that can be set up, as data: where each keeps its servers, and how it writes one down. Facts of the clients' own
 * documents; pure.
 *
 * Not here: editing the files (`config-text.ts`), running a client's own command (`change.ts`).
 */
import { join } from "node:path";
import { UsageError } from "../command/failure.ts";
import type { JsonRecord } from "../text/record.ts";
import type { AddressEntry, ProgramEntry, ServerEntry } from "./entry.ts";

export type FileScope = "project" | "user";

/** Folders that clients keep their files in. */
export interface Places {
  readonly project: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One value in a file: the entry, and what it needs beside it. */
interface WrittenEntry {
  readonly value: JsonRecord;
  /** Questions that the client asks its user once, by the names of variables. */
  readonly inputs?: readonly string[];
}

/** A client's own command for its files. */
interface OwnCommand {
  readonly program: string;
  /** `undefined` where it cannot do this. */
  readonly add: (name: string, value: JsonRecord, scope: FileScope) => readonly string[] | undefined;
  readonly remove: (name: string, scope: FileScope) => readonly string[] | undefined;
}

export interface McpClient {
  readonly id: string;
  readonly title: string;
  /** Absolute path of its file, by scope; the first is the default. */
  readonly files: Readonly<Partial<Record<FileScope, (places: Places) => string>>>;
  readonly syntax: "json" | "toml";
  /** Member of the file that has the servers by name. */
  readonly section: string;
  readonly write: (entry: ServerEntry) => WrittenEntry;
  readonly command?: OwnCommand;
  /** What a person has to know or do, by scope. */
  readonly notes?: Readonly<Partial<Record<FileScope, string>>>;
}

/** An object of variables, each as the client's file refers to it. */
const passOn = (names: readonly string[], refer: (name: string) => string): JsonRecord =>
  names.length === 0 ? {} : { env: Object.fromEntries(names.map((name) => [name, refer(name)])) };

const bearer = (variable: string | undefined, refer: (name: string) => string): JsonRecord =>
  variable === undefined ? {} : { headers: { Authorization: `Bearer ${refer(variable)}` } };

/** The entry of most clients: a program, or an address under a name of the client's. */
const commonEntry =
  ({ refer, address, type }: CommonForm) =>
  (entry: ServerEntry): WrittenEntry =>
    entry.kind === "program"
      ? {
          value: {
            ...(type && { type: "stdio" }),
            command: entry.command,
            args: entry.args,
            ...passOn(entry.variables, refer),
          },
        }
      : { value: { ...(type && { type: "http" }), [address]: entry.url, ...bearer(entry.tokenVariable, refer) } };

interface CommonForm {
  readonly refer: (name: string) => string;
  /** Member that has the address. */
  readonly address: string;
  /** Whether an entry says what it is. */
  readonly type: boolean;
}

const inBraces = (name: string): string => `\${${name}}`;
const inEnvBraces = (name: string): string => `\${env:${name}}`;
const inInputBraces = (name: string): string => `\${input:${name}}`;

const refusedVariables = (title: string): UsageError =>
  new UsageError(
    `${title} passes no variables on to its servers`,
    "leave --env out, and give the setting in fairlead.config.ts or in a file that it names",
  );

const claudeCode: McpClient = {
  id: "claude-code",
  title: "Claude Code",
  files: {
    project: ({ project }) => join(project, ".mcp.json"),
    user: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
  },
  syntax: "json",
  section: "mcpServers",
  write: commonEntry({ refer: inBraces, address: "url", type: true }),
  command: {
    program: "claude",
    add: (name, value, scope) => ["mcp", "add-json", name, JSON.stringify(value), "--scope", scope],
    remove: (name, scope) => ["mcp", "remove", name, "--scope", scope],
  },
  notes: { project: "Claude Code asks once whether the project's MCP servers may be used." },
};

const claudeDesktop: McpClient = {
  id: "claude-desktop",
  title: "Claude Desktop",
  files: { user: (places) => join(appFolder(places), "Claude", "claude_desktop_config.json") },
  syntax: "json",
  section: "mcpServers",
  write: (entry) => {
    if (entry.kind === "address")
      throw new UsageError(
        "Claude Desktop's file takes programs only",
        "leave --url out: it starts a kernel or attaches to one",
      );
    if (entry.variables.length > 0) throw refusedVariables("Claude Desktop");
    return { value: { command: entry.command, args: entry.args } };
  },
  notes: { user: "Claude Desktop reads its file when it starts: quit it and start it again." },
};

const cursor: McpClient = {
  id: "cursor",
  title: "Cursor",
  files: {
    project: ({ project }) => join(project, ".cursor", "mcp.json"),
    user: ({ home }) => join(home, ".cursor", "mcp.json"),
  },
  syntax: "json",
  section: "mcpServers",
  write: commonEntry({ refer: inEnvBraces, address: "url", type: false }),
};

const vscode: McpClient = {
  id: "vscode",
  title: "VS Code",
  files: {
    project: ({ project }) => join(project, ".vscode", "mcp.json"),
    user: (places) => join(appFolder(places), "Code", "User", "mcp.json"),
  },
  syntax: "json",
  section: "servers",
  write: (entry) => {
    const { value } = commonEntry({ refer: inInputBraces, address: "url", type: true })(entry);
    return { value, inputs: listVariables(entry) };
  },
};

const listVariables = (entry: ServerEntry): readonly string[] =>
  entry.kind === "program" ? entry.variables : entry.tokenVariable === undefined ? [] : [entry.tokenVariable];

const codex: McpClient = {
  id: "codex",
  title: "Codex",
  files: {
    project: ({ project }) => join(project, ".codex", "config.toml"),
    user: ({ home, env }) => join(env.CODEX_HOME || join(home, ".codex"), "config.toml"),
  },
  syntax: "toml",
  section: "mcp_servers",
  write: (entry) => ({ value: entry.kind === "program" ? codexProgram(entry) : codexAddress(entry) }),
  command: {
    program: "codex",
    // It has no flag for variables that are passed on, and none for a project's file.
    add: (name, { command, args, url, env_vars, bearer_token_env_var: token }, scope) => {
      if (scope === "project" || env_vars !== undefined) return undefined;
      if (typeof url === "string")
        return [
          "mcp",
          "add",
          name,
          "--url",
          url,
          ...(typeof token === "string" ? ["--bearer-token-env-var", token] : []),
        ];
      return ["mcp", "add", name, "--", String(command), ...(Array.isArray(args) ? args.map(String) : [])];
    },
    remove: (name, scope) => (scope === "project" ? undefined : ["mcp", "remove", name]),
  },
  notes: { project: "Codex reads the file of a project that it trusts." },
};

const codexProgram = ({ command, args, variables }: ProgramEntry): JsonRecord => ({
  command,
  args,
  ...(variables.length > 0 && { env_vars: variables }),
});

const codexAddress = ({ url, tokenVariable }: AddressEntry): JsonRecord => ({
  url,
  ...(tokenVariable !== undefined && { bearer_token_env_var: tokenVariable }),
});

const geminiCli: McpClient = {
  id: "gemini-cli",
  title: "Gemini CLI",
  files: {
    project: ({ project }) => join(project, ".gemini", "settings.json"),
    user: ({ home }) => join(home, ".gemini", "settings.json"),
  },
  syntax: "json",
  section: "mcpServers",
  write: commonEntry({ refer: inBraces, address: "httpUrl", type: false }),
};

const windsurf: McpClient = {
  id: "windsurf",
  title: "Windsurf",
  files: { user: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json") },
  syntax: "json",
  section: "mcpServers",
  write: commonEntry({ refer: inEnvBraces, address: "serverUrl", type: false }),
};

const zed: McpClient = {
  id: "zed",
  title: "Zed",
  files: {
    project: ({ project }) => join(project, ".zed", "settings.json"),
    user: ({ home, platform, env }) =>
      platform === "win32"
        ? join(env.APPDATA || join(home, "AppData", "Roaming"), "Zed", "settings.json")
        : join((platform === "linux" && env.XDG_CONFIG_HOME) || join(home, ".config"), "zed", "settings.json"),
  },
  syntax: "json",
  section: "context_servers",
  write: (entry) => {
    if (entry.kind === "program") {
      if (entry.variables.length > 0) throw refusedVariables("Zed");
      return { value: { command: entry.command, args: entry.args, env: {} } };
    }
    if (entry.tokenVariable !== undefined) {
      throw new UsageError(
        "Zed's file takes a token only as it is, and none is written there",
        "leave --url out: a program that attaches to the kernel needs no token",
      );
    }
    return { value: { url: entry.url } };
  },
};

/** Where programs of the desktop keep their files. */
const appFolder = ({ home, platform, env }: Places): string => {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return env.XDG_CONFIG_HOME || join(home, ".config");
};

export const mcpClients: readonly McpClient[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  codex,
  geminiCli,
  windsurf,
  zed,
];
