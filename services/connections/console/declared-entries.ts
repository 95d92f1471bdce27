/**
 * What somebody pastes to add connections: the text of a `.mcp.json`, as one list of entries, each with what becomes of it. Pure. A page adds addresses
 * alone; a program, and what needs variables of the kernel's environment, is for the configuration.
 */

interface PastedEntry {
  readonly name: string;
  readonly address?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
  /** Why it cannot be added here; left out where it can. */
  readonly problem?: string;
}

type PastedText =
  | { readonly ok: true; readonly entries: readonly PastedEntry[] }
  | { readonly ok: false; readonly problem: string };

export const parsePasted = (text: string): PastedText => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isRecord(value)) return { ok: false, problem: "This is not an object of servers." };
  const servers = [value.mcpServers, value.servers].find(isRecord) ?? value;
  const entries = Object.entries(servers).map(([name, entry]) => toEntry(name, entry));
  return entries.length === 0
    ? { ok: false, problem: "It names no server. A `.mcp.json` has them below `mcpServers`." }
    : { ok: true, entries };
};

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/;

const toEntry = (name: string, entry: unknown): PastedEntry => {
  if (!namePattern.test(name))
    return { name, problem: "A name has letters, digits, `_`, `-` and `.`, at most 40, a letter or digit first." };
  if (!isRecord(entry)) return { name, problem: "It is not an object." };
  if (typeof entry.command === "string")
    return { name, problem: "It is a program, which only the configuration may start. Put it into `.mcp.json`." };
  if (typeof entry.url !== "string") return { name, problem: "It has no `url`." };
  if (!URL.canParse(entry.url)) return { name, problem: "Its `url` is not an address." };
  const headers = isRecord(entry.headers) ? entry.headers : {};
  const texts = Object.entries(headers).flatMap(([key, value]) =>
    typeof value === "string" ? [[key, value] as const] : [],
  );
  if ([entry.url, ...texts.map(([, value]) => value)].some((each) => each.includes("${")))
    return { name, problem: "It needs variables, which only the configuration fills in. Put it into `.mcp.json`." };
  if (entry.oauth !== undefined)
    return { name, problem: "It logs in by OAuth, which only the configuration sets up. Put it into `.mcp.json`." };
  const address = { url: entry.url, ...(texts.length > 0 && { headers: Object.fromEntries(texts) }) };
  return { name, address };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
