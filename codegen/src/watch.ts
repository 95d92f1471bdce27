/**
 * Generates again whenever a contract, or a file that it imports, changes. Contracts that did not change are neither imported
 * nor lowered again.
 *
 * Not here: what is generated (`generate`), and which modules depend on which (`module-graph`).
 */
import { existsSync, realpathSync, statSync, watch as watchFolder } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type GenerateOptions, type GenerateResult, planner, write } from "./generate.ts";
import { type ImportModule, importModule } from "./load.ts";
import { moduleGraph } from "./module-graph.ts";
import { outFolders } from "./project.ts";

/** Milliseconds of quiet before a run: editors write a file in several steps. */
const quietMs = 15;

/**
 * Runs once, then after each change, until the signal fires. Every run is reported. Rejects when a folder cannot be watched or
 * the disk fails.
 */
export const watch = async (
  options: GenerateOptions,
  onResult: (result: GenerateResult) => void,
  signal: AbortSignal,
): Promise<void> => {
  const graph = moduleGraph();
  const broken = new Set<string>();
  const load: ImportModule = async (file, version) => {
    broken.add(file);
    const module = await importModule(file, version);
    broken.delete(file);
    return module;
  };
  const { plan } = planner(options, load);
  const changes = await changesOf(options, signal);
  try {
    do {
      onResult(await write(options, await plan(graph.version)));
      for (const file of graph.files()) changes.include(dirname(file));
      const files = await changes.next();
      // A module that failed to load may have waited for any file at all.
      for (const file of [...files, ...(files.length > 0 ? broken : [])]) graph.changed(file);
    } while (!signal.aborted);
  } finally {
    graph.close();
    changes.close();
  }
};

interface Changes {
  /** Watches one more folder, without its subfolders, unless it is watched already. */
  include(folder: string): void;
  /** Waits for the next changes and gives the changed files; none when the signal fires. */
  next(): Promise<readonly string[]>;
  close(): void;
}

const changesOf = async ({ root, config }: GenerateOptions, signal: AbortSignal): Promise<Changes> => {
  const pending = new Map<string, string>();
  const seen = new Map<string, string>();
  const closers = new Map<string, () => void>();
  const outputs = Object.values(outFolders(resolve(root), config));
  let wake: () => void = () => undefined;
  let failed: unknown;

  const note = (folder: string, name: string | null): void => {
    if (name === null || !/\.(?:[cm]?[jt]s|json)$/.test(name) || name.includes(`node_modules${sep}`)) return;
    const file = join(folder, name);
    if (outputs.includes(dirname(file))) return;
    const state = stateOf(file);
    if (seen.get(file) === state) return;
    seen.set(file, state);
    pending.set(file, state);
    wake();
  };

  const start = (folder: string, recursive: boolean): void => {
    if (closers.has(folder) || !existsSync(folder)) return;
    const watcher = watchFolder(folder, { recursive, persistent: true });
    watcher.on("change", (_, name) => note(folder, name === null ? null : String(name)));
    watcher.on("error", (failure) => {
      failed = failure;
      wake();
    });
    closers.set(folder, () => watcher.close());
  };

  const trees = config.contracts
    .map((folder) => resolve(root, folder))
    .filter(existsSync)
    .map((folder) => realpathSync(folder));
  for (const tree of trees) start(tree, true);
  start(resolve(root, config.services), false);

  return {
    include: (folder) => {
      if (!trees.some((tree) => folder === tree || !relative(tree, folder).startsWith(".."))) start(folder, false);
    },
    next: async () => {
      while (pending.size === 0 && !signal.aborted && failed === undefined) await woken(signal, (run) => (wake = run));
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
      for (const close of closers.values()) close();
    },
  };
};

/** Resolves when `run` is called or the signal fires. */
const woken = (signal: AbortSignal, give: (run: () => void) => void): Promise<void> =>
  new Promise((done) => {
    const finish = (): void => {
      signal.removeEventListener("abort", finish);
      done();
    };
    signal.addEventListener("abort", finish);
    give(finish);
  });

/** Differs between two states of a file; one change is often reported twice. */
const stateOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
};
