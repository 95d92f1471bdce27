/**
 * A service that is in the kernel while its code runs in another place: its handlers send their calls through the placement port, and
 * what it says about itself is what was last heard of it. Read when a service is placed for the first time: one that is local is what it is.
 *
 * A service with workers is in the kernel as well: only some of its procedures are placed. Not here: the places (`thread.ts`, `workers.ts`), the port (`placement.ts`).
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Contract, encoder, FairleadError, type Procedure, type Schema } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { failure, mayHaveRun, notAvailable } from "../call/error.ts";
import type { ActiveCall } from "../dispatch/active-call.ts";
import type { LoadedService } from "../host/registry.ts";
import { startService } from "../host/start-service.ts";
import { type AnyHandler, type Handlers, tracked } from "../service/handler.ts";
import type { Host } from "../service/host.ts";
import type { Condition, StartedService } from "../service/started-service.ts";
import type { ChildStatus } from "../supervision/child-state.ts";
import type { LostPlace, PlacedCall, Placement } from "./placement.ts";
import { openThread } from "./thread.ts";
import type { ThreadOptions } from "./thread-relay.ts";
import { errorFromWire, fromWire, hasWireSide } from "./wire-side.ts";
import { openWorkers } from "./workers.ts";

/** What the kernel knows of the thread in addition to the service. */
interface ThreadPlace extends Omit<ThreadOptions, "start"> {
  readonly stateDir: string;
}

/** The service, with a start that starts it in a thread. */
export const placeInThread = (service: LoadedService, { stateDir, ...place }: ThreadPlace): LoadedService => {
  const { contract, module, config, code: _, ...rest } = service;
  const start = (host: Host) =>
    Effect.gen(function* () {
      if (module === undefined) return yield* Effect.fail(hasNoModule(contract.id));
      const { env, stays } = host;
      const section = config === undefined ? undefined : yield* toWire(config, host.config);
      const placement = yield* openThread({
        ...place,
        start: { service: contract.id, module, section, env, stays, stateDir },
      });
      yield* Effect.addFinalizer(() => placement.drain);
      return standFor(contract, placement);
    });
  return { ...rest, contract, ...(module !== undefined && { module }), ...(config !== undefined && { config }), start };
};

/** What the kernel knows of the workers in addition to the service. */
interface PlacedWorkers extends ThreadPlace {
  readonly workers: number | "auto";
}

const isPlaced = ({ placement, renamedTo }: Procedure): boolean =>
  renamedTo === undefined && placement !== undefined && placement !== "here";

/**
 * The service, with a start that starts it here and in workers as well: procedures that may run anywhere, or where their key is, run there,
 * all others here.
 */
export const placeInWorkers = (
  service: LoadedService,
  { stateDir, workers: count, ...place }: PlacedWorkers,
): LoadedService => {
  const { contract, module, config } = service;
  if (module === undefined || !Object.values(contract.procedures).some(isPlaced)) return service;
  const start = (host: Host) =>
    Effect.gen(function* () {
      const here = yield* startService(service, host, place.log);
      const { env, stays } = host;
      const section = config === undefined ? undefined : yield* toWire(config, host.config);
      const workers = yield* openWorkers({
        ...place,
        count: count === "auto" ? availableParallelism() : count,
        // A folder for each worker: no two processes write the same file.
        start: (worker) => ({
          ...{ service: contract.id, module, section, env, stays, isPartial: true },
          stateDir: join(stateDir, "workers", String(worker)),
        }),
      });
      yield* Effect.addFinalizer(() => workers.drain);
      const placed = Object.entries(contract.procedures).filter(([, procedure]) => isPlaced(procedure));
      return withPlaced(here, {
        handlers: Object.fromEntries(
          placed.map(([name, { kind }]) => [name, (kind === "subscription" ? subscribe : call)(workers)]),
        ),
        condition: () => workers.health().condition,
        children: () => workers.health().children,
      });
    });
  return { ...service, start };
};

type PlacedHandlers = Readonly<Record<string, AnyHandler>>;

/** What of a service is elsewhere, and how that is. */
interface ElsewherePart {
  /** By name, of those procedures that run there; may be made of those that run here. */
  readonly handlers: PlacedHandlers | ((here: Handlers<Contract>) => PlacedHandlers);
  readonly condition: () => Condition;
  readonly children: () => readonly ChildStatus[];
}

/** The service that runs here, with the handlers of those procedures that do not. What it says of itself is said here, and it is stopped by its own start. */
export const withPlaced = (
  here: StartedService<Contract>,
  { handlers: placed, condition: there, children }: ElsewherePart,
): StartedService<Contract> => {
  const merge = (own: Handlers<Contract>): Handlers<Contract> => ({
    ...own,
    ...(typeof placed === "function" ? placed(own) : placed),
  });
  const { handlers } = here;
  const condition = (): Condition => {
    const own = here.condition?.() ?? { state: "ready" };
    return own.state === "ready" ? there() : own;
  };
  const { relay, context } = here;
  return {
    ...(relay !== undefined && { relay }),
    ...(context !== undefined && { context }),
    handlers: typeof handlers === "function" ? () => handlers().then(merge) : merge(handlers),
    condition,
    off: () => here.off?.() ?? {},
    info: () => here.info?.() ?? {},
    children: () => [...(here.children?.() ?? []), ...children()],
    ...(here.checks !== undefined && { checks: () => here.checks?.() ?? [] }),
    ...(here.authorise !== undefined && { authorise: (attempt) => here.authorise?.(attempt) }),
  };
};

