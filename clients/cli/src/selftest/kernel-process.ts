/** Starts the kernels that the self-test tries, kills them, and looks at them from outside. The only file of the command line that starts one. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { longestMs } from "./send.ts";

export interface KernelStart {
  /** Folder of the project. */
  readonly project: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Bytes that a file of its may have, as a full disk would stop it; no bound when left out. */
  readonly fileBytes?: number;
  /** Its state is on a disk of its own, of so many bytes; what is there when it has ended is copied to `kept`. Needs `canMountDisk()`. */
  readonly disk?: { readonly bytes: number; readonly kept: string };
}

export interface KernelProcess {
  readonly port: number;
  readonly pid: number;
  /** The end of its stderr. */
  stderr(): string;
  /** Sends the signal; resolves with the exit code once it has ended, `null` when a signal ended it. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<number | null>;
  /** Whether it has ended. */
  hasEnded(): boolean;
  /** Its memory once its garbage is collected and V8 has given back its spare pages; `undefined` when it has ended. */
  usage(): Promise<KernelUsage | undefined>;
  /** Its open descriptors right now. */
  descriptors(): Descriptors;
  /** Its child processes right now. */
  children(): Children;
}

/** None where the system does not show them. */
export interface Children {
  readonly live: number;
  /** Those that have ended and that it has not asked after. */
  readonly zombies: number;
}

/** None where the system does not show them. */
interface Descriptors {
  readonly sockets: number;
  /** Files, and the pipes and queues of threads: these are opened at their first use, whatever came before. */
  readonly others: number;
}

interface KernelUsage {
  /** Bytes of its heap, and those outside of it that the heap refers to. */
  readonly bytes: number;
  /** Bytes of resident memory. */
  readonly resident: number;
}

