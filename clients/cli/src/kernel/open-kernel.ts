/** A kernel in this process, set up by the project's configuration. What the configuration got wrong is wrong usage. */
import type { WireError } from "@fairlead/contracts";
import type { Kernel, Log } from "@fairlead/kernel";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import type { OwnFolder } from "../owner/ownership.ts";

interface OpenOptions {
  /** Where it keeps its state. */
  readonly own: OwnFolder;
  /** Settings of the kernel that flags of this command give. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** What the kernel logs on stderr without --verbose: as configured, warnings, or nothing. */
  readonly log: "configured" | "warnings" | "nothing";
  /** False for commands that are over with one call, and report the result themselves. */
  readonly stays: boolean;
  /** What of the services' code is read before the first call; only what is needed when left out. */
  readonly code?: "all";
}

/** Opens it on a folder of its own, and serves callers on the owner's socket. Closing it lets go of the folder. */
export const openProjectKernel = async (context: Context, options: OpenOptions): Promise<Kernel> => {
  const { own } = options;
  try {
    const kernel = await open(context, options);
    if (own.key !== undefined) own.serve(kernel.ownerSocket(own.key));
    return { ...kernel, close: () => closeOwn(kernel, own) };
  } catch (error) {
    own.end();
    own.release();
    throw error;
  }
};

const closeOwn = async (kernel: Kernel, own: OwnFolder): Promise<void> => {
  own.end();
  try {
    await kernel.close();
  } finally {
    own.release();
  }
};

const open = async (context: Context, options: OpenOptions): Promise<Kernel> => {
  const [{ openKernel, makeLog }, { isWireError }] = await Promise.all([
    import("@fairlead/kernel"),
    import("@fairlead/contracts"),
  ]);
  const { root, path, value } = await context.configFile();
  const logs: Readonly<Record<OpenOptions["log"], () => Log | undefined>> = {
    configured: () => undefined,
    warnings: () => makeLog({ level: "warn", secrets: [context.io.env.FAIRLEAD_TOKEN ?? ""] }),
    nothing: () => () => undefined,
  };
  const log = context.verbose ? undefined : logs[options.log]();
  try {
    return await openKernel({
      config: value,
      root,
      env: context.io.env,
      flags: { ...options.flags, stateDir: options.own.folder },
      code: options.code ?? "needed",
      stays: options.stays,
      ...(log !== undefined && { log }),
    });
  } catch (error) {
    throw isWireError(error) && error.code === "invalid_argument" ? wrongConfig(error, path) : error;
  }
};

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

/** What the kernel says about a configuration, as wrong usage. `path` is the configuration's file. */
export const wrongConfig = (error: WireError, path: string | undefined): UsageError => {
  const { message, hint, issues = [] } = error;
  const inEnvironment = issues.every((issue) => issue.path.startsWith("FAIRLEAD_"));
  const where = inEnvironment ? "the environment" : (path ?? "the flags");
  return new UsageError(message, issues.length === 0 ? hint : `correct ${where}`, { cause: error, issues });
};
