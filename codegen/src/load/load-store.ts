/**
 * What contract files came to in earlier processes, in a file below `node_modules/.cache`: a file whose text, imports and packages are as
 * they were is neither loaded nor proved again. Losing it costs time alone.
 *
 * Not here: what a file's code depends on (`load-basis`), and what is known inside of a process (`load-session`).
 */
import { hash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { findPackage } from "../model/project.ts";
import { once } from "../proof/once.ts";
import { proofFile } from "../proof/proof-store.ts";
import type { CheckedFile } from "./checked-file.ts";
import type { ContractFile } from "./find.ts";
import type { LoadBasis } from "./load-basis.ts";
import { pathState } from "./path-state.ts";

export interface LoadStore {
  /** How many prove each schema. */
  readonly values: number;
  /** Whether there is something to find. */
  has(contract: ContractFile): boolean;
  /** What a file came to; `files` are those of the project that it depends on. */
  find(contract: ContractFile): { readonly checked: CheckedFile; readonly files: readonly string[] } | undefined;
  /** Notes what a file came to. */
  add(contract: ContractFile, basis: LoadBasis, checked: CheckedFile): void;
  /** Writes what was noted since. Never throws: a project may be read-only. */
  save(): void;
}

/** Structured clones keep what two procedures share one object, which JSON would not. */
interface StoredLoad {
  readonly source: string;
  readonly builtIn: boolean;
  /** Of all that it follows from: places in the list of states of the store. */
  readonly states: readonly number[];
  readonly files: readonly string[];
  readonly checked: Uint8Array;
}

interface StoredLoads {
  readonly version: string;
  /** What was at which path. Most contracts reach the same files. */
  readonly states: readonly PlaceState[];
  readonly loads: ReadonlyMap<string, StoredLoad>;
}

type PlaceState = readonly [path: string, state: string];

/** Like what is on the disk, with the states themselves. */
interface KnownLoad extends Omit<StoredLoad, "states"> {
  readonly states: readonly PlaceState[];
}

/** Of one project; the oldest are dropped. */
const mostLoads = 2_000;

/** Projects that share a folder `node_modules`; the files of the oldest are removed. */
const mostProjects = 20;

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
  // Of this run: most contracts reach the same files.
  const current = new Map<string, string>();
  const isCurrent = ([path, before]: PlaceState): boolean => {
    const now = current.get(path) ?? pathState(path);
    current.set(path, now);
    return now === before;
  };
  const findStored = ({ file: path, source, builtIn }: ContractFile): KnownLoad | undefined => {
    const stored = known.get(path);
    if (stored === undefined || stored.source !== source || stored.builtIn !== builtIn) return undefined;
    return stored.states.every(isCurrent) ? stored : undefined;
  };
  return {
    values,
    has: (contract) => findStored(contract) !== undefined,
    find: (contract) => {
      const stored = findStored(contract);
      return stored === undefined ? undefined : { checked: deserialize(stored.checked), files: stored.files };
    },
    add: ({ file: path, source, builtIn }, { files, states }, checked) => {
      known.delete(path);
      changed = true;
      known.set(path, { source, builtIn, states: [...states], files, checked: serialize(checked) });
    },
    save: () => {
      current.clear();
      if (!changed) return;
      changed = false;
      writeLoads(file, version, known);
    },
  };
};

const digestLength = 40;

/** Nothing where the file is not there, not whole or not ours. */
const readLoads = (file: string, version: string): Map<string, KnownLoad> => {
  try {
    const bytes = readFileSync(file);
    const content = bytes.subarray(digestLength);
    if (bytes.toString("latin1", 0, digestLength) !== hash("sha1", content, "hex")) return new Map();
    const stored: StoredLoads = deserialize(content);
    if (stored.version !== version) return new Map();
    const stateAt = (index: number): PlaceState => stored.states[index] ?? ["", "missing"];
    return new Map([...stored.loads].map(([path, load]) => [path, { ...load, states: load.states.map(stateAt) }]));
  } catch {
    return new Map();
  }
};

const writeLoads = (file: string, version: string, known: ReadonlyMap<string, KnownLoad>): void => {
  try {
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true });
    const states: PlaceState[] = [];
    const places = new Map<string, number>();
    const findPlace = (state: PlaceState): number => {
      const key = state.join("\n");
      const place = places.get(key) ?? states.push(state) - 1;
      places.set(key, place);
      return place;
    };
    const kept = [...known].slice(-mostLoads);
    const loads = new Map(kept.map(([path, load]) => [path, { ...load, states: load.states.map(findPlace) }]));
    const content = serialize({ version, states, loads } satisfies StoredLoads);
    // Two containers that share the folder may share the number of the process too.
    const unfinished = `${file}.${randomUUID()}`;
    writeFileSync(unfinished, Buffer.concat([Buffer.from(hash("sha1", content, "hex"), "latin1"), content]));
    renameSync(unfinished, file);
    const written = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const byAge = readdirSync(folder).toSorted((a, b) => written(b) - written(a));
    for (const old of byAge.slice(mostProjects)) rmSync(join(folder, old), { force: true });
  } catch {
    // The next run loads them again.
  }
};

/**
 * Which code loads, and in which settings: Fairlead's own files, those of the packages that they import, Node, and what of the process may decide
 * what a module is or gives.
 */
const loaderVersion = once((): string => {
  const packages = ["zod", "ajv", "fast-check", "scslre"].flatMap((name) => packageFolder(name) ?? []);
  const folders = [
    join(import.meta.dirname, ".."),
    dirname(fileURLToPath(import.meta.resolve("@fairlead/contracts"))),
    dirname(fileURLToPath(import.meta.resolve("@fairlead/contracts/kernel"))),
    ...packages,
  ];
  const states = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test|\.d)\.[cm]?[jt]s$|^package\.json$/.test(name))
      .toSorted()
      .map((name) => {
        const { mtimeMs, ctimeMs, size } = statSync(join(folder, name));
        return `${folder} ${name} ${mtimeMs} ${ctimeMs} ${size}`;
      }),
  );
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  const settings = Object.entries(process.env)
    .filter(([name]) => /^(?:NODE_|LC_|LANG|TZ)/.test(name))
    .map((setting) => setting.join("="))
    .toSorted();
  const machine = [process.version, process.platform, process.arch, process.cwd(), timeZone, locale];
  return hash("sha1", JSON.stringify([machine, process.execArgv, settings, states]), "base64url");
});

const packageFolder = (name: string): string | undefined => {
  try {
    return findPackage(dirname(fileURLToPath(import.meta.resolve(name))))?.folder;
  } catch {
    return undefined;
  }
};
