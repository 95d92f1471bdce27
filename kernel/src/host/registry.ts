/**
 * Loads the services that a manifest names, and checks that each is what it claims to be.
 *
 * Not here: the manifest itself (`manifest-file.ts`), starting services (`lifecycle.ts`) and calling their handlers (dispatch).
 */
import { FairleadError, isContract } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { Service } from "../service/service.ts";
import { type Manifest, manifestVersion, type ServiceEntry } from "./manifest.ts";
import { importModule, resolveModule } from "./module.ts";

interface ServiceSelection {
  /** Ids of services that are there; all services when left out. */
  readonly only: readonly string[] | undefined;
  /** Milliseconds that an import may take. Default 10,000. */
  readonly timeoutMs?: number;
  /** Services without which nothing is loaded: a module of one that throws, hangs or is not a service is a failure. Default: none. */
  readonly needs?: (service: string) => boolean;
}

/** A service that was loaded from a manifest. */
export interface LoadedService extends Service {
  /** Loads it again, for a start after its code could not be read. Left out for services that are given as values. */
  readonly reload?: Effect.Effect<Service, FairleadError>;
  /** Address of its module. */
  readonly module?: string;
}

/**
 * Loads the services of the manifest, in order. In place of one whose module throws, hangs or is not a service is one whose start fails
 * with the reason: the others run.
 */
export const loadServices = Effect.fnUntraced(function* (
  manifest: Manifest,
  { only, timeoutMs = 10_000, needs = () => false }: ServiceSelection,
) {
  if (manifest.version !== manifestVersion) {
    const message = `the manifest has version ${String(manifest.version)}, this kernel reads ${manifestVersion}`;
    return yield* Effect.fail(broken(message, "run `fairlead gen`"));
  }
  const twice = findDuplicate(manifest.services);
  if (twice !== undefined) {
    const message = `the manifest names the service ${twice} twice`;
    return yield* Effect.fail(broken(message, "give each service an id of its own"));
  }
  const entries = manifest.services.filter(({ id }) => only === undefined || only.includes(id));
  return yield* Effect.forEach(
    entries,
    (entry): Effect.Effect<LoadedService, FairleadError> => {
      const reload = loadService(entry, { from: manifest.url, timeoutMs, isRepeat: true }).pipe(
        Effect.catch((cause) => Effect.flatMap(replacement(entry, cause), ({ error }) => Effect.fail(error))),
      );
      return loadService(entry, { from: manifest.url, timeoutMs }).pipe(
        Effect.catch((cause) =>
          Effect.flatMap(replacement(entry, cause), ({ error, service }) =>
            needs(entry.id) ? Effect.fail(error) : Effect.succeed(service),
          ),
        ),
        Effect.map((service) => ({ ...service, reload })),
      );
    },
    { concurrency: "unbounded" },
  );
});

interface ModuleSource {
  /** URL of the manifest. */
  readonly from: string;
  /** Milliseconds that the import may take. Default 10,000. */
  readonly timeoutMs?: number;
  /** True when it was imported before. */
  readonly isRepeat?: boolean;
  /** Imports it in this generation; see `importModule`. */
  readonly generation?: number;
}

/** Loads one service of a manifest. Fails with whatever its module throws, or a `FairleadError` where it is no such service. */
export const loadService = Effect.fnUntraced(function* (
  entry: ServiceEntry,
  { from, timeoutMs = 10_000, isRepeat, generation }: ModuleSource,
) {
  const retry = Effect.map(
    Effect.promise(() => import("./module-generations.ts")),
    ({ retryGeneration }) => retryGeneration(),
  );
  const own = isRepeat === true ? yield* retry : generation;
  const imported = Effect.tryPromise({ try: () => importModule(entry.module, from, own), catch: (cause) => cause });
  // An import cannot be interrupted: one that hangs goes on, unused.
  const late = () =>
    Effect.flatMap(
      Effect.promise(() => import("./broken-code.ts")),
      ({ endless }) => Effect.fail(endless(entry, timeoutMs)),
    );
  const { default: service } = yield* Effect.timeoutOrElse(imported, { duration: timeoutMs, orElse: late });
  if (!isService(service)) {
    const message = `${entry.module} does not export a service`;
    return yield* Effect.fail(broken(message, "its default export must come from `defineService`"));
  }
  if (service.contract.id !== entry.id) {
    const message = `${entry.module} is the service ${service.contract.id}, the manifest calls it ${entry.id}`;
    return yield* Effect.fail(broken(message, "run `fairlead gen`"));
  }
  const loaded: LoadedService = { ...service, module: resolveModule(entry.module, from) };
  return loaded;
});

/** The reason, and what stands for a service that could not be loaded. */
const replacement = (entry: ServiceEntry, cause: unknown) =>
  Effect.map(
    Effect.promise(() => import("./broken-code.ts")),
    ({ unloadable, unloadedService }) => {
      const error = unloadable(entry, cause);
      return { error, service: unloadedService(entry.id, error) };
    },
  );

const isService = (value: unknown): value is Service =>
  typeof value === "object" &&
  value !== null &&
  "contract" in value &&
  isContract(value.contract) &&
  "start" in value &&
  typeof value.start === "function";

/** An id that is taken, by another service or by the kernel's own. */
export const findDuplicate = (entries: readonly Pick<ServiceEntry, "id">[]): string | undefined => {
  const ids = ["kernel", ...entries.map(({ id }) => id)];
  return ids.find((id, at) => ids.indexOf(id) < at);
};

const broken = (message: string, hint: string): FairleadError =>
  new FairleadError({ code: "failed_precondition", message, hint });
