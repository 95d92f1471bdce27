/**
 * What the system says of a process that is to be attached: that it is Node and would take the signal that opens its inspector, and on which ports it
 * listens. Read from `/proc`, so on Linux only; nothing is sent to the process.
 */
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { AttachError } from "./attach-error.ts";

export interface NodeProcess {
  readonly pid: number;
  /** What the process itself takes for its id: another one in a container. */
  readonly ownPid: number;
  /** When it started, as the system counts: another process that has its id later has another one. */
  readonly startedAt: string;
  /** Its script, or its executable. */
  readonly title: string;
  /** Where its inspector listens, or would: 0 for any free port. */
  readonly inspectorPort: number;
  /** True when it was started with its inspector open. */
  readonly startsInspector: boolean;
  /** True when SIGUSR1 opens its inspector; it would end a process that does not take it. */
  readonly takesSignal: boolean;
}

/** A port on which a process listens, with the address as it is to be asked. */
export interface ListenedPort {
  readonly host: string;
  readonly port: number;
}

const usualPort = 9229;
/** The number of SIGUSR1, which is the bit of its own in the masks. */
const signal = 10n;
/** State of a socket that listens. */
const listens = "0A";

/** Throws `AttachError`. */
export const readNodeProcess = async (pid: number, platform: string = process.platform): Promise<NodeProcess> => {
  if (platform !== "linux")
    throw new AttachError(
      "not_node",
      `Processes can be looked up by their id on Linux only; on ${platform} start the program with \`node --inspect=0\` and give its address in \`services.inspector.source\``,
    );
  const [executable, line, environment, status, stat] = await Promise.all([
    readSystemFile(pid, "exe", readlink),
    readSystemFile(pid, "cmdline", readText),
    readSystemFile(pid, "environ", readText),
    readSystemFile(pid, "status", readText),
    readSystemFile(pid, "stat", readText),
  ]);
  const [, ...words] = line.split("\0");
  if (!isNode(executable)) throw new AttachError("not_node", `Process ${pid} runs ${executable}, which is not Node`);
  const options = [...nodeOptions(environment), ...ownOptions(words)];
  return {
    pid,
    ownPid: Number(/^NSpid:.*\t(\d+)$/m.exec(status)?.[1] ?? pid),
    // The 22nd field; the second one is a name in brackets, of any characters.
    startedAt: stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "",
    title: words[ownOptions(words).length] || basename(executable),
    ...inspectorOptions(options),
    takesSignal: (BigInt(`0x${/^SigCgt:\t(\w+)$/m.exec(status)?.[1] ?? "0"}`) >> (signal - 1n)) % 2n === 1n,
  };
};

const readText = (path: string): Promise<string> => readFile(path, "utf8");

const readSystemFile = async (pid: number, name: string, read: (path: string) => Promise<string>): Promise<string> => {
  try {
    return await read(`/proc/${pid}/${name}`);
  } catch (cause) {
    const isForeign = cause instanceof Error && "code" in cause && (cause.code === "EACCES" || cause.code === "EPERM");
    const why = isForeign ? "belongs to another user, or may not be looked into" : "does not exist";
    throw new AttachError("no_process", `Process ${pid} ${why}`);
  }
};

/** By the name of its executable, as systems and version managers call it. */
const isNode = (executable: string): boolean =>
  /^node(?:js)?(?:-?v?\d[\d.]*)?(?: \(deleted\))?$/.test(basename(executable));

const nodeOptions = (environment: string): readonly string[] => {
  const found = environment.split("\0").find((each) => each.startsWith("NODE_OPTIONS="));
  return found?.slice("NODE_OPTIONS=".length).split(/\s+/) ?? [];
};

/** Flags before the script: those behind it are the program's. */
const ownOptions = (words: readonly string[]): readonly string[] => {
  const script = words.findIndex((word, index) => !word.startsWith("-") && !takesNext.has(words[index - 1] ?? ""));
  return script < 0 ? words : words.slice(0, script);
};

/** Flags whose value may be the next word. */
const takesNext: ReadonlySet<string> = new Set([
  ..."-r --require --import --loader --experimental-loader -C --conditions -e --eval -p --print --env-file".split(" "),
  ..."--inspect-port --debug-port --title --input-type".split(" "),
]);

const inspectorOptions = (options: readonly string[]): Pick<NodeProcess, "inspectorPort" | "startsInspector"> => {
  let inspectorPort = usualPort;
  let startsInspector = false;
  for (const [index, option] of options.entries()) {
    const [, name = "", given = options[index + 1] ?? ""] =
      /^--(inspect(?:-brk|-wait|-port)?|debug-port)(?:=(.*))?$/.exec(option) ?? [];
    if (name === "") continue;
    startsInspector ||= !name.endsWith("-port");
    const port = /(?:^|:)(\d+)$/.exec(given)?.[1];
    if (port !== undefined && (option.includes("=") || name.endsWith("-port"))) inspectorPort = Number(port);
  }
  return { inspectorPort, startsInspector };
};

/** The ports on which a process listens, where they can be reached from this machine alone or from anywhere. */
export const listenedPorts = async (pid: number): Promise<readonly ListenedPort[]> => {
  const own = await openSockets(pid);
  return (await listeners(pid)).filter(({ socket }) => own.has(socket)).map(({ host, port }) => ({ host, port }));
};

/** True when some process of the machine listens on a port. */
export const isTaken = async (pid: number, wanted: number): Promise<boolean> =>
  (await listeners(pid)).some(({ port }) => port === wanted);

interface PortListener extends ListenedPort {
  readonly socket: string;
}

/** All listeners of the network that a process is in. */
const listeners = async (pid: number): Promise<readonly PortListener[]> => {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((table) => readText(`/proc/${pid}/net/${table}`).catch(() => "")),
  );
  return tables.flatMap((table) => table.split("\n").slice(1).flatMap(parseListener));
};

const parseListener = (line: string): readonly PortListener[] => {
  const [, local = "", , state, , , , , , socket = ""] = line.trim().split(/\s+/);
  const [address = "", port = ""] = local.split(":");
  if (state !== listens) return [];
  return [
    {
      host: address.length > 8 && !/^0+(?:FFFF)?/.test(address) ? "::1" : "127.0.0.1",
      port: Number.parseInt(port, 16),
      socket,
    },
  ];
};

/** The sockets that a process has open, by number. */
const openSockets = async (pid: number): Promise<ReadonlySet<string>> => {
  const folder = `/proc/${pid}/fd`;
  const found = await Promise.all(
    (await readdir(folder).catch(() => [])).map((name) => readlink(`${folder}/${name}`).catch(() => "")),
  );
  return new Set(found.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
};
