/**
 * Keeps code that is imported from ending the process: `process.exit()` at the top of a module throws instead, so that its service fails with
 * the place of the call. Other code ends the process as ever, also meanwhile. Not here: imports (`module.ts`).
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Set within the import of a module, in all that it awaits. */
const importing = new AsyncLocalStorage<true>();
let imports = 0;
let exit: typeof process.exit | undefined;

/** Runs an import. */
export const withoutExit = <T>(load: () => Promise<T>): Promise<T> => {
  exit ??= process.exit;
  const real = exit;
  imports += 1;
  if (imports === 1) {
    process.exit = (code) => {
      if (importing.getStore() === undefined) return real.call(process, code);
      const error = new Error(`it calls process.exit(${code ?? ""}) while it is imported`);
      // The place of the fault is that of the call.
      Error.captureStackTrace(error, process.exit);
      throw error;
    };
  }
  return importing.run(true, load).finally(() => {
    imports -= 1;
    if (imports > 0) return;
    process.exit = real;
    exit = undefined;
  });
};
