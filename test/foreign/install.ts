/** Programs of others, each in a folder of its own here with its lockfile: installed into a temporary folder, and run. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

export interface ForeignProgram {
  /** Where it is installed. */
  readonly folder: string;
  /** Runs one of its scripts by the Node of this process, and gives what it prints. Rejects when it fails. */
  run(script: string, ...parameters: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export const installForeign = async (name: string): Promise<ForeignProgram> => {
  const folder = await mkdtemp(join(tmpdir(), `fairlead-${name}-`));
  await cp(join(import.meta.dirname, name), folder, {
    recursive: true,
    filter: (path) => !path.endsWith("node_modules"),
  });
  const path = [dirname(process.execPath), process.env.PATH ?? ""].join(":");
  await execute("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: { ...process.env, PATH: path },
  });
  return {
    folder,
    run: async (script, ...parameters) => {
      const { stdout } = await execute(process.execPath, [script, ...parameters], {
        cwd: folder,
        env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
