/** The client's own tests, which need no kernel: one run of pytest. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { clientFolder, findPython, pythonEnv } from "./interpreter.ts";

const python = findPython("httpx", "pytest");

test.skipIf(python === undefined)("pytest passes in clients/python", async () => {
  const run = promisify(execFile)(python ?? "", ["-m", "pytest", "-q"], { cwd: clientFolder, env: pythonEnv() });
  const output = await run.then(
    ({ stdout }) => stdout,
    (failure: { readonly stdout: string; readonly stderr: string }) => failure.stdout + failure.stderr,
  );
  expect(output).toMatch(/^\d+ passed in [^\n]+\n$/m);
  expect(output).not.toMatch(/failed|error|skipped/);
});
