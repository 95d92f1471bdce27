/**
 * What contract files came to in earlier processes, in a file below `node_modules/.cache`: a file whose text, imports and packages are as
 * they were is neither loaded nor proved again. Losing it costs time alone.
 *
 * Not here: what a file's code depends on (`load-basis`), and what is known inside of a process (`load-session`).
 */
import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { version as zod } from "zod/v4/core";
import { findPackage } from "../model/project.ts";
import { once } from "../proof/once.ts";
import { proofFile } from "../proof/proof-store.ts";
import type { CheckedFile } from "./checked-file.ts";
import type { ContractFile } from "./find.ts";
import type { LoadBasis } from "./load-basis.ts";

export interface LoadStore {
  /** How many prove each schema. */
  readonly values: number;
  /** Whether there is something to find. */
  has(contract: ContractFile): boolean;
  /** What a file came to; `files` are those of the project that it depends on. */
  find(contract: ContractFile): { readonly checked: CheckedFile; readonly files: readonly string[] } | undefined;
  /** Notes what a file came to that was loaded after `begun` (milliseconds). One that may have changed meanwhile is left out. */
  add(contract: ContractFile, basis: LoadBasis, checked: CheckedFile, begun: number): void;
  /** Writes what was noted since. Never throws: a project may be read-only. */
  save(): void;
}

/** Structured clones keep what two procedures share one object, which JSON would not. */
interface StoredLoad {
  readonly source: string;
  readonly builtIn: boolean;
  /** By absolute path: the project's files, and what describes the packages. */
  readonly digests: ReadonlyMap<string, string>;
  readonly files: readonly string[];
  readonly checked: Uint8Array;
}

/** Of one project; the oldest are dropped. */
const mostLoads = 2_000;

/** Projects that share a folder `node_modules`; the files of the oldest are removed. */
const mostProjects = 20;

/** File systems note times by a clock that runs a few milliseconds late. */
const clockLagMs = 10;

/** Where the store of a project is; `undefined` where nothing is installed. */
export const loadFile = (root: string): string | undefined => {
  const proofs = proofFile(root);
  return proofs === undefined ? undefined : join(dirname(proofs), "loads", `${hash("sha1", resolve(root), "hex")}.bin`);
};

/** The store of a project. */
export const loadStore = (file: string, values: number): LoadStore => {
  const version = `${loaderVersion()} ${values}`;
  const known = readLoads(file, version);
  let changed = false;
  // Of this run: most contracts import the same files.
  const digests = new Map<string, string>();
  const digest = (path: string): string => {
    const text = digests.get(path) ?? fileDigest(path);
    digests.set(path, text);
    return text;
  };
  const findStored = ({ file: path, source, builtIn }: ContractFile): StoredLoad | undefined => {
    const stored = known.get(path);
    if (stored === undefined || stored.source !== source || stored.builtIn !== builtIn) return undefined;
    return [...stored.digests].every(([each, before]) => digest(each) === before) ? stored : undefined;
  };
  return {
    values,
    has: (contract) => findStored(contract) !== undefined,
    find: (contract) => {
      const stored = findStored(contract);
      return stored === undefined ? undefined : { checked: deserialize(stored.checked), files: stored.files };
    },
    add: ({ file: path, source, builtIn }, { files, packaged }, checked, begun) => {
      const isSettled = (each: string): boolean =>
        (statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? begun) < begun - clockLagMs;
      known.delete(path);
      changed = true;
      if (!files.every(isSettled)) return;
      const described = new Set([...files, ...packaged.map(descriptionFile)]);
      known.set(path, {
        source,
        builtIn,
        digests: new Map([...described].map((each) => [each, digest(each)])),
        files,
        checked: serialize(checked),
      });
    },
    save: () => {
      digests.clear();
      if (!changed) return;
      changed = false;
      writeLoads(file, version, known);
    },
  };
};

/** Empty for a file that cannot be read. */
const fileDigest = (path: string): string => {
  try {
    return hash("sha1", readFileSync(path), "base64url");
  } catch {
    return "";
  }
};

/** The package.json that names the version of the package that a file is in, or the file itself where there is none. */
const descriptionFile = (path: string): string => {
  const owner = findPackage(dirname(path));
  return owner === undefined ? path : join(owner.folder, "package.json");
};

const readLoads = (file: string, version: string): Map<string, StoredLoad> => {
  try {
    const stored = deserialize(readFileSync(file));
    return stored.version === version ? stored.loads : new Map();
  } catch {
    return new Map();
  }
};

const writeLoads = (file: string, version: string, known: ReadonlyMap<string, StoredLoad>): void => {
  try {
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, serialize({ version, loads: new Map([...known].slice(-mostLoads)) }));
    renameSync(unfinished, file);
    const written = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const byAge = readdirSync(folder).toSorted((a, b) => written(b) - written(a));
    for (const old of byAge.slice(mostProjects)) rmSync(join(folder, old), { force: true });
  } catch {
    // The next run loads them again.
  }
};

/** Which code loads: what Fairlead's own files and versions are, and Node's. */
const loaderVersion = once((): string => {
  const folders = [
    join(import.meta.dirname, ".."),
    dirname(fileURLToPath(import.meta.resolve("@fairlead/contracts"))),
    dirname(fileURLToPath(import.meta.resolve("@fairlead/contracts/kernel"))),
  ];
  const states = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test|\.d)\.[jt]s$/.test(name))
      .toSorted()
      .map((name) => {
        const { mtimeMs, size } = statSync(join(folder, name));
        return `${folder} ${name} ${mtimeMs} ${size}`;
      }),
  );
  const versions = `${process.version} ${zod.major}.${zod.minor}.${zod.patch}`;
  return hash("sha1", [versions, ...states].join("\n"), "base64url");
});
