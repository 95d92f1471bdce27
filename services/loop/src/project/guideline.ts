/**
 * The project's guidelines, read fresh for each prompt: CLAUDE.md or AGENTS.md by client, or a file the session names. Given
 * whole and wrapped, and never from outside the project.
 */
import { parsePath } from "../scope/path.ts";
import { readInside } from "./safe-file.ts";

const order = { claude: ["CLAUDE.md", "AGENTS.md"], codex: ["AGENTS.md", "CLAUDE.md"] } as const;

/** A larger file is left out with a note, unless another file can be used: guidelines are never cut. */
const maxBytes = 1_048_576;

/** The wrapped text; empty when there is none or the session uses none. `root` is a real path. */
export const readGuidelines = (root: string, client: "claude" | "codex", choice: string | false | null): string => {
  if (choice === false) return "";
  let refusal = "";
  for (const name of choice === null ? order[client] : [choice]) {
    const path = parsePath(name);
    if (!path.ok) return "";
    const found = readInside(root, path.path, maxBytes);
    if (found.kind === "text") return wrapGuidelines(path.path, found.text);
    if (found.kind === "refused" && refusal === "") refusal = wrapGuidelines(path.path, `Left out: ${found.why}.`);
  }
  return refusal;
};

const wrapGuidelines = (path: string, text: string): string =>
  `<project-guidelines source="${path}">\n${text}\n</project-guidelines>`;
