/**
 * Replaces the code of services while the kernel runs: imported again, and, where the contracts have changed, together with all that was generated
 * from them. Everything else lives on. Code that cannot be loaded or does not start leaves what ran before.
 *
 * Not here: noticing that a file has changed, and which services it belongs to (the command line).
 */
import type { FairleadError, WireError } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { readSections } from "../config/sections.ts";
import { unloadable } from "../host/broken-code.ts";
import type { ServiceSource } from "../host/lifecycle.ts";
import type { LiveManifest, Manifest } from "../host/manifest.ts";
import { reloadManifest } from "../host/manifest-file.ts";
import { loadService } from "../host/registry.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { Host } from "../service/host.ts";
import type { Service } from "../service/service.ts";
import * as Parts from "./parts.ts";

export interface ReloadRequest {
  /** Larger than that of any reload before. */
  readonly generation: number;
  /** Ids of the services to load again. */
  readonly services: readonly string[];
  /** Whether what is generated has changed as well. Then it is all of the services or none. */
  readonly contracts: boolean;
}

/** How it went for one service. */
export interface ReloadedService {
  readonly service: string;
  /** Why its new code does not run. What ran before runs on. */
  readonly error?: WireError;
}

/** A service with its code: what runs, or what is to run. */
interface LoadedCode {
  readonly instance: ServiceInstance;
  readonly source: ServiceSource;
  readonly service: Service;
  readonly host: Host;
}

export const reload = Effect.fnUntraced(function* (
  parts: Context.Context<Parts.KernelParts>,
  live: LiveManifest,
  { generation, services, contracts }: ReloadRequest,
) {
  const { catalog, adopt } = Context.get(parts, Parts.KernelRegistry);
  const supervisor = Context.get(parts, Parts.KernelSupervision);

  /** Puts the code in its place and starts it. Gives the errors of those that do not start, by id. */
  const run = Effect.fnUntraced(function* (codes: readonly LoadedCode[]) {
    for (const { source, service, host } of codes) {
      Object.assign(source, { service, host });
      adopt(service.contract);
    }
    for (const { instance } of codes) supervisor.restart(instance.id);
    yield* Effect.forEach(codes, ({ instance }) => untilSettled(instance));
    return new Map(codes.flatMap(({ instance: { id, state } }) => ("error" in state ? [[id, state.error]] : [])));
  });

  const read = contracts ? yield* Effect.result(readGenerated(live.url, generation)) : undefined;
  if (read !== undefined && Result.isFailure(read)) {
    const error = read.failure.toJSON();
    return services.map((service): ReloadedService => ({ service, error }));
  }
  const generated = read?.success;
  const from = generated?.manifest ?? live;
  const loaded = yield* Effect.forEach(
    services,
    (id) => Effect.map(Effect.result(load(parts, from, { id, generation })), (result) => ({ id, result })),
    { concurrency: "unbounded" },
  );
  const failures = new Map(
    loaded.flatMap(({ id, result }) => (Result.isFailure(result) ? [[id, result.failure.toJSON()]] : [])),
  );
  const report = (errors: ReadonlyMap<string, WireError>): readonly ReloadedService[] =>
    services.map((service) => {
      const error = failures.get(service) ?? errors.get(service);
      return { service, ...(error !== undefined && { error }) };
    });
  if (contracts && failures.size > 0) return report(new Map());

  const next = loaded.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : []));
  const before = next.map(({ instance, source }) => ({ instance, source, ...source }));
  const broken = yield* run(next);
  if (broken.size > 0) yield* run(contracts ? before : before.filter(({ instance: { id } }) => broken.has(id)));
  // Documents and lists follow once the code runs that they are about.
  const isNew = generated !== undefined && broken.size === 0;
  if (isNew) live.replace(generated.manifest);
  catalog.contractsChanged(isNew ? generated.tools : undefined);
  return report(broken);
});

/** A service that is started again is stopped for a moment, which is not where it ends up. */
const untilSettled = Effect.fnUntraced(function* (instance: ServiceInstance) {
  do yield* Effect.promise(() => instance.settled());
  while (instance.isPending);
});

/** A new manifest with its tools, which sessions need at once. */
const readGenerated = Effect.fnUntraced(function* (url: string, generation: number) {
  const manifest = yield* Effect.tryPromise({
    try: () => reloadManifest(url, generation),
    catch: (cause) => cause as FairleadError,
  });
  const tools = yield* Effect.promise(() => manifest.tools());
  return { manifest, tools };
});

/** The new code of a service with its settings, not started. */
const load = Effect.fnUntraced(function* (
  parts: Context.Context<Parts.KernelParts>,
  { services, url }: Manifest,
  { id, generation }: { readonly id: string; readonly generation: number },
) {
  const { sources, hostWith } = Context.get(parts, Parts.KernelSources);
  const config = Context.get(parts, Parts.KernelConfig);
  const { redactor } = Context.get(parts, Parts.KernelInputs);
  const instance = Context.get(parts, Parts.KernelRegistry).instances.get(id);
  const source = sources.get(id);
  const entry = services.find((each) => each.id === id) ?? { id, module: "the manifest" };
  const refused = (cause: unknown): FairleadError => unloadable(entry, cause);
  if (instance === undefined || source === undefined) return yield* Effect.fail(refused(new Error("it does not run")));
  const service = yield* Effect.mapError(loadService(entry, { from: url, generation }), refused);
  const sections = yield* Effect.try({ try: () => readSections(config.services, [service], redactor), catch: refused });
  return { instance, source, service, host: hostWith(id, sections) };
});
