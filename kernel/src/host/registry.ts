/**
 * Loads the services that a manifest names, and checks that each is what it claims to be.
 *
 * Not here: the manifest itself (`manifest-file.ts`), starting services (`lifecycle.ts`) and calling their handlers (dispatch).
 */
import { FairleadError, isContract } from "@fairlead/contracts";
import type { Service } from "../service/service.ts";
import { type Manifest, manifestVersion, type ServiceEntry } from "./manifest.ts";
import { importModule } from "./module.ts";
import type { CodeLoading } from "./service-instance.ts";

export interface ServiceSelection {
  /** Ids of services that are there; all services when left out. */
  readonly only: readonly string[] | undefined;
  readonly code: CodeLoading;
}

/** Loads the services of the manifest, in order. Fails on the first module that is not a service of that id. */
export const loadServices = async (
  manifest: Manifest,
  { only, code }: ServiceSelection,
): Promise<readonly Service[]> => {
  if (manifest.version !== manifestVersion) {
    throw broken(
      `the manifest has version ${String(manifest.version)}, this kernel reads ${manifestVersion}`,
      "run `fairlead gen`",
    );
  }
  refuseDuplicates(manifest.services);
  const entries = manifest.services.filter(({ id }) => only === undefined || only.includes(id));
  return Promise.all(
    entries.map(async (entry) => {
      const service = await load(entry, manifest.url);
      if (code === "all") await service.code?.().catch(unloadable(entry));
      return service;
    }),
  );
};

const load = async (entry: ServiceEntry, manifestUrl: string): Promise<Service> => {
  const module = await importModule(entry.module, manifestUrl).catch(unloadable(entry));
  const service: unknown = module.default;
  if (!isService(service)) {
    throw broken(`${entry.module} does not export a service`, "its default export must come from `defineService`");
  }
  if (service.contract.id !== entry.id) {
    throw broken(
      `${entry.module} is the service ${service.contract.id}, the manifest calls it ${entry.id}`,
      "run `fairlead gen`",
    );
  }
  return service;
};

const unloadable =
  ({ id, module }: ServiceEntry) =>
  async (cause: unknown): Promise<never> => {
    const { brokenCode } = await import("./broken-code.ts");
    throw brokenCode(`the service ${id} in ${module}`, cause, "install it, or run `fairlead gen`");
  };

const isService = (value: unknown): value is Service =>
  typeof value === "object" &&
  value !== null &&
  "contract" in value &&
  isContract(value.contract) &&
  "start" in value &&
  typeof value.start === "function";

const refuseDuplicates = (entries: readonly ServiceEntry[]): void => {
  const seen = new Set<string>(["kernel"]);
  for (const { id } of entries) {
    if (seen.has(id)) throw broken(`the manifest names the service ${id} twice`, "give each service an id of its own");
    seen.add(id);
  }
};

const broken = (message: string, hint: string): FairleadError =>
  new FairleadError({ code: "failed_precondition", message, hint });
