/**
 * The project's guidelines, read fresh for each prompt: CLAUDE.md or AGENTS.md by client, or a file the session names. Given
 * whole and wrapped, and never from outside the project.
 */
import { parsePath } from "../scope/path.ts";
import { readInside } from "./safe-file.ts";

const order = { claude: ["CLAUDE.md", "AGENTS.md"], codex: ["AGENTS.md", "CLAUDE.md"] } as const;

/** A larger file is left out with a word about it, where no other one stands in: guidelines are never cut. */
const mostBytes = 1_048_576;

/** The wrapped text; empty when there is none or none is wanted. `root` is a real path. */
export const readGuidelines = (root: string, client: "claude" | "codex", wanted: string | false | null): string => {
  if (wanted === false) return "";
  let refusal = "";
  for (const name of wanted === null ? order[client] : [wanted]) {
    const path = parsePath(name);
    if (!path.ok) return "";
    const found = readInside(root, path.path, mostBytes);
    if (found.kind === "text") return wrapped(path.path, found.text);
    if (found.kind === "refused" && refusal === "") refusal = wrapped(path.path, `Left out: ${found.why}.`);
  }
  return refusal;
};

const wrapped = (path: string, text: string): string =>
  `<project-guidelines source="${path}">\n${text}\n</project-guidelines>`;
