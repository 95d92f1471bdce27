/**
 * Loads a generated manifest. An entry of its own, because a command reads what it holds without starting a kernel.
 *
 * Not here: loading the services that it names (`registry.ts`).
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FairleadError } from "@fairlead/contracts";
import type { Manifest, ServiceEntry } from "./manifest.ts";
import { importModule, isPath, resolveModule } from "./module.ts";

export { resolveModule };

/**
 * Loads a generated manifest from a path; the kernel's own when there is none, which has no services, in this repository aside. What is wrong with
 * it is wrong configuration.
 */
export const loadManifest = async (path: string | undefined, from: string): Promise<Manifest> => {
  if (path === undefined) return (await import("../../gen/manifest.ts")).default;
  const file = isPath(path) ? fileURLToPath(resolveModule(path, from)) : undefined;
  if (file !== undefined && !existsSync(file)) throw noManifest(`the manifest ${file} does not exist`);
  const manifest: unknown = await Promise.try(importModule, path, from).then(
    (module) => module.default,
    (cause: unknown) => {
      throw noManifest(`the manifest ${file ?? path} could not be loaded: ${errorMessage(cause)}`, cause);
    },
  );
  if (isManifest(manifest)) return manifest;
  throw noManifest(`${file ?? path} is not a manifest`);
};

/** The manifest at that address as it is on the disk now, with all that it imports. Needs `followModules`. */
export const reloadManifest = async (url: string, generation: number): Promise<Manifest> => {
  const module = await importModule(url, url, generation).catch((cause: unknown) => {
    throw noManifest(`the manifest ${fileURLToPath(url)} could not be loaded: ${errorMessage(cause)}`, cause);
  });
  if (isManifest(module.default)) return module.default;
  throw noManifest(`${fileURLToPath(url)} is not a manifest`);
};

/** The file of a service that a manifest names; `undefined` where there is no such package. */
export const serviceFile = ({ module }: ServiceEntry, { url }: Manifest): string | undefined => {
  try {
    return fileURLToPath(resolveModule(module, url));
  } catch {
    return undefined;
  }
};

const noManifest = (message: string, cause?: unknown): FairleadError => {
  const hint =
    "run `fairlead gen`, or correct `manifest` in the configuration or FAIRLEAD_MANIFEST; a path begins with ./ or /";
  return new FairleadError({ code: "invalid_argument", message, hint }, { cause });
};

const isManifest = (value: unknown): value is Manifest =>
  typeof value === "object" &&
  value !== null &&
  "version" in value &&
  "services" in value &&
  Array.isArray(value.services);

const errorMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
