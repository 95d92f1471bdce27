/**
 * The project to be misused, in a temporary folder, and its kernel as a process of its own: what a fault does to it shows in its
 * memory, its log and its end.
 */
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, type Ended, ownBin, repository, run, type Started, start, stop } from "../e2e/command.ts";

export interface Project {
  readonly command: Command;
  remove(): Promise<void>;
}

const copyOf = async (source: string): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "fairlead-faults-")));
  await cp(source, folder, { recursive: true });
  return folder;
};

/** Resolves when something in a folder has changed since it was asked. */
const changeIn = async (folder: string, isThere: () => boolean): Promise<void> => {
  const watcher = watch(folder);
  try {
    if (!isThere()) await once(watcher, "change");
  } finally {
    watcher.close();
  }
};

/**
 * The project, generated: once for all files of tests, in the temporary folder of their run. Half a dozen begin at the same time; the one
 * that makes the lock generates, and the others wait for it, since each would prove the same large unions.
 */
const generated = async (): Promise<string> => {
  const shared = join(tmpdir(), "generated-faults");
  const lock = `${shared}.lock`;
  while (!existsSync(shared)) {
    const isOurs = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (isOurs) await generate(shared).finally(() => rm(lock, { recursive: true }));
    else await changeIn(tmpdir(), () => existsSync(shared) || !existsSync(lock));
  }
  return shared;
};

const generate = async (shared: string): Promise<void> => {
  // It was there before the lock was ours.
  if (existsSync(shared)) return;
  const folder = await copyOf(fileURLToPath(new URL("./project", import.meta.url)));
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  const { code, err } = await run({ bin: ownBin, cwd: folder }, ["gen"]);
  if (code !== 0) throw new Error(`the project could not be generated: ${err}`);
  await rename(folder, shared);
};

/** A copy of the generated project. */
export const openProject = async (): Promise<Project> => {
  const folder = await copyOf(await generated());
  const command: Command = { bin: ownBin, cwd: folder };
  return { command, remove: () => rm(folder, { recursive: true, force: true }) };
};

export interface Target {
  readonly url: string;
  readonly port: number;
  readonly started: Started;
  /** Bytes. */
  memory(): Promise<number>;
  /** Milliseconds of CPU time that it has taken so far. */
  cpu(): Promise<number>;
  /** Milliseconds that it took the kernel to say that it lives. */
  pulse(): Promise<number>;
  /** Asks it to end, and gives how it did. */
  terminate(): Promise<Ended>;
  /** Ends it, whatever a failed test left. */
  remove(): Promise<void>;
}

/** Starts the project's kernel. */
export const startTarget = async ({ command }: Project): Promise<Target> => {
  const started = start(command, ["up", "--port", "0", "--json"]);
  const { port } = JSON.parse(await started.until(/\n/)) as { readonly port: number };
  const url = `http://127.0.0.1:${port}`;
  const figure = async (name: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    );
  };
  return {
    url,
    port,
    started,
    memory: () => figure("process_resident_memory_bytes"),
    cpu: async () => 1_000 * (await figure("process_cpu_seconds_total")),
    pulse: async () => {
      const began = performance.now();
      const { status } = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(120_000) });
      if (status !== 200) throw new Error(`the kernel says ${status} when asked whether it lives`);
      return performance.now() - began;
    },
    terminate: () => {
      started.child.kill("SIGTERM");
      return started.ended;
    },
    remove: () => stop(started),
  };
};

/** Lines of a log that say something broke. */
export const complaints = ({ err }: Ended): readonly string[] =>
  err.split("\n").filter((line) => line.includes('"level":"error"'));
