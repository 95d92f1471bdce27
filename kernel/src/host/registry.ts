/**
 * Loads the services that a manifest names, and checks that each is what it claims to be.
 *
 * Not here: the manifest itself (`manifest-file.ts`), starting services (`lifecycle.ts`) and calling their handlers (dispatch).
 */
import { FairleadError, isContract } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
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
export const loadServices = Effect.fnUntraced(function* (
  manifest: Manifest,
  { only, timeoutMs = 10_000, strict = false }: ServiceSelection,
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
    (entry) =>
      Effect.catch(load(entry, manifest.url, timeoutMs), (cause) =>
        Effect.flatMap(replacement(entry, cause), ({ error, service }) =>
          strict ? Effect.fail(error) : Effect.succeed(service),
        ),
      ),
    { concurrency: "unbounded" },
  );
});

const load = Effect.fnUntraced(function* (entry: ServiceEntry, manifestUrl: string, timeoutMs: number) {
  const imported = Effect.tryPromise({ try: () => importModule(entry.module, manifestUrl), catch: (cause) => cause });
  // An import cannot be interrupted: one that hangs goes on, unused.
  const late = () => Effect.fail(new Error(`its import did not end within ${timeoutMs} ms`));
  const { default: service } = yield* Effect.timeoutOrElse(imported, { duration: timeoutMs, orElse: late });
  if (!isService(service)) {
    const message = `${entry.module} does not export a service`;
    return yield* Effect.fail(broken(message, "its default export must come from `defineService`"));
  }
  if (service.contract.id !== entry.id) {
    const message = `${entry.module} is the service ${service.contract.id}, the manifest calls it ${entry.id}`;
    return yield* Effect.fail(broken(message, "run `fairlead gen`"));
  }
  return service;
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
const findDuplicate = (entries: readonly ServiceEntry[]): string | undefined => {
  const ids = ["kernel", ...entries.map(({ id }) => id)];
  return ids.find((id, at) => ids.indexOf(id) < at);
};

const broken = (message: string, hint: string): FairleadError =>
  new FairleadError({ code: "failed_precondition", message, hint });
