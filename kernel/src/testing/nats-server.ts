/**
 * A nats-server of a test: on a free port, in a folder of its own, ended with what it started. Where the program is not installed, tests that need it are
 * skipped with one line; `.ci/run` makes that a failure.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Whether tests over NATS can run here. */
export const hasNats = (): boolean => {
  if (spawnSync("nats-server", ["--version"]).status === 0) return true;
  const missing = "nats-server is not installed; on Debian: apt-get install nats-server";
  if (process.env.TESTS_REQUIRE_NATS !== undefined) throw new Error(missing);
  process.stderr.write(`skipped: tests over NATS, because ${missing}\n`);
  return false;
};

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts one and waits until it listens. `config` is more of its configuration, as it reads it; the same port again is for one that was stopped. */
export const startNats = async (config = "", port = -1): Promise<NatsServer> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-nats-"));
  const file = join(folder, "nats.conf");
  writeFileSync(file, `host: 127.0.0.1\nport: ${port}\n${config}\n`);
  const server = spawn("nats-server", ["--config", file], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(server, "exit");
  const lines: string[] = [];
  const said = await new Promise<string>((resolve, reject) => {
    createInterface({ input: server.stderr }).on("line", (line) => {
      lines.push(line);
      if (line.includes("Listening for client connections on")) resolve(line);
    });
    void ended.then(() => reject(new Error(`nats-server ended:\n${lines.join("\n")}`)));
  });
  const listening = Number(/:(\d+)$/.exec(said)?.[1]);
  return {
    url: `nats://127.0.0.1:${listening}`,
    port: listening,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
