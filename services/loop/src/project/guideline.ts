/**
 * The project's guidelines, read fresh for each prompt: CLAUDE.md or AGENTS.md by client, or a file the session names. Given
 * whole and wrapped, without their own closing tag, and never from outside the project.
 */
import { parsePath } from "../scope/path.ts";
import { readInside } from "./safe-file.ts";

const order = { claude: ["CLAUDE.md", "AGENTS.md"], codex: ["AGENTS.md", "CLAUDE.md"] } as const;

/**
 * A larger file is left out with a note and a warning, unless another file can be used: guidelines are never cut. The prompts of five
 * parallel tickets with such a file still fit an answer.
 */
const maxBytes = 3 * 1_048_576;

type Client = "claude" | "codex";

/** By how a program calls itself: Codex is `codex-mcp-client` on MCP, and `codex` as a command. */
export const findClient = (app: string | undefined): Client =>
  app !== undefined && /^codex\b/i.test(app) ? "codex" : "claude";

/** A file of the caller's choice; false for none; null for the client's usual ones. */
type GuidelinesChoice = string | false | null;

interface Guidelines {
  readonly path: string;
  readonly text: string;
  /** The text says why the file is left out. */
  readonly omitted: boolean;
}

/** The wrapped text; empty when there is none or the session uses none. `root` is a real path. */
export const readGuidelines = (root: string, client: Client, choice: GuidelinesChoice): string => {
  const found = findGuidelines(root, client, choice);
  return found === undefined
    ? ""
    : `<project-guidelines source="${found.path}">\n${escapeClosingTag(found.text)}\n</project-guidelines>`;
};

/** A warning when the prompts will have to leave the guidelines out. */
export const findOmittedGuidelines = (root: string, client: Client, choice: GuidelinesChoice): string | undefined => {
  const found = findGuidelines(root, client, choice);
  return found?.omitted === true ? `the prompts are without ${found.path}: ${found.text}` : undefined;
};

const findGuidelines = (root: string, client: Client, choice: GuidelinesChoice): Guidelines | undefined => {
  if (choice === false) return undefined;
  let refusal: Guidelines | undefined;
  for (const name of choice === null ? order[client] : [choice]) {
    const parsed = parsePath(name);
    if (!parsed.ok) return undefined;
    const { path } = parsed;
    const found = readInside(root, path, maxBytes);
    if (found.kind === "text") return { path, text: found.text, omitted: false };
    if (found.kind === "refused") refusal ??= { path, text: `Left out: ${found.why}.`, omitted: true };
  }
  return refusal;
};

/** A file that holds the closing tag would end its own block; the rest of it would read as the server's words. */
const escapeClosingTag = (text: string): string => text.replaceAll(/<\/(?=\s*project-guidelines)/gi, "&lt;/");
