/**
 * Writes a new contract and its service: two files that work, to be changed. Never overwrites anything.
 *
 * A workspace whose contracts are a package of their own gets a service package; any other project a file beside the contract
 * folder. Not here: the text of the files (`scaffold-text`), and generating from them (`generate`).
 */

import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import type { GenConfig } from "@fairlead/contracts";
import { findPackage, outFolders, toSlashes, toSpecifier } from "../model/project.ts";
import { idRefusal } from "../names/reserved.ts";
import { configText, contractText, packageTexts, serviceText, testText, type Workspace } from "./scaffold-text.ts";

/** Where the new service goes, and its id. */
export interface ScaffoldOptions {
  /** The project's root folder, absolute. */
  readonly root: string;
  readonly config: GenConfig;
  /** Id of the new contract. */
  readonly id: string;
  /** Whether the project has the test runner; looked up in its package.json when left out. */
  readonly hasTests?: boolean;
  /** The configuration's file; one is written when there is none. */
  readonly settings?: { readonly path: string; readonly namesManifest: boolean };
}

/** The files that were written, or why none was. */
export type ScaffoldResult =
  /** `created`: paths from the root. `next`: what to do now, as instructions. */
  | { readonly ok: true; readonly created: readonly string[]; readonly next: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly fix: string };

/** Leaves room for a tool name that starts with the id. */
const idPattern = /^[a-z][a-z0-9]{0,23}$/;

/** Why there can be no service of that id. `relay`: the service that an imported one's calls go through. */
export const refusedId = (
  { id, config }: ScaffoldOptions,
  relay?: string,
): Extract<ScaffoldResult, { ok: false }> | undefined => {
  if (!idPattern.test(id)) return wrongId(id);
  const included = config.include.map((module) => module.slice(module.lastIndexOf("/") + 1).replace("service-", ""));
  const shipped = ["kernel", ...included, ...(relay === undefined ? [] : [relay])];
  const fix = "choose another id";
  if (shipped.includes(id)) return { ok: false, message: `${id} is a service that ships with Fairlead`, fix };
  const reserved = idRefusal(id, false);
  return reserved === undefined
    ? undefined
    : { ok: false, message: `no service can be called ${id}: ${reserved}`, fix };
};

const wrongId = (id: string): Extract<ScaffoldResult, { ok: false }> => ({
  ok: false,
  message: `${JSON.stringify(id)} is not 1 to 24 lower-case letters and digits, starting with a letter`,
  fix: "choose an id like `weather`",
});

/** Writes the contract, the service and the test of a new id; overwrites nothing. */
export const scaffold = async (options: ScaffoldOptions): Promise<ScaffoldResult> => {
  const refused = refusedId(options);
  if (refused !== undefined) return refused;
  const { files, next } = planFiles(options);
  const taken = Object.keys(files).find((path) => existsSync(resolve(options.root, path)));
  if (taken !== undefined) {
    return { ok: false, message: `${taken} exists already`, fix: "choose another id, or remove the file" };
  }
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(options.root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
  return { ok: true, created: Object.keys(files), next };
};

interface ScaffoldPlan {
  readonly files: Readonly<Record<string, string>>;
  readonly next: readonly string[];
}

const planFiles = (options: ScaffoldOptions): ScaffoldPlan => {
  const { id, root, config, settings } = options;
  const { contract, core, service, contractModule, rest, inWorkspace } = planLayout(options);
  const manifest = toSpecifier(resolve(root), join(outFolders(root, config).kernel, "manifest.ts"));
  const unnamed = `add \`manifest: "${manifest}"\` to ${toSlashes(relative(root, settings?.path ?? ""))}; without it the new service does not run`;
  return {
    files: {
      [contract]: contractText(id, core),
      ...rest,
      [service]: serviceText(id, contractModule),
      ...((inWorkspace || (options.hasTests ?? hasTestRunner(root))) && {
        [`${dirname(service)}/service.test.ts`]: testText(id),
      }),
      ...(!inWorkspace && settings === undefined && { "fairlead.config.ts": configText(manifest) }),
    },
    next: [
      `edit ${contract} and ${service}`,
      ...(inWorkspace ? ["run `npm install`"] : missingPackages(root)),
      ...(!inWorkspace && settings?.namesManifest === false ? [unnamed] : []),
      "run `fairlead gen`",
    ],
  };
};

/** Where a contract and its service are. Paths are relative to the root. */
export interface ServiceLayout {
  readonly contract: string;
  /** The module of the contract language, for the contract. */
  readonly core: string;
  readonly service: string;
  /** The contract's module, for the service. */
  readonly contractModule: string;
  /** The service's other files, by path: the files of a package. */
  readonly rest: Readonly<Record<string, string>>;
  readonly inWorkspace: boolean;
}

interface LayoutOptions extends ScaffoldOptions {
  /** Packages of ours that the service needs in addition to the contracts and the kernel. */
  readonly dependencies?: readonly string[];
}

export const planLayout = ({ root, config, id, dependencies = [] }: LayoutOptions): ServiceLayout => {
  const contracts = config.contracts[0] ?? "contracts";
  const contract = `${contracts}/${id}.contract.ts`;
  const owner = findPackage(resolve(root, contracts));
  const folder = `${config.services}/${id}`;
  if (owner?.name !== "@fairlead/contracts") {
    const service = `${folder}/service.ts`;
    const contractModule = toSpecifier(dirname(resolve(root, service)), resolve(root, contract));
    return { contract, core: "@fairlead/contracts", service, contractModule, rest: {}, inWorkspace: false };
  }
  const workspace: Workspace = {
    version: readPackageField(owner.folder, "version") ?? "0.1.0",
    root: toSlashes(relative(resolve(root, folder), resolve(root))) || ".",
    zod: readPackageField(owner.folder, "dependencies", "zod"),
    vitest: readPackageField(resolve(root), "devDependencies", "vitest"),
    dependencies,
  };
  const files = Object.entries(packageTexts(id, workspace)).map(([path, text]) => [`${folder}/${path}`, text] as const);
  return {
    contract,
    core: toSpecifier(resolve(root, contracts), join(owner.folder, "src/core/index.ts")),
    service: `${folder}/src/service.ts`,
    contractModule: `@fairlead/contracts/${id}`,
    rest: Object.fromEntries(files),
    inWorkspace: true,
  };
};

/** What the files and the generated code import. */
const imported = ["@fairlead/client", "@fairlead/contracts", "@fairlead/kernel", "zod"];

/** What to install before `fairlead gen` can load the contract. */
const missingPackages = (root: string): readonly string[] => {
  const { resolve: find } = createRequire(join(resolve(root), "package.json"));
  const missing = imported.filter((name) => {
    try {
      return find(`${name}/package.json`) === "";
    } catch {
      return true;
    }
  });
  if (missing.length === 0) return [];
  const isProject = existsSync(join(resolve(root), "package.json"));
  const first = isProject ? "" : "there is no package.json: run `npm init -y` and `npm pkg set type=module`, then ";
  return [`${first}${isProject ? "run " : ""}\`npm install ${missing.join(" ")}\``];
};

/** Whether a project outside of this repository tests with Vitest. */
const hasTestRunner = (root: string): boolean =>
  existsSync(join(resolve(root), "package.json")) &&
  readPackageField(resolve(root), "devDependencies", "vitest") !== undefined;

/** A text in a folder's package.json, by its path there. */
const readPackageField = (folder: string, ...path: readonly string[]): string | undefined => {
  let at: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const name of path) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  return typeof at === "string" ? at : undefined;
};
