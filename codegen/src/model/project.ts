/**
 * The project as emitters see it: the services of the model, the modules that implement them, and how generated files reach
 * each other and the packages they import.
 *
 * Reads package names and looks for files; it imports no code. Not here: contracts (`load`).
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { GenConfig } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import type { ServiceModel } from "./model.ts";
import { packagedService } from "./service-package.ts";

/** A service that the manifest names. */
interface ServiceModule {
  readonly id: string;
  /** A package name, or a path relative to the manifest. */
  readonly module: string;
}

/** Where generated files import from. */
interface ImportSpecifiers {
  /** Module of `Manifest`, `ToolEntry` and `Dispatch`. */
  readonly manifest: string;
  readonly call: string;
  readonly router: string;
  /** Module of `AppRecord`, the router's types; left out where the kernel's package may not know the client's. */
  readonly record?: string;
  readonly descriptor: string;
  /** What comes before the name of a schema document in the manifest: a folder, or a package. */
  readonly schemas: { readonly from: "folder" | "package"; readonly base: string };
}

/** Everything the emitters read. */
export interface GeneratorProject {
  /** Sorted by id. */
  readonly services: readonly ServiceModel[];
  readonly modules: readonly ServiceModule[];
  /** Folders relative to the root, with forward slashes. */
  readonly out: OutFolders;
  readonly imports: ImportSpecifiers;
}

/** Where generated files go, by kind. */
export interface OutFolders {
  readonly schemas: string;
  readonly kernel: string;
  readonly client: string;
  /** The Python package of clients, where the project has one. */
  readonly python?: string;
}

/** A file that the generator makes. */
export interface GeneratedFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export const toSlashes = (path: string): string => path.split(sep).join("/");

/** A relative path as an import specifier. */
export const toSpecifier = (from: string, to: string): string => {
  const path = toSlashes(relative(from, to));
  if (path === "") return ".";
  return path.startsWith(".") ? path : `./${path}`;
};

export const outFolders = (root: string, { out, python }: GenConfig): OutFolders => {
  const at = typeof out === "string" ? { schemas: out, kernel: out, client: out } : out;
  return {
    schemas: resolve(root, at.schemas),
    kernel: resolve(root, at.kernel),
    client: resolve(root, at.client),
    ...(python !== undefined && { python: resolve(root, python) }),
  };
};

interface PackageFolder {
  readonly folder: string;
  readonly name: string | undefined;
}

/** The package that a folder belongs to, whether or not the folder exists yet. */
export const findPackage = (folder: string): PackageFolder | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    const name = packageName(at);
    if (name !== undefined) return { folder: at, name: name === "" ? undefined : name };
    if (dirname(at) === at) return undefined;
  }
};

/** Name in a folder's package.json: empty when it has none, `undefined` when there is no readable file. */
const packageName = (folder: string): string | undefined => {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof name === "string" ? name : "";
  } catch {
    return undefined;
  }
};

/** The module of a service's generated TypeScript client: of our own package by its name, elsewhere from a folder. `undefined` where there is none. */
export const clientModule = (
  { root, config }: { readonly root: string; readonly config: GenConfig },
  service: string,
  from: string,
): string | undefined => {
  const folder = outFolders(root, config).client;
  if (!existsSync(join(folder, `${service}.ts`))) return undefined;
  const { name } = findPackage(folder) ?? {};
  return name === "@fairlead/client" ? `${name}/${service}` : `${toSpecifier(from, folder)}/${service}.ts`;
};

/** Inside our own packages generated files import the sources beside them; everywhere else they import the packages. */
export const resolveImports = (out: OutFolders): ImportSpecifiers => {
  const kernel = findPackage(out.kernel);
  const client = findPackage(out.client);
  const schemas = findPackage(out.schemas);
  const inKernel =
    kernel?.name === "@fairlead/kernel" ? toSpecifier(out.kernel, join(kernel.folder, "src")) : undefined;
  const inClient =
    client?.name === "@fairlead/client" ? toSpecifier(out.client, join(client.folder, "src")) : undefined;
  return {
    manifest: inKernel === undefined ? "@fairlead/kernel" : `${inKernel}/host/manifest.ts`,
    call: inKernel === undefined ? "@fairlead/kernel" : `${inKernel}/call/call.ts`,
    router: inKernel === undefined ? "@fairlead/kernel/trpc" : `${inKernel}/transport/trpc/router.ts`,
    ...(inKernel === undefined && { record: `${toSpecifier(out.kernel, out.client)}/app-router.ts` }),
    descriptor: inClient === undefined ? "@fairlead/client" : `${inClient}/descriptor.ts`,
    schemas:
      schemas?.name !== undefined && schemas.folder !== kernel?.folder
        ? { from: "package", base: `${schemas.name}/${toSlashes(relative(schemas.folder, out.schemas))}` }
        : { from: "folder", base: toSpecifier(out.kernel, out.schemas) },
  };
};

const serviceFiles = (id: string): readonly string[] =>
  [`${id}/service`, `${id}/src/service`, `${id}.service`].flatMap((path) => [`${path}.ts`, `${path}.js`]);

/** Finds the module of each service. A contract without one is offered to clients all the same, and warned about. */
export const findModules = (
  root: string,
  config: GenConfig,
  services: readonly ServiceModel[],
): { readonly modules: readonly ServiceModule[]; readonly diagnostics: readonly Diagnostic[] } => {
  const folder = resolve(root, config.services);
  const manifest = outFolders(root, config).kernel;
  const modules: ServiceModule[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { id, source } of services) {
    if (id === "kernel") continue;
    const name = packageName(join(folder, id));
    const file = serviceFiles(id).find((path) => existsSync(join(folder, path)));
    const packaged = config.include.includes(source) ? packagedService(manifest, source) : undefined;
    if (name !== undefined && name !== "") {
      modules.push({ id, module: name });
      if (!isInstalled(name, manifest)) {
        diagnostics.push(
          diagnostic(
            "service_not_installed",
            { source, where: id },
            {
              message: `the package \`${name}\` of the service cannot be resolved from ${toSlashes(relative(root, manifest))}`,
              fix: "run `npm install`",
            },
          ),
        );
      }
    } else if (file !== undefined) {
      modules.push({ id, module: toSpecifier(manifest, join(folder, file)) });
    } else if (packaged !== undefined) {
      modules.push({ id, module: packaged });
    } else {
      diagnostics.push(
        diagnostic(
          "service_missing",
          { source, where: id },
          {
            message: `no service implements the contract: there is no ${config.services}/${id}`,
            fix: `write ${config.services}/${id}/service.ts, or run \`fairlead new\` for the next one`,
          },
        ),
      );
    }
  }
  return { modules, diagnostics };
};

const isInstalled = (name: string, from: string): boolean => {
  try {
    createRequire(join(from, "manifest.ts")).resolve(`${name}/package.json`);
    return true;
  } catch (failure) {
    return failure instanceof Error && "code" in failure && failure.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
};
