/** One file starts processes: what holds them, ends them and gives them their variables cannot be gone around. */
import { expect, it } from "vitest";
import { isForTests } from "./folders.ts";
import { files, read } from "./sources.ts";

const starter = /["'](?:node:)?child_process["']|(?:from|import\()\s*["']execa["']/;

/** Each file that starts processes, with its reason. */
const allowed: Readonly<Record<string, string>> = {
  "kernel/src/subprocess/spawn/start-process.ts": "the one place where processes are started",
  "clients/cli/src/console/open-browser.ts":
    "opens the person's own browser, which outlives the kernel and has no part in it",
  "clients/cli/src/release/git.ts":
    "reads the history for `fairlead diff`: short commands that a kernel has no part in",
  "clients/cli/src/mcp-client/own-command.ts": "runs the MCP client's own command, with its user's environment",
  "clients/cli/src/selftest/kernel-process.ts": "kernels that the self-test kills: no kernel has a part in them",
  "clients/cli/bin/fairlead.js": "finds the right Node before anything can be imported, and hands over to it",
};

it("only these files start processes", () => {
  const code = files.filter(
    (path) =>
      /^(?:contracts|codegen|kernel|services|clients|examples)\/.*\.[cm]?[jt]s$/.test(path) &&
      !/\.(?:test|soak)\.ts$/.test(path) &&
      !isForTests(path),
  );
  expect(code.filter((path) => starter.test(read(path)))).toEqual(Object.keys(allowed).toSorted());
});
