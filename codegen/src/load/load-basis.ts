/**
 * What a contract file came to follows from: its own text, those of all files that it reaches, and what led from one to the other. Runs in
 * the loading thread.
 *
 * Code that asks for more (what the process is, files, packages of others) has no basis, since what it asks for may differ the next time.
 * Not here: what is kept (`load-store`), and what is imported (`module-hooks`).
 */
import { isBuiltin } from "node:module";
import { isPackaged, type ReachedModules } from "./module-hooks.ts";

/** What a contract file's code depends on. */
export interface LoadBasis {
  /** Absolute paths of the files that count as the project's own. */
  readonly files: readonly string[];
  /** By absolute path: what was there when it was first asked for (`pathState`). */
  readonly states: ReadonlyMap<string, string>;
}

/** Modules of Node's that give the same for the same arguments, in the same working folder. */
const pureModules: readonly string[] = ["node:path", "node:url", "path", "url"];

/** `undefined` where the code may have asked for something else. */
export const loadBasis = ({ names, states }: ReachedModules): LoadBasis | undefined => {
  const asksNode = names.some((name) => isBuiltin(name) && !pureModules.includes(name));
  if (asksNode || asksProcess || states === undefined) return undefined;
  return { files: names.filter((name) => !isBuiltin(name) && !isPackaged(name)), states };
};

let asksProcess = false;

/**
 * Notes whether code of this thread asks for `process` from now on: its environment, arguments, folder, platform and much else. Modules
 * that ask Node for it by an import are seen by that.
 */
export const noteProcess = (): void => {
  let { process } = globalThis;
  Object.defineProperty(globalThis, "process", {
    configurable: true,
    enumerable: false,
    get: () => {
      asksProcess = true;
      return process;
    },
    set: (value) => {
      asksProcess = true;
      process = value;
    },
  });
};
