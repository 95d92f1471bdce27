/** The kernel that a suite runs against: a project beside this file, on a port the system chooses. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import type { OpenApi } from "./wire.ts";

export const projectFolder = fileURLToPath(new URL("./project", import.meta.url));

export interface RunningProject {
  readonly kernel: Kernel;
  readonly url: string;
  readonly openapi: OpenApi;
}

/** Starts the project of a folder. `config` is what its configuration file would export besides its manifest. */
export const startProject = async (
  config: object = {},
  root = projectFolder,
  stateDir = mkdtempSync(join(tmpdir(), "fairlead-conformance-")),
): Promise<RunningProject> => {
  const kernel = await openKernel({
    config: { manifest: "./gen/manifest.ts", ...config },
    root,
    env: {},
    flags: {
      port: 0,
      lagMs: 60_000,
      stateDir,
    },
    log: makeLog({ level: "error", write: () => {} }),
  });
  const { port } = await kernel.serve();
  const url = `http://127.0.0.1:${port}`;
  return { kernel, url, openapi: JSON.parse(await kernel.manifest.openapi()) as OpenApi };
};
