/** The inspector's language against a hand-written loop and its peers; the bench stands with the service, which owns the workloads. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const bench = fileURLToPath(new URL("../../services/inspector/bench/main.ts", import.meta.url));

export const benchInspector = async (): Promise<void> => {
  spawnSync(process.execPath, ["--conditions=@fairlead/source", bench], { stdio: "inherit" });
};
