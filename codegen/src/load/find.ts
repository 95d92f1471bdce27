/**
 * Finds contract files; imports nothing. The kernel's own contract is always among them.
 *
 * Not here: what is in the files (`read`), and noticing changes (`watch`).
 */
import { existsSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import type { GenConfig } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import { findPackage, toSlashes } from "../model/project.ts";
import { resolveContract } from "../model/service-package.ts";

/** A file that should hold contracts. */
export interface ContractFile {
  /** Absolute, with links resolved. */
  readonly file: string;
  /** How messages and banners name it: relative to the root, or the specifier it came by. */
  readonly source: string;
  /** The kernel's own, which may use reserved names. */
  readonly builtIn: boolean;
  /** Its schemas were proved where it was made, with the same packages: in Fairlead's repository. */
  readonly isProved?: true;
}

const builtIn = "@fairlead/contracts/kernel";

/** Lists the contract files of a project, sorted by path; the kernel's comes first. */
export const findContracts = async (
  root: string,
  config: GenConfig,
): Promise<{ readonly files: readonly ContractFile[]; readonly diagnostics: readonly Diagnostic[] }> => {
  const files = new Map<string, ContractFile>();
  const diagnostics: Diagnostic[] = [];
  const beside = contractBeside(root, config);
  const kernel = realpathSync(beside ?? createRequire(import.meta.url).resolve(builtIn));
  files.set(kernel, { file: kernel, source: builtIn, builtIn: true, ...(beside === undefined && { isProved: true }) });
  for (const specifier of config.include) {
    const file = resolveContract(root, specifier);
    if (file === undefined) {
      diagnostics.push(
        diagnostic(
          "include_not_found",
          { source: ".", where: "" },
          {
            message: `the contract ${JSON.stringify(specifier)} in \`include\` cannot be resolved from the project's root`,
            fix: "install its package, or correct the specifier",
          },
        ),
      );
    } else if (!files.has(file)) {
      files.set(file, { file, source: specifier, builtIn: false });
    }
  }
  for (const folder of config.contracts) {
    for (const file of await search(resolve(root, folder))) {
      if (!files.has(file))
        files.set(file, { file, source: toSlashes(relative(realpathSync(root), file)), builtIn: false });
    }
  }
  return { files: [...files.values()], diagnostics };
};

/** In a copy of the contracts package itself, the kernel's contract that is there. */
const contractBeside = (root: string, config: GenConfig): string | undefined => {
  const own = config.contracts
    .map((folder) => findPackage(resolve(root, folder)))
    .find((owner) => owner?.name === "@fairlead/contracts");
  const beside = own === undefined ? undefined : join(own.folder, "src/kernel.contract.ts");
  return beside !== undefined && existsSync(beside) ? beside : undefined;
};

const search = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && /\.contract\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](?:node_modules|\.[^\\/]*)[\\/]/.test(file.slice(folder.length)))
    .toSorted()
    .map((file) => realpathSync(file));
};
