/** The MCP clients that `fairlead mcp add` knows, and the command for one of them. Pure; `test/console/clients.test.ts` holds the list to the command's. */

export interface McpClient {
  readonly id: string;
  readonly title: string;
  /** Its own file takes no address: it starts a program that attaches to the kernel. */
  readonly startsProgram?: true;
}

export const mcpClients: readonly McpClient[] = [
  { id: "claude-code", title: "Claude Code" },
  { id: "claude-desktop", title: "Claude Desktop", startsProgram: true },
  { id: "cursor", title: "Cursor" },
  { id: "vscode", title: "VS Code" },
  { id: "codex", title: "Codex" },
  { id: "gemini-cli", title: "Gemini CLI" },
  { id: "windsurf", title: "Windsurf" },
  { id: "zed", title: "Zed" },
];

interface AddOptions {
  readonly client: McpClient;
  /** This kernel's address, to go there; `undefined` to start a program in the project. */
  readonly url: string | undefined;
  readonly isReadOnly: boolean;
  /** Only this service; empty for all. */
  readonly service: string;
}

export const addCommand = ({ client, url, isReadOnly, service }: AddOptions): string =>
  [
    `fairlead mcp add ${client.id}`,
    ...(service === "" ? [] : [`--service ${service}`]),
    ...(isReadOnly ? ["--read-only"] : []),
    ...(url === undefined || client.startsProgram === true ? [] : [`--url ${url}`]),
  ].join(" ");
