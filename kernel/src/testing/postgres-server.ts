/**
 * A PostgreSQL of a test: on a free port, in a folder of its own, ended with what it started. It does not run as root, so there it runs as the user `postgres`. Where the
 * programs are not installed, tests that need them are skipped with one line; `.ci/run` makes that a failure.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Where Debian has them, by version. */
const versions = "/usr/lib/postgresql";

const findPrograms = (): string | undefined => {
  if (!existsSync(versions)) return undefined;
  const folders = readdirSync(versions).map((version) => join(versions, version, "bin"));
  return folders.toSorted().findLast((folder) => existsSync(join(folder, "initdb")));
};

/** Whether tests with PostgreSQL can run here. */
export const hasPostgres = (): boolean => {
  if (findPrograms() !== undefined) return true;
  const missing = "postgresql is not installed; on Debian: apt-get install postgresql";
  if (process.env.TESTS_REQUIRE_POSTGRES !== undefined) throw new Error(missing);
  process.stderr.write(`skipped: tests with PostgreSQL, because ${missing}\n`);
  return false;
};

export interface PostgresServer {
  readonly settings: { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  /** Ends it without a farewell, and starts it again on the same port and files. */
  crash(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Its users cannot read the temporary folder of a test's own. */
const shared = "/tmp";

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

const findOwner = (): Owner => {
  if (process.getuid?.() !== 0) return {};
  const read = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: read("-u"), gid: read("-g") };
};

export const startPostgres = async (options: readonly string[] = []): Promise<PostgresServer> => {
  const programs = findPrograms() ?? "";
  const owner = findOwner();
  const folder = mkdtempSync(join(shared, "fairlead-postgres-"));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const init = [
    "--pgdata",
    data,
    "--username",
    "tester",
    "--auth",
    "trust",
    "--encoding",
    "UTF8",
    "--no-locale",
    "--no-sync",
  ];
  execFileSync(join(programs, "initdb"), init, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const port = await freePort();
  const start = async () => {
    const settings = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "" };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = spawn(join(programs, "postgres"), ["-D", data, ...flags, ...options], {
      ...owner,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(server, "exit");
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: server.stderr }).on("line", (line) => {
        lines.push(line);
        if (line.includes("ready to accept connections")) resolve();
      });
      void ended.then(() => reject(new Error(`postgres ended:\n${lines.join("\n")}`)));
    });
    return { pid: server.pid ?? 0, ended };
  };
  let running = await start();
  /** Each connection has a process of its own, in a group of its own. */
  const signal = (name: NodeJS.Signals): void => {
    const children = readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, "utf8").split(" ");
    for (const pid of [running.pid, ...children.filter((child) => child !== "").map(Number)])
      try {
        process.kill(pid, name);
      } catch {
        // It has ended by itself.
      }
  };
  const kill = async (): Promise<void> => {
    signal("SIGKILL");
    await running.ended;
  };
  return {
    settings: { host: "127.0.0.1", port, user: "tester", database: "postgres" },
    crash: async () => {
      await kill();
      // What its processes had in memory is theirs until the last of them is gone.
      for (let left = 50; ; left -= 1) {
        const next = await start().catch((cause: unknown) => (left > 0 ? undefined : Promise.reject(cause)));
        if (next === undefined) continue;
        running = next;
        return;
      }
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** One that is free now. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
};
