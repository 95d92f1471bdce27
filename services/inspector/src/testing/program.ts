/** Programs of a test that are attached to: plain Node processes on ports of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of files that is gone after the test. */
export const makeFolder = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "fairlead-program-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

/** Starts Node and waits until the program says `ready`; it is killed after the test. */
export const startProgram = async (
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess & { readonly pid: number }> => {
  const child = spawn(process.execPath, words, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  while (!said.includes("ready")) {
    const [chunk] = (await Promise.race([once(child.stdout, "data"), once(child, "exit")])) as [unknown];
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`);
    said += String(chunk);
  }
  const { pid } = child;
  if (pid === undefined) throw new Error("the program did not start");
  return Object.assign(child, { pid });
};
