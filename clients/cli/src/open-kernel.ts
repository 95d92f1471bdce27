/** A kernel in this process, set up by the project's configuration. What the configuration got wrong is wrong usage. */
import type { WireError } from "@fairlead/contracts";
import type { Kernel } from "@fairlead/kernel";
import type { Context } from "./context.ts";
import { UsageError } from "./failure.ts";

export interface OpenOptions {
  /** Settings of the kernel that flags of this command give. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** What the kernel may log on stderr: its own setting, or what nobody is told otherwise. */
  readonly log: "configured" | "quiet";
  /** False for commands that are over with one call, and tell how it went themselves. */
  readonly stays: boolean;
  /** What of the services' code is read before the first call; only what is needed when left out. */
  readonly code?: "all";
}

export const openProjectKernel = async (context: Context, options: OpenOptions): Promise<Kernel> => {
  const [{ openKernel, makeLog }, { isWireError }] = await Promise.all([
    import("@fairlead/kernel"),
    import("@fairlead/contracts"),
  ]);
  const { root, path, value } = await context.configFile();
  const quiet = options.log === "quiet" && !context.verbose;
  try {
    return await openKernel({
      config: value,
      root,
      env: context.io.env,
      flags: options.flags ?? {},
      code: options.code ?? "needed",
      stays: options.stays,
      ...(quiet && {
        log: makeLog({ level: options.stays ? "warn" : "error", secrets: [context.io.env.FAIRLEAD_TOKEN ?? ""] }),
      }),
    });
  } catch (error) {
    throw isWireError(error) && error.code === "invalid_argument" ? wrongConfig(error, path) : error;
  }
};

/** What the kernel says about a configuration, as wrong usage. `path` is the configuration's file. */
export const wrongConfig = (error: WireError, path: string | undefined): UsageError => {
  const hint =
    path === undefined ? "correct the flags and the FAIRLEAD_ variables" : `correct ${path}, flags and variables`;
  return new UsageError(error.message, hint, { cause: error, issues: error.issues ?? [] });
};
