/**
 * Generates again whenever a contract, or a file that it imports, changes. Contracts that did not change are neither imported
 * nor lowered again.
 *
 * Not here: what is generated (`generate`), and which modules depend on which (`module-graph`).
 */
import { existsSync, readdirSync, realpathSync, statSync, watch as watchFolder } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type GenerateOptions, type GenerateResult, planner, write } from "./generate.ts";
import { loadSession } from "./load/load-session.ts";
import { outFolders } from "./model/project.ts";

// Each folder is watched by itself: a recursive watch of Node 24 goes blind for a file once another is renamed over it, which is
// how many editors save.

/** Milliseconds of quiet before a run: editors write a file in several steps. */
const quietMs = 15;

/** What is watched in addition to the contracts and what they import. */
export interface FurtherFiles {
  /** Absolute paths, as they are after a run was reported. */
  readonly files: () => Iterable<string>;
}

/** What led to a run, and how long it took. */
export interface WatchRun {
  /** Absolute paths of the files that have changed; none for the first run. */
  readonly changed: readonly string[];
  readonly milliseconds: number;
}

/**
 * Runs once, then after each change, until the signal fires. Every run is reported; the next one waits until the report has been taken.
 * Rejects when a folder cannot be watched or the disk fails.
 */
export const watch = async (
  options: GenerateOptions,
  onResult: (result: GenerateResult, run: WatchRun) => void | Promise<void>,
  signal: AbortSignal,
  further: FurtherFiles = { files: () => [] },
): Promise<void> => {
  const session = loadSession();
  const { graph } = session;
  const plan = planner(options, session);
  const changes = await watchChanges(options, signal);
  let broken: readonly string[] = [];
  let changed: readonly string[] = [];
  try {
    do {
      const begun = Date.now();
      const planned = await plan();
      const result = await write(options, planned);
      broken = planned.unloaded;
      // Before the result is reported: whoever reads it may change a file at once.
      for (const file of graph.files()) changes.include(file, begun);
      await onResult(result, { changed, milliseconds: Date.now() - begun });
      for (const file of further.files()) changes.include(file, begun);
      changed = await changes.next();
      // A module that failed to load may have waited for any file at all.
      for (const file of [...changed, ...(changed.length > 0 ? broken : [])]) graph.changed(file);
    } while (!signal.aborted);
  } finally {
    changes.close();
    await session.close();
  }
};

interface ChangeWatcher {
  /** Watches one more file's folder; a file that has changed since a time (milliseconds) before it was watched counts as changed. */
  include(file: string, since: number): void;
  /** Waits for the next changes and gives the changed files; none when the signal fires. */
  next(): Promise<readonly string[]>;
  close(): void;
}

const watchChanges = async ({ root, config }: GenerateOptions, signal: AbortSignal): Promise<ChangeWatcher> => {
  const pending = new Map<string, string>();
  const seen = new Map<string, string>();
  const watched = new Map<string, { readonly inode: number; close(): void }>();
  const outputs = Object.values(outFolders(resolve(root), config));
  let wake: () => void = () => undefined;
  let failed: unknown;

  const note = (file: string): void => {
    if (!/\.(?:[cm]?[jt]s|json)$/.test(file) || outputs.includes(dirname(file))) return;
    const state = fileState(file);
    if (seen.get(file) === state) return;
    seen.set(file, state);
    pending.set(file, state);
    wake();
  };

  /** True when the folder was not watched before. A folder made again under an old name is watched again. */
  const start = (folder: string): boolean => {
    const inode = statSync(folder, { throwIfNoEntry: false })?.ino;
    const before = watched.get(folder);
    if (before?.inode === inode) return false;
    before?.close();
    watched.delete(folder);
    if (inode === undefined) return false;
    const watcher = watchFolder(folder, { persistent: true });
    watcher.on("change", (_, name) => {
      if (name !== null) note(join(folder, String(name)));
      findFolders();
    });
    watcher.on("error", (failure) => {
      if (!existsSync(folder)) return;
      failed = failure;
      wake();
    });
    watched.set(folder, { inode, close: () => watcher.close() });
    return true;
  };

  const trees = config.contracts
    .map((folder) => resolve(root, folder))
    .filter(existsSync)
    .map((folder) => realpathSync(folder));
  const services = resolve(root, config.services);
  const foldersToWatch = (): readonly string[] => [
    ...trees.flatMap((tree) => [tree, ...foldersIn(tree, true)]),
    ...[services, ...foldersIn(services, false)].filter(existsSync),
  ];

  /** What was written into a new folder before it was watched counts as changed. */
  const findFolders = (): void => {
    for (const folder of watched.keys()) if (!existsSync(folder)) start(folder);
    for (const folder of foldersToWatch()) {
      if (start(folder)) for (const name of namesIn(folder)) note(join(folder, name));
    }
  };
  for (const folder of foldersToWatch()) start(folder);

  return {
    include: (file, since) => {
      if (!start(dirname(file))) return;
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats === undefined || stats.mtimeMs >= since) note(file);
    },
    next: async () => {
      while (pending.size === 0 && !signal.aborted && failed === undefined)
        await waitForWake(signal, (run) => (wake = run));
      // Waits until nothing more comes, so that a file is read when it is whole.
      for (let before = -1; before !== pending.size && !signal.aborted; ) {
        before = pending.size;
        await new Promise((done) => setTimeout(done, quietMs));
      }
      if (failed !== undefined) throw failed;
      const files = [...pending.keys()];
      pending.clear();
      return files;
    },
    close: () => {
      for (const { close } of watched.values()) close();
    },
  };
};

/** Resolves when `run` is called or the signal fires. */
const waitForWake = (signal: AbortSignal, give: (run: () => void) => void): Promise<void> =>
  new Promise((done) => {
    const finish = (): void => {
      signal.removeEventListener("abort", finish);
      done();
    };
    signal.addEventListener("abort", finish);
    give(finish);
  });

/** Differs between two states of a file; one change is often reported twice. */
const fileState = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
};

/** Folders inside one, absolute, but for installed packages; none when it is gone. */
const foldersIn = (folder: string, deep: boolean): readonly string[] =>
  readEntries(folder).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name === "node_modules") return [];
    const inner = join(folder, entry.name);
    return deep ? [inner, ...foldersIn(inner, true)] : [inner];
  });

const namesIn = (folder: string): readonly string[] => readEntries(folder).map(({ name }) => name);

/** Reads a folder that may vanish at any time. */
const readEntries = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};
