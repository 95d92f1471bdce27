/** The entries of all clients' files, as they are now. Nothing is started. */
import type { FileScope, McpClient, Places } from "./clients.ts";
import { mcpClients } from "./clients.ts";
import { readConfigFile } from "./config-file.ts";
import { readEntries } from "./config-text.ts";
import { isOwnEntry } from "./launch.ts";

interface ListedEntry {
  readonly client: McpClient;
  readonly scope: FileScope;
  readonly name: string;
  readonly file: string;
  readonly entry: unknown;
  /** Whether it reaches this project. */
  readonly isOwn: boolean;
}

/** A file that cannot be read. */
interface UnreadableFile {
  readonly client: McpClient;
  readonly file: string;
  readonly fault: string;
}

interface ClientEntries {
  readonly entries: readonly ListedEntry[];
  readonly unreadable: readonly UnreadableFile[];
}

const scopes: readonly FileScope[] = ["project", "user"];

/** `origin` is that of the project's kernel, where one is known. */
export const listEntries = (
  places: Places,
  origin: string | undefined,
  clients: readonly McpClient[] = mcpClients,
): ClientEntries => {
  const entries: ListedEntry[] = [];
  const unreadable: UnreadableFile[] = [];
  // In the home folder a project's file is the user's.
  const seen = new Set<string>();
  for (const client of clients)
    for (const scope of scopes) {
      const file = client.files[scope]?.(places);
      if (file === undefined || seen.has(file)) continue;
      seen.add(file);
      try {
        const { text } = readConfigFile(file);
        for (const [name, entry] of Object.entries(readEntries(text, client)))
          entries.push({
            client,
            scope,
            name,
            file,
            entry,
            isOwn: isOwnEntry(entry, { project: places.project, origin }),
          });
      } catch (error) {
        unreadable.push({ client, file, fault: error instanceof Error ? error.message : String(error) });
      }
    }
  return { entries, unreadable };
};
