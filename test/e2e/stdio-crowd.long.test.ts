/** Fifty MCP clients start their servers at once beside `fairlead up`: one kernel serves them all, and when it is killed one of them goes on in its place. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStdio } from "../faults/stdio.ts";
import { type Command, ownBin, start, stop } from "./command.ts";

const count = 50;

it("fifty servers at once have one owner, and another one after it was killed", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "fairlead-crowd-"));
  const command: Command = {
    bin: ownBin,
    cwd,
    env: { XDG_STATE_HOME: join(cwd, "state"), FAIRLEAD_ONLY: "rules" },
  };
  const owner = start(command, ["up", "--port", "0", "--json"]);
  const servers = Array.from({ length: count }, () => openStdio(command));
  onTestFinished(async () => {
    for (const server of servers) server.end();
    await Promise.all(servers.map(({ ended }) => ended));
    await stop(owner);
    rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
  });
  const records = () => {
    const folder = join(cwd, "state", "fairlead", "owner");
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  };
  const askAll = () => Promise.all(servers.map((server) => server.ask("tools/list", {})));
  const first = await askAll();
  expect(first).toHaveLength(count);
  for (const answer of first) expect(answer).toMatchObject({ result: { tools: expect.any(Array) } });
  const [before, ...others] = records();
  expect({ others, phase: before.phase }).toEqual({ others: [], phase: "open" });

  process.kill(before.pid, "SIGKILL");
  const killedAt = performance.now();
  // Whoever was the owner, a server of it may be among these: the others answer, through one that took over.
  const again = await Promise.allSettled(servers.map((server) => server.ask("tools/list", {})));
  console.log(
    `${count} servers: the last answer ${Math.round(performance.now() - killedAt)} ms after the owner was killed`,
  );
  const answered = again.filter(({ status }) => status === "fulfilled");
  expect(answered.length).toBeGreaterThanOrEqual(count - 1);
  const [after, ...rest] = records();
  expect({ rest, phase: after.phase }).toEqual({ rest: [], phase: "open" });
  expect(after.pid).not.toBe(before.pid);
});