/** Rejects with what the kernel said when it ends before it listens. */
export const startKernel = async ({ project, stateDir, env, fileBytes, disk }: KernelStart): Promise<KernelProcess> => {
  const inSource = import.meta.url.endsWith(".ts");
  const entry = fileURLToPath(new URL(`./kernel-entry.${inSource ? "ts" : "js"}`, import.meta.url));
  const words = [
    process.execPath,
    "--expose-gc",
    ...(inSource ? ["--conditions=@fairlead/source"] : []),
    entry,
    project,
    stateDir,
  ];
  const [command = "", ...args] = withLimits(words, { stateDir, fileBytes, disk });
  const child = spawn(command, args, {
    env: { NODE_COMPILE_CACHE: compileCache(), ...env, FAIRLEAD_TOKEN: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  let hasEnded = false;
  child.once("close", (code) => {
    hasEnded = true;
    resolve(code);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = await Promise.race([lines.next(), ended.then(() => undefined)]);
  if (typeof line?.value !== "string") throw new Error(`the kernel did not start: ${stderr}`);
  const { port }: { readonly port: number } = JSON.parse(line.value);
  return {
    port,
    pid: child.pid ?? 0,
    ended,
    stderr: () => stderr,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    hasEnded: () => hasEnded,
    usage: async () => {
      child.kill("SIGUSR2");
      const said = await Promise.race([lines.next(), ended.then(() => undefined)]);
      return typeof said?.value === "string" ? JSON.parse(said.value) : undefined;
    },
    descriptors: () => countDescriptors(child),
    children: () => countChildren(child),
  };
};

/** The folder in which this process keeps what Node has compiled: half of what a start costs. `undefined` where it keeps nothing. */
const compileCache = (): string | undefined => {
  // Node gives the folder of its own version, which it makes below the one that it is given.
  const folder = getCompileCacheDir();
  return folder && dirname(folder);
};

/** Mounts the disk, runs the kernel beside itself, since a mount ends with its last process, and keeps what was on it. */
const onDisk = `mount -t tmpfs -o size="$1" tmpfs "$2" || exit 97
state=$2 kept=$3; shift 3
"$@" & child=$!
trap 'stopped=1; kill -TERM $child' TERM
wait $child; code=$?
if [ -n "$stopped" ]; then wait $child; code=$?; fi
cp -a "$state/." "$kept/"; exit $code`;

/** In a namespace of its own, where every user may mount. */
const inNamespace = ["unshare", "--user", "--map-root-user", "--mount"];

type KernelLimits = Pick<KernelStart, "stateDir"> & {
  readonly fileBytes: number | undefined;
  readonly disk: KernelStart["disk"] | undefined;
};

const withLimits = (words: readonly string[], { stateDir, fileBytes, disk }: KernelLimits): readonly string[] => {
  if (disk !== undefined) {
    for (const folder of [stateDir, disk.kept]) mkdirSync(folder, { recursive: true });
    return [...inNamespace, "sh", "-c", onDisk, "sh", String(disk.bytes), stateDir, disk.kept, ...words];
  }
  // Half kilobytes, as a POSIX shell counts them.
  if (fileBytes !== undefined)
    return ["sh", "-c", `ulimit -f ${Math.ceil(fileBytes / 512)}; exec "$@"`, "sh", ...words];
  return words;
};

/** Whether this system lets us mount a small disk in this folder, as a kernel's own processes see it. */
export const canMountDisk = (folder: string): boolean => {
  mkdirSync(folder, { recursive: true });
  const [command = "", ...args] = [...inNamespace, "mount", "-t", "tmpfs", "-o", "size=65536", "tmpfs", folder];
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
};

interface StdioServer {
  /** Sends a line as it is. */
  write(line: string): void;
  /** Calls this with each line that it writes, until it returns true, the server ends, or nothing came for long. */
  readUntil(isLast: (line: string) => boolean): Promise<void>;
  /** Ends its input; what it wrote, and how it ended. */
  end(): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly stderr: string }>;
}

/** Starts `mcp serve --stdio` of the user's services, on a throw-away folder. */
export const startStdioServer = ({ project, env }: Pick<KernelStart, "project" | "env">): StdioServer => {
  const inSource = import.meta.url.endsWith(".ts");
  const bin = fileURLToPath(new URL(`${inSource ? "../.." : "../../.."}/bin/fairlead.js`, import.meta.url));
  const child = spawn(process.execPath, [bin, "mcp", "serve", "--stdio", "--local"], { cwd: project, env });
  const lines: string[] = [];
  let rest = "";
  let stderr = "";
  let onOutput = (): void => undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.filter((line) => line !== ""));
    onOutput();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // How it ended says why it takes no more.
  child.stdin.on("error", () => undefined);
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    readUntil: async (isLast) => {
      const { promise: last, resolve } = Promise.withResolvers<void>();
      const { promise: silence, resolve: giveUp } = Promise.withResolvers<void>();
      const timer = setTimeout(giveUp, longestMs);
      let read = 0;
      onOutput = () => {
        timer.refresh();
        for (let line = lines[read]; line !== undefined; line = lines[read]) {
          read += 1;
          if (isLast(line)) resolve();
        }
      };
      onOutput();
      await Promise.race([last, silence, ended]);
      onOutput = () => undefined;
      clearTimeout(timer);
    },
    end: async () => {
      child.stdin.end();
      const code = await ended;
      return { code, lines: rest === "" ? lines : [...lines, rest], stderr };
    },
  };
};

/** Sockets that services may have opened for themselves meanwhile. */
const ownSockets = 5;
/** Descriptors of threads and databases that a kernel opens at need, whatever was sent to it: a thread has five, a database two. */
const lateOthers = 20;

/** What is wrong with the descriptors of a kernel whose clients are gone; `undefined` when nothing is. */
export const findLostDescriptors = async (kernel: KernelProcess, before: Descriptors): Promise<string | undefined> => {
  const after = await waitForSockets(kernel, before.sockets + ownSockets);
  const isLost = after.sockets > before.sockets + ownSockets || after.others > before.others + lateOthers;
  const format = ({ sockets, others }: Descriptors): string => `${sockets} sockets and ${others} others`;
  return isLost ? `descriptors: ${format(before)} before, ${format(after)} after` : undefined;
};

/** Looks again until there are so few, or for three minutes: a connection that is being closed goes when the kernel gets to it. */
const waitForSockets = async (kernel: KernelProcess, most: number): Promise<Descriptors> => {
  const end = performance.now() + 180_000;
  let found = kernel.descriptors();
  while (found.sockets > most && performance.now() < end && !kernel.hasEnded()) {
    await pause(100);
    found = kernel.descriptors();
  }
  return found;
};

const countChildren = ({ pid }: ChildProcess): Children => {
  const counts = { live: 0, zombies: 0 };
  const ids = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  for (const id of ids) {
    try {
      // The name of a program may hold anything, parentheses too.
      const [state, parent] = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      if (parent === String(pid)) counts[state === "Z" ? "zombies" : "live"] += 1;
    } catch {
      // It has ended meanwhile.
    }
  }
  return counts;
};

const countDescriptors = ({ pid }: ChildProcess): Descriptors => {
  const folder = `/proc/${pid}/fd`;
  const counts = { sockets: 0, others: 0 };
  try {
    for (const each of readdirSync(folder)) counts[isSocket(`${folder}/${each}`) ? "sockets" : "others"] += 1;
  } catch {
    // It has ended, or the system does not show them.
  }
  return counts;
};

/** False for one that has been closed since it was listed. */
const isSocket = (link: string): boolean => {
  try {
    return readlinkSync(link).startsWith("socket:");
  } catch {
    return false;
  }
};
