/** How long a stdio server takes to answer again after the kernel that it was attached to was killed: it opens the state folder itself. One server, no others. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownBin, start, stop } from "../e2e/command.ts";
import { openStdio } from "../faults/stdio.ts";
import { median } from "./upstreams.ts";

const rounds = 9;

export const benchTakeover = async (): Promise<void> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await measure());
  console.log(`\n| takeover, ${rounds} times | ms |\n|---|---|`);
  console.log(`| least | ${Math.min(...times).toFixed(0)} |\n| median | ${median(times).toFixed(0)} |`);
  console.log(`| most | ${Math.max(...times).toFixed(0)} |`);
};

const measure = async (): Promise<number> => {
  const cwd = mkdtempSync(join(tmpdir(), "fairlead-takeover-"));
  const command = { bin: ownBin, cwd, env: { XDG_STATE_HOME: join(cwd, "state"), FAIRLEAD_ONLY: "rules" } };
  const owner = start(command, ["up", "--port", "0", "--json"]);
  await owner.until(/http:/);
  const server = openStdio(command);
  await server.ask("tools/list", {});
  const folder = join(cwd, "state", "fairlead", "owner");
  const [record = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const { pid } = JSON.parse(readFileSync(join(folder, record), "utf8"));
  process.kill(pid, "SIGKILL");
  const killedAt = performance.now();
  await server.ask("tools/list", {});
  const ms = performance.now() - killedAt;
  server.end();
  await Promise.all([server.ended, stop(owner)]);
  rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
  return ms;
};
