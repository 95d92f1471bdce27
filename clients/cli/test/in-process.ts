/**
 * The `fairlead` command in the test's own process, for what starting one again each time would not show: words, hints and exit codes.
 *
 * Node itself loads it, as it loads the services of a project, so that there is one kernel in the process.
 */
import { createRequire } from "node:module";
import type { ExitResult, ProcessOptions } from "./command-process.ts";

const { main }: typeof import("../src/main.ts") = createRequire(import.meta.url)("../src/main.ts");

/** Runs a command to its end, in a folder, with an environment of its own. */
export const runHere = async (args: readonly string[], { cwd, env = {} }: ProcessOptions): Promise<ExitResult> => {
  const written = { out: "", err: "" };
  const line = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);
  const code = await main([...args, "--cwd", cwd], {
    out: (text) => {
      written.out += line(text);
    },
    err: (text) => {
      written.err += line(text);
    },
    tty: { in: false, out: false, err: false, size: () => ({ columns: 80, rows: 24 }) },
    env: { HOME: cwd, FAIRLEAD_LAG_MS: "60000", ...env },
    signal: new AbortController().signal,
    stdin: async () => "",
    flush: async () => undefined,
  });
  return { code, ...written };
};
