/**
 * Libraries to compare with, in exact versions. They are no dependencies of the project: the bench takes them from npm, without
 * their install scripts, into a folder of the system's for temporary files, and keeps them there.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Entity } from "./workloads.ts";

const versions = { linq: "4.0.3", mingo: "7.2.7", jsonata: "2.2.2" } as const;

const folder = join(tmpdir(), "fairlead-bench-peers");

/** Installs what is missing. */
export const fetchPeers = (): void => {
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  if (Object.keys(versions).every((name) => existsSync(join(folder, "node_modules", name)))) return;
  mkdirSync(folder, { recursive: true });
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  execFileSync("npm", ["install", ...options, ...wanted], { stdio: "inherit" });
};

/** A chain of linq.js. */
interface Enumerable {
  where(test: (row: Entity) => boolean): Enumerable;
  orderBy(key: (row: Entity) => number): Enumerable;
  take(count: number): Enumerable;
  groupBy(
    key: (row: Entity) => string,
    element: undefined,
    result: (key: string, group: { count(): number }) => unknown,
  ): Enumerable;
  select(shape: (row: Entity) => unknown): Enumerable;
  toArray(): readonly unknown[];
}

/** What is used of each library. */
export interface Peers {
  readonly linq: { from(rows: readonly Entity[]): Enumerable };
  readonly mingo: {
    readonly Aggregator: new (pipeline: readonly object[]) => { run(rows: readonly Entity[]): readonly unknown[] };
  };
  readonly jsonata: (text: string) => { evaluate(input: unknown): Promise<readonly unknown[]> };
}

/** The named boundary: a library's default export, or all of them. */
export const loaded = async <N extends keyof Peers>(name: N): Promise<Peers[N]> => {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
  return (module.default ?? module) as Peers[N];
};
