/**
 * Looks for packages that a service could not find. Node remembers for as long as the process lives that a package is missing, so one that is
 * installed while `fairlead dev` runs needs a new process.
 *
 * Not here: which packages are missing (the kernel's `followModules`).
 */
import type { FollowedModules } from "@fairlead/kernel";

/** Milliseconds between two looks. A package that is being written is whole at the second one. */
const lookEveryMs = 500;

/** Calls back with the name of a package that was missing and is installed now. Ends with the signal. */
export const watchInstalls = (
  modules: FollowedModules,
  onInstalled: (name: string) => void,
  signal: AbortSignal,
): void => {
  let installed: readonly string[] = [];
  const look = (): void => {
    const now = modules.missing().flatMap((each) => (each.isInstalled() ? [each.name] : []));
    const name = now.find((each) => installed.includes(each));
    installed = now;
    if (name !== undefined) onInstalled(name);
  };
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
};
