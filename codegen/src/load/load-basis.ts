/**
 * What a contract file came to follows from: its own text, those of the files that it imports, and the packages. Runs in the loading thread.
 *
 * Code that asks for more (environment variables, files) has no basis, since what it asks for may differ the next time. Not here: what
 * is kept (`load-store`).
 */
import { isBuiltin } from "node:module";

/** What a contract file's code depends on. */
export interface LoadBasis {
  /** Absolute paths of the project's own files. */
  readonly files: readonly string[];
  /** Absolute paths of files in packages. */
  readonly packaged: readonly string[];
}

/** Modules of Node's that give the same for the same arguments. */
const pureModules: readonly string[] = [
  "node:path",
  "node:url",
  "node:util",
  "node:assert",
  "path",
  "url",
  "util",
  "assert",
];

/** `undefined` where the code may have asked for something else. The names are those of modules as `module-hooks` notes them. */
export const loadBasis = (reached: readonly string[]): LoadBasis | undefined => {
  const asksNode = reached.some((name) => isBuiltin(name) && !pureModules.includes(name));
  if (asksNode || asksEnvironment) return undefined;
  const files = reached.filter((name) => !isBuiltin(name));
  const isPackaged = (name: string): boolean => /[\\/]node_modules[\\/]/.test(name);
  return { files: files.filter((name) => !isPackaged(name)), packaged: files.filter(isPackaged) };
};

let asksEnvironment = false;

/** What Node's own loaders read whenever something is imported. */
const askedByNode: readonly string[] = ["WATCH_REPORT_DEPENDENCIES", "NODE_V8_COVERAGE"];

/** Notes whether code of this thread reads environment variables from now on. */
export const noteEnvironment = (): void => {
  const note = (name?: string | symbol): void => {
    if (!askedByNode.includes(String(name))) asksEnvironment = true;
  };
  process.env = new Proxy(process.env, {
    get: (target, name) => {
      note(name);
      return Reflect.get(target, name);
    },
    // With the target as the receiver: Node's own object refuses what a proxy would define on it.
    set: (target, name, value) => Reflect.set(target, name, value),
    has: (target, name) => {
      note(name);
      return Reflect.has(target, name);
    },
    ownKeys: (target) => {
      note();
      return Reflect.ownKeys(target);
    },
  });
};
