/**
 * What was proved before, in a file below `node_modules/.cache`: a schema that stays as it was costs nothing again, in this process or
 * the next. Losing the file costs time alone.
 *
 * Not here: what is proved (`prove`).
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ProofFinding } from "./finding.ts";

/** Findings by the content of what was proved; none for most. */
export type KnownProofs = ReadonlyMap<string, readonly ProofFinding[]>;

/** Of one project; the oldest are dropped. */
const mostProofs = 20_000;

/** Where a project's proofs are; `undefined` where nothing is installed. */
export const proofFile = (root: string): string | undefined => {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    if (existsSync(modules)) return join(modules, ".cache/fairlead/proofs.json");
    if (dirname(folder) === folder) return undefined;
  }
};

/** Nothing where the file is not there or not ours. */
export const readProofs = (file: string | undefined): KnownProofs => {
  if (file === undefined) return new Map();
  try {
    return new Map(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return new Map();
  }
};

/** Adds to the file. Never throws: a project may be read-only. */
export const addProofs = (file: string | undefined, fresh: KnownProofs): void => {
  if (file === undefined || fresh.size === 0) return;
  try {
    const all = [...new Map([...readProofs(file), ...fresh])].slice(-mostProofs);
    mkdirSync(dirname(file), { recursive: true });
    const unfinished = `${file}.${randomUUID()}`;
    writeFileSync(unfinished, JSON.stringify(all));
    renameSync(unfinished, file);
  } catch {
    // The next run proves them again.
  }
};
