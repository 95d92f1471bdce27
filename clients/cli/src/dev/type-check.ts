/** Checks the project's types in the background after each change. A new check ends the one that still runs. Nothing waits for it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runCommand } from "@fairlead/kernel";
import type { Report } from "./report.ts";

interface TypeCheck {
  /** Begins a check of the files as they are now. */
  check(): void;
  /** Ends the one that runs. */
  stop(): Promise<void>;
}

const timeLimitMs = 300_000;
const outputBytes = 65_536;

interface TypeCheckPlace {
  /** The project's root folder. */
  readonly root: string;
  /** Folder for what one check leaves for the next. */
  readonly cache: string;
}

/** `undefined` for a project without a `tsconfig.json` or without TypeScript. */
export const makeTypeCheck = ({ root, cache }: TypeCheckPlace, report: Report): TypeCheck | undefined => {
  const compiler = findCompiler(root);
  if (compiler === undefined || !existsSync(join(root, "tsconfig.json"))) return undefined;
  // What has not changed is not checked again.
  const incremental = ["--incremental", "--tsBuildInfoFile", join(cache, "types.tsbuildinfo")];
  let running = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  let wasRight: boolean | undefined;
  const check = async (signal: AbortSignal, before: Promise<void>): Promise<void> => {
    await before;
    const { end, output } = await runCommand({
      command: process.execPath,
      args: [compiler, "--noEmit", "--pretty", "false", ...incremental, "-p", root],
      cwd: root,
      timeLimitMs,
      outputBytes,
      signal,
    });
    if (end.kind !== "exited" || signal.aborted) return;
    const ok = end.exit.code === 0;
    // That they are right is news only after they were not.
    if (!ok || wasRight === false) report({ event: "types", ok, output: output.trimEnd() });
    wasRight = ok;
  };
  return {
    check: () => {
      running.abort();
      running = new AbortController();
      ended = check(running.signal, ended);
    },
    stop: () => {
      running.abort();
      return ended;
    },
  };
};

/** The project's own `tsc`. */
const findCompiler = (root: string): string | undefined => {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    const compiler = join(dirname(manifest), "bin", "tsc");
    return existsSync(compiler) ? compiler : undefined;
  } catch {
    return undefined;
  }
};