/** The service as the kernel calls it and reads it. */
const standFor = (contract: Contract, placement: Placement): StartedService<Contract> => ({
  // The contract's mapped type cannot be built from entries without this one step out of the type system.
  handlers: Object.fromEntries(
    Object.entries(contract.procedures).flatMap(([name, { kind, renamedTo }]) =>
      renamedTo === undefined ? [[name, (kind === "subscription" ? subscribe : call)(placement)] as const] : [],
    ),
  ) as unknown as Handlers<Contract>,
  condition: () => placement.health().condition,
  off: () => placement.health().off,
  info: () => placement.health().info,
  children: () => placement.health().children,
  checks: () => Effect.runPromise(Effect.mapError(placement.checks, (error) => toFailure(contract.id, error))),
});

/** Dispatch calls every handler with the call that it has open: the one step from what an author sees of it. */
export const asActive = (seen: Parameters<AnyHandler>[1]): ActiveCall => seen as unknown as ActiveCall;

const call =
  (placement: Placement): AnyHandler =>
  (input, seen) => {
    const active = asActive(seen);
    const { name, procedure } = active.target.entry;
    if ("upload" in procedure || "download" in procedure) return Effect.fail(hasFiles(name));
    return placement.call(toPlaced(input, active)).pipe(
      Effect.map((value) => fromWire(procedure.output, value)),
      Effect.mapError((error) => errorFromWire(procedure, toFailure(name, error))),
    );
  };

const subscribe =
  (placement: Placement): AnyHandler =>
  (input, seen) => {
    const active = asActive(seen);
    const { name, procedure } = active.target.entry;
    return placement.subscribe(toPlaced(input, active)).pipe(
      Stream.map(({ id, value }) => {
        const event = fromWire(procedure.output, value);
        return id === undefined ? event : tracked(id, event);
      }),
      Stream.mapError((error) => errorFromWire(procedure, toFailure(name, error))),
    );
  };

/** The key by which its contract binds a call to one place. The gate has decoded the input: the field is there, and is a string or a number. */
export const readKey = (input: unknown, { placement }: Procedure): string | undefined => {
  if (typeof placement !== "object" || typeof input !== "object" || input === null) return undefined;
  return String(Reflect.get(input, placement.keyedBy));
};

const toPlaced = (input: unknown, call: ActiveCall): PlacedCall => {
  const key = readKey(input, call.target.entry.procedure);
  return { ...placedCall(input, call), ...(key !== undefined && { key }) };
};

type PlacedPart = Pick<ActiveCall, "target" | "request" | "scope" | "traceparent" | "innerAttempts">;

export const placedCall = (
  input: unknown,
  { target, request, scope, traceparent, innerAttempts }: PlacedPart,
): PlacedCall => ({
  procedure: target.name,
  input: hasWireSide(target.entry.procedure.input) ? request.input : input,
  principal: request.principal,
  leftMs: scope.leftMs,
  deadlineMs: request.run?.deadlineMs ?? target.deadlineMs,
  traceparent,
  idempotencyKey: request.idempotencyKey,
  lastEventId: request.lastEventId,
  onBlocked: () => {
    target.metrics.blocks += 1;
  },
  ...(Number.isFinite(innerAttempts) && { attempts: innerAttempts }),
  ...(request.run !== undefined && { run: request.run }),
  ...(request.onLog !== undefined && { onLog: request.onLog }),
  ...(request.onProgress !== undefined && { onProgress: request.onProgress }),
  ...(request.ask !== undefined && { ask: request.ask }),
});

/** A caller may send again at once what has certainly not begun. */
export const toFailure = (name: string, error: FairleadError | LostPlace): FairleadError => {
  if (error instanceof FairleadError) return error;
  if (!error.sent) return notAvailable(name, { message: error.why, backInMs: 500 });
  return mayHaveRun(name, error.why);
};

/** Settings as a configuration has them: the thread decodes them again. */
const toWire = (schema: Schema, settings: unknown): Effect.Effect<unknown, FairleadError> =>
  Effect.suspend(() => {
    const encoded = encoder(schema)(settings);
    return encoded.ok
      ? Effect.succeed(encoded.value)
      : Effect.fail(failure("internal", "its settings cannot be encoded"));
  });

const hasFiles = (procedure: string): FairleadError =>
  failure("failed_precondition", `${procedure} takes or gives a file, and its service is placed in a thread`, {
    hint: 'place the service "local": bytes do not go to another place',
  });

const hasNoModule = (id: string): FairleadError =>
  failure("failed_precondition", `${id} cannot run in a thread: it was given as a value, and a thread loads a module`, {
    hint: 'name its module in the manifest, or place it "local"',
  });
