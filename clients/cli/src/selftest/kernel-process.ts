/** Starts the kernels that the self-test tries, kills them, and looks at them from outside. The only file of the command line that starts one. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface KernelStart {
  /** Folder of the project. */
  readonly project: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Bytes that a file of its may have, as a full disk would stop it; no bound when left out. */
  readonly fileBytes?: number;
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
export const startKernel = async ({ project, stateDir, env, fileBytes }: KernelStart): Promise<KernelProcess> => {
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
  // Half kilobytes, as a POSIX shell counts them.
  const limited = ["sh", "-c", `ulimit -f ${Math.ceil((fileBytes ?? 0) / 512)}; exec "$@"`, "sh", ...words];
  const [command = "", ...args] = fileBytes === undefined ? words : limited;
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

/** 0 where the system does not show them. */
const countDescriptors = ({ pid }: ChildProcess): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};
