/** The stdio server of a project, as a client starts it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../clients/cli/bin/fairlead.js", import.meta.url));

/** With a state folder of its own. */
export const stdioOf = (folder: string) => ({
  command: process.execPath,
  args: [bin, "mcp", "serve", "--stdio"],
  cwd: folder,
  env: {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "fairlead-stdio-")),
  },
});
