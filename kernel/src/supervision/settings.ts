/**
 * How a service is supervised: what its author declares, what the operator overrides, and the defaults under both. Pure.
 *
 * Not here: what the settings do (`decide.ts`, `child-run.ts`).
 */
import { didYouMean, FairleadError } from "@fairlead/contracts";
import {
  type Backoff,
  type ChildRules,
  defaultBackoff,
  defaultIntensity,
  type Intensity,
  type IntensityPolicy,
} from "./child-state.ts";

type Settable<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Declared beside a service (`supervision`), and overridden in `fairlead.config.ts` (`supervision.<service>`), setting by setting. */
export interface SupervisionSettings {
  /** Milliseconds that a start may take. Default 30,000. */
  readonly startTimeoutMs?: number | undefined;
  /** Milliseconds that running calls may take to finish when the service stops; then they are ended. Default 3,000. */
  readonly graceMs?: number | undefined;
  /** Milliseconds that releasing is waited for, and before it calls that ignore their end. Default 5,000. */
  readonly stopTimeoutMs?: number | undefined;
  /** Quick restarts that are borne in a window. Default 5 in 60,000 ms. */
  readonly intensity?: Settable<Intensity> | undefined;
  /** What one restart more than that does. Default `retry`: slowly, for ever. */
  readonly exceeded?: IntensityPolicy | undefined;
  /** Pauses between restarts. Default: none before the first, then up to 100 ms * 2^n, to 3 s; to 30 s once they go on slowly. */
  readonly backoff?: Settable<Backoff> | undefined;
  /** Services that must be ready before this one starts, and that stop only after it. Default: none. */
  readonly startAfter?: readonly string[] | undefined;
  /** True where the kernel is of no use without it: `/readyz` is 503 while it is not ready. Default false. */
  readonly required?: boolean | undefined;
  /** Services whose restart restarts this one, which also starts after them (OTP's `rest_for_one`). Default: none. */
  readonly restartWith?: readonly string[] | undefined;
}

/** The settings of one service, complete. */
export interface ServiceSupervision {
  readonly startMs: number;
  readonly graceMs: number;
  readonly stopMs: number;
  readonly required: boolean;
  readonly rules: ChildRules;
}

/** The author's settings below the operator's, above the defaults. */
export const completeSettings = (
  author: SupervisionSettings = {},
  operator: SupervisionSettings = {},
): ServiceSupervision => {
  const set = { ...author, ...defined(operator) };
  const restartWith = set.restartWith ?? [];
  return {
    startMs: set.startTimeoutMs ?? 30_000,
    graceMs: set.graceMs ?? 3_000,
    stopMs: set.stopTimeoutMs ?? 5_000,
    required: set.required ?? false,
    rules: {
      intensity: { ...defaultIntensity, ...defined(author.intensity), ...defined(operator.intensity) },
      backoff: { ...defaultBackoff, ...defined(author.backoff), ...defined(operator.backoff) },
      exceeded: set.exceeded ?? "retry",
      startAfter: [...new Set([...(set.startAfter ?? []), ...restartWith])],
      restartWith,
    },
  };
};

const defined = <T extends object>(settings: T | undefined): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

interface SupervisedService {
  readonly contract: { readonly id: string };
  readonly supervision?: SupervisionSettings;
}

/**
 * The settings of all services. `known` are the ids of all that there could be: one that does not run here is not waited for. Throws a
 * `FairleadError` (`invalid_argument`) for a dependency that is not a service, and for services that wait for each other.
 */
export const readSupervision = (
  operator: Readonly<Record<string, SupervisionSettings>>,
  services: readonly SupervisedService[],
  known: readonly string[] = services.map(({ contract }) => contract.id),
): ReadonlyMap<string, ServiceSupervision> => {
  const all = new Map(
    services.map(({ contract: { id }, supervision }) => [
      id,
      completeSettings(supervision, Object.hasOwn(operator, id) ? operator[id] : {}),
    ]),
  );
  for (const [id, { rules }] of all) {
    const unknown = rules.startAfter.find((other) => !known.includes(other));
    if (unknown !== undefined) throw noSuchService(id, unknown, known);
  }
  const cycle = findCycle(new Map([...all].map(([id, { rules }]) => [id, rules.startAfter])));
  if (cycle !== undefined) throw waitingInCircle(cycle);
  return all;
};

/** The ids along a circle, the first one again at its end; nothing where there is none. */
export const findCycle = (edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined => {
  const done = new Set<string>();
  const search = (id: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (done.has(id)) return undefined;
    for (const next of edges.get(id) ?? []) {
      const found = search(next, [...path, id]);
      if (found !== undefined) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const id of edges.keys()) {
    const found = search(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
};

const noSuchService = (id: string, unknown: string, known: readonly string[]): FairleadError => {
  const near = didYouMean(unknown, known);
  return new FairleadError({
    code: "invalid_argument",
    message: `${id} starts after ${unknown}, and there is no such service`,
    hint: near === undefined ? `the services are ${known.join(", ")}` : `did you mean ${near}?`,
  });
};

const waitingInCircle = (cycle: readonly string[]): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: `services wait for each other: ${cycle.join(" starts after ")}`,
    hint: "remove one of them from `startAfter` or `restartWith`, where the service is defined or in `supervision` of the configuration",
  });
