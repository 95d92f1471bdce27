/** Starts the kernels that the self-test tries, kills them, and looks at them from outside. The only file of the command line that starts one. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

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
  /** Its memory and open descriptors once its garbage is collected and V8 has given back its spare pages; `undefined` when it has ended. */
  usage(): Promise<KernelUsage | undefined>;
}

interface KernelUsage {
  /** Bytes of its heap, and those outside of it that the heap refers to. */
  readonly bytes: number;
  /** Bytes of resident memory. */
  readonly resident: number;
  readonly descriptors: number;
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
  const child = spawn(command, args, { env: { ...env, FAIRLEAD_TOKEN: undefined }, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once("close", (code) => resolve(code));
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
    usage: async () => {
      child.kill("SIGUSR2");
      const said = await Promise.race([lines.next(), ended.then(() => undefined)]);
      if (typeof said?.value !== "string") return undefined;
      const memory: Omit<KernelUsage, "descriptors"> = JSON.parse(said.value);
      return { ...memory, descriptors: countDescriptors(child) };
    },
  };
};

/** Mounts the disk, runs the kernel beside itself, since a mount ends with its last process, and keeps what was on it. */
const onDisk = `mount -t tmpfs -o size="$1" tmpfs "$2" || exit 97
state=$2 kept=$3; shift 3
"$@" & child=$!
trap 'kill -TERM $child' TERM
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
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
  /** Ends its input; what it wrote, and how it ended. */
  end(): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly stderr: string }>;
}

/** Starts `mcp serve --stdio` of the user's services, on a throw-away folder. */
export const startStdioServer = ({ project, env }: Pick<KernelStart, "project" | "env">): StdioServer => {
  const inSource = import.meta.url.endsWith(".ts");
  const bin = fileURLToPath(new URL(`${inSource ? "../.." : "../../.."}/bin/fairlead.js`, import.meta.url));
  const child = spawn(process.execPath, [bin, "mcp", "serve", "--stdio", "--local"], { cwd: project, env });
  let out = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  // How it ended says why it takes no more.
  child.stdin.on("error", () => undefined);
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    end: () =>
      new Promise((resolve) => {
        child.once("close", (code) => resolve({ code, lines: out.split("\n").filter((line) => line !== ""), stderr }));
        child.stdin.end();
      }),
  };
};

/** 0 where the system does not show them. */
const countDescriptors = ({ pid }: ChildProcess): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};
