/**
 * Loads the services that a manifest names, and checks that each is what it claims to be.
 *
 * Not here: the manifest itself (`manifest-file.ts`), starting services (`lifecycle.ts`) and calling their handlers (dispatch).
 */
import { FairleadError, isContract } from "@fairlead/contracts";
import type { Service } from "../service/service.ts";
import { type Manifest, manifestVersion, type ServiceEntry } from "./manifest.ts";
import { importModule } from "./module.ts";

export interface ServiceSelection {
  /** Ids of services that are there; all services when left out. */
  readonly only: readonly string[] | undefined;
  /** Milliseconds that an import may take. Default 10,000. */
  readonly timeoutMs?: number;
  /** True to fail on the first module that throws, hangs or is no service. Default false. */
  readonly strict?: boolean;
}

/**
 * Loads the services of the manifest, in order. In place of one whose module throws, hangs or is no service stands one whose start fails
 * with the reason: the others run.
 */
export const loadServices = async (
  manifest: Manifest,
  { only, timeoutMs = 10_000, strict = false }: ServiceSelection,
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
      try {
        return await load(entry, manifest.url, timeoutMs);
      } catch (cause) {
        const { unloadable, unloadedService } = await import("./broken-code.ts");
        const error = unloadable(entry, cause);
        if (strict) throw error;
        return unloadedService(entry.id, error);
      }
    }),
  );
};

const load = async (entry: ServiceEntry, manifestUrl: string, timeoutMs: number): Promise<Service> => {
  const module = await within(timeoutMs, importModule(entry.module, manifestUrl));
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

/** An import cannot be interrupted: one that hangs goes on, and nobody waits for it. */
const within = async <T>(ms: number, imported: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`its import did not end within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([imported, late]);
  } finally {
    clearTimeout(timer);
  }
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
