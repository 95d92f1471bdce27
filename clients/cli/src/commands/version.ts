/** `fairlead version` with flags that the entry does not read itself. */
import { readFileSync } from "node:fs";
import type { CommandModule } from "../command/command.ts";

const version: CommandModule = {
  kernel: "none",
  define: (command) => void command,
  run: async (context) => {
    const file: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const fairlead = typeof file === "object" && file !== null && "version" in file ? String(file.version) : "unknown";
    context.print({ fairlead, node: process.versions.node }, () => fairlead);
    return 0;
  },
};

export default version;
