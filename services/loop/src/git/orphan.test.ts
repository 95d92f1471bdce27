/** A server that is killed while git runs: git goes with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { isRunning } from "../testing/process.ts";
import { temporaryFolder } from "../testing/repository.ts";

/** Takes the place of a git that takes long, and says who it is. */
const slowGit = '#!/bin/sh\necho $$ > "$GIT_WORK_TREE/git.pid"\nsleep 600\n';

const server = `
const { openGit } = await import(${JSON.stringify(new URL("git.ts", import.meta.url).href)});
await openGit(process.argv[1])(["status"]);
`;

it.runIf(process.platform === "linux")("no git survives a SIGKILL of the server", async () => {
  const folder = temporaryFolder();
  folder.write("bin/git", slowGit);
  chmodSync(join(folder.path, "bin/git"), 0o755);
  const running = spawn(
    process.execPath,
    ["--conditions=@fairlead/source", "--input-type=module", "--eval", server, folder.path],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, PATH: `${join(folder.path, "bin")}${delimiter}${process.env.PATH ?? ""}` },
    },
  );
  const pidFile = join(folder.path, "git.pid");
  const pid = (): number => (existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : 0);
  await expect.poll(pid).toBeGreaterThan(0);
  expect(isRunning(pid())).toBe(true);
  running.kill("SIGKILL");
  await once(running, "close");
  await expect.poll(() => isRunning(pid())).toBe(false);
  folder.remove();
});
