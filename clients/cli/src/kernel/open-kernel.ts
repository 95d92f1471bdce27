/** A kernel in this process, set up by the project's configuration. What the configuration got wrong is wrong usage. */
import type { WireError } from "@fairlead/contracts";
import type { Kernel, KernelOptions, LogWriter } from "@fairlead/kernel";
import { unsetHint } from "../command/config-file.ts";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { type LogFile, openLogFile } from "../log/log-file.ts";
import type { OwnFolder } from "../owner/ownership.ts";
import { isRecord } from "../text/record.ts";

interface OpenOptions {
  /** Where it keeps its state. */
  readonly own: OwnFolder;
  /** Settings of the kernel that flags of this command give. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** What the kernel logs on stderr without --verbose: as configured, warnings, or nothing. But for nothing, all goes into the log file. */
  readonly log: "configured" | "warnings" | "nothing";
  /** False for commands that are over with one call, and report the result themselves. */
  readonly stays: boolean;
  /** What of the services' code is read before the first call; only what is needed when left out. */
  readonly code?: "all";
  /** Services without which it is of no use; all where it does not stay, when left out. */
  readonly needs?: readonly string[] | undefined;
  /** Services that start at once; the others when something needs them. Default: all. */
  readonly starts?: readonly string[] | undefined;
  /** True for a kernel that is to listen for HTTP. */
  readonly listens?: boolean;
  /** True for a kernel that is to take calls over NATS. */
  readonly isWorker?: boolean;
  /** Stand for the project's services, whose sections of the configuration are left out then. */
  readonly services?: KernelOptions["services"];
  /** Folder of the console's pages. */
  readonly console?: string | undefined;
}

/** Opens it on a folder of its own, and serves callers on the owner's socket. Closing it lets go of the folder. */
export const openProjectKernel = async (context: Context, options: OpenOptions): Promise<Kernel> => {
  const { own } = options;
  const file = options.log === "nothing" ? undefined : openLogFile(own.folder);
  const release = (): void => {
    file?.close();
    own.release();
  };
  try {
    const kernel = await open(context, options, file);
    if (own.key !== undefined) own.serve(kernel.ownerSocket(own.key));
    return { ...kernel, close: () => closeOwn(kernel, own, release) };
  } catch (error) {
    own.end();
    release();
    throw error;
  }
};

const closeOwn = async (kernel: Kernel, own: OwnFolder, release: () => void): Promise<void> => {
  own.end();
  try {
    await kernel.close();
  } finally {
    release();
  }
};

const open = async (context: Context, options: OpenOptions, file: LogFile | undefined): Promise<Kernel> => {
  const [{ openKernel }, { isWireError }, shown] = await Promise.all([
    import("@fairlead/kernel"),
    import("@fairlead/contracts"),
    shownLog(context, options),
  ]);
  const { root, path, value } = await context.configFile();
  const calls = shown.forPeople && !isCallLogSet(context, value) ? { log: { calls: "all" } } : {};
  try {
    return await openKernel({
      config: options.services === undefined ? value : withoutServices(value),
      root,
      env: context.io.env,
      flags: { ...calls, ...options.flags, stateDir: options.own.folder },
      code: options.code ?? "needed",
      stays: options.stays,
      listens: options.listens ?? false,
      ...(options.isWorker === true && { isWorker: true }),
      ...(options.console !== undefined && { console: options.console }),
      ...(options.services !== undefined && { services: options.services }),
      ...(options.needs !== undefined && { needs: options.needs }),
      ...(options.starts !== undefined && { starts: options.starts }),
      ...(file === undefined && !context.verbose
        ? { log: () => undefined }
        : {
            writeLog: (line, entry) => {
              shown.write(line, entry);
              file?.write(line);
            },
          }),
    });
  } catch (error) {
    throw isWireError(error) && error.code === "invalid_argument" ? wrongConfig(error, path, context.io.env) : error;
  }
};

/** What says how and where the project's own services run. */
const withoutServices = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { services: _, supervision: __, placement: ___, workers: ____, nats: _____, store: ______, ...rest } = value;
  return rest;
};

interface ShownLog {
  readonly write: LogWriter;
  /** Whether a person reads it at a terminal. */
  readonly forPeople: boolean;
}

const toStderr = (line: string): void => void process.stderr.write(line);

/** The log on stderr: for people where the kernel's log is what the command is for and a terminal shows it, as JSON elsewhere. */
const shownLog = async (context: Context, { log }: OpenOptions): Promise<ShownLog> => {
  if (log === "configured" && context.io.tty.err && !context.json) {
    const { formatLogLine, toLogLine } = await import("../log/log-entry.ts");
    return { write: (_, entry) => context.io.err(formatLogLine(toLogLine(entry), context.paintErr)), forPeople: true };
  }
  if (log !== "warnings" || context.verbose) return { write: toStderr, forPeople: false };
  const write: LogWriter = (line, { level }) => {
    if (level === "warn" || level === "error") toStderr(line);
  };
  return { write, forPeople: false };
};

const isCallLogSet = ({ io }: Context, { log }: Readonly<Record<string, unknown>>): boolean =>
  io.env.FAIRLEAD_LOG_CALLS !== undefined || (isRecord(log) && log.calls !== undefined);

/**
 * Resolves with what a command cannot go on from while its kernel runs: an error that nothing caught and that belongs to no service, or a
 * service whose failure is the kernel's. Errors that belong to a service restart it. Watches until the process ends.
 */
export const untilFailed = (kernel: Kernel): Promise<unknown> =>
  new Promise((resolve) => {
    process.on("uncaughtException", (error) => {
      if (kernel.ascribe(error) === undefined) resolve(error);
    });
    kernel.failed.then(resolve);
  });

/** What the kernel says about a configuration, as wrong usage. `path` is the configuration's file, which may read what `env` does not have. */
export const wrongConfig = (error: WireError, path: string | undefined, env: Context["io"]["env"]): UsageError => {
  const { message, hint, issues = [] } = error;
  const inEnvironment = issues.every((issue) => issue.path.startsWith("FAIRLEAD_"));
  const where = inEnvironment ? "the environment" : (path ?? "the flags");
  const correct = (path !== undefined && !inEnvironment && unsetHint(path, env)) || `correct ${where}`;
  return new UsageError(message, issues.length === 0 ? hint : correct, { cause: error, issues });
};
