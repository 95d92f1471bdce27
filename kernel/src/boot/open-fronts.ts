/**
 * The kernel's port where fronts answer at it: the kernel accepts, its fronts serve what may run anywhere, and it serves the rest, which
 * they send on. Loaded where the configuration asks for it.
 */
import { chmodSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { Code, FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { localPrincipal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { type Config, tokenFilePath } from "../config/config.ts";
import { environmentSecrets } from "../config/environment.ts";
import type { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import { type FrontEvent, isForFronts, type RecordsNote } from "../fronts/front-protocol.ts";
import { type Fronts, openFronts } from "../fronts/fronts.ts";
import { callEvent } from "../observe/events.ts";
import { longestSocketPath } from "../owner/places.ts";
import type { Authenticate } from "../server/bearer.ts";
import { bracketed } from "../server/binding.ts";
import type { Mount } from "../server/mount.ts";
import type { HttpServer, ListenAddress } from "../server/server.ts";
import { listenAtPort, listenAtSocket } from "../server/shared/shared-port.ts";
import { makePrivateFolder } from "../state/private-folder.ts";
import * as Parts from "./parts.ts";

/** Milliseconds that a front may take to answer what it has when it stops. */
const stopMs = 15_000;
/** Milliseconds that a front may be silent for longer than its longest call. */
const mostSilence = 2_000;

/** What a kernel has of the fronts that share its port. */
type SharedListen = Effect.Effect<ListenAddress, FairleadError, Scope.Scope | Parts.KernelParts>;

/** The services with a procedure that a front may answer, and those procedures. */
const findServed = (
  procedures: Iterable<HostedProcedure>,
  modules: ReadonlyMap<string, string>,
  { placement }: Config,
) =>
  [...procedures].filter(
    ({ entry, instance }) =>
      isForFronts(entry.procedure) && modules.has(instance.id) && (placement[instance.id] ?? "local") === "local",
  );

interface KernelSide {
  readonly authenticate: Authenticate;
  readonly mounts: readonly Mount[];
}

/** Listens as configured, until the scope closes: then what has arrived is answered by all of them. Alone where no front could reach it. */
export const listenWithFronts = (server: HttpServer, { authenticate, mounts }: KernelSide): SharedListen =>
  Effect.gen(function* () {
    const config = yield* Parts.KernelConfig;
    const { env, services } = yield* Parts.KernelInputs;
    const { procedures, instances } = yield* Parts.KernelRegistry;
    const [events, log, dispatch] = [yield* Parts.KernelEvents, yield* Parts.KernelLog, yield* Parts.KernelDispatch];
    const { host, port, workers } = config;
    const modules = new Map(
      services.flatMap(({ contract, module, placement = "local" }) =>
        module === undefined || placement !== "local" ? [] : [[contract.id, module] as const],
      ),
    );
    const served = findServed(procedures.values(), modules, config);
    if (served.length === 0) return yield* server.listen({ host, port });
    const ids = [...new Set(served.map(({ instance }) => instance.id))];

    const tokenFile = tokenFilePath(config, env);
    const socketPath = join(dirname(tokenFile), "kernel", "fronts.sock");
    if (Buffer.byteLength(socketPath) > longestSocketPath) {
      log("warn", "the port is not shared: the path of its socket is too long", {
        path: socketPath,
        most: longestSocketPath,
      });
      return yield* server.listen({ host, port });
    }
    makePrivateFolder(dirname(socketPath));
    const count = workers === "auto" || workers === undefined ? availableParallelism() : workers;
    const fronts = yield* openFronts({
      count,
      entry: new URL(`./front-entry.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url),
      start: (front) => ({
        config,
        services: ids.map((id) => ({ id, module: modules.get(id) ?? "" })),
        env: { ...env, FAIRLEAD_TOKEN: undefined },
        secrets: environmentSecrets(env),
        socketPath,
        upgrades: mounts.filter(({ upgrade }) => upgrade !== undefined).map(({ prefix }) => prefix),
        tokenFile,
        isOpen: authenticate(undefined) === localPrincipal,
        stateDir: join(dirname(tokenFile), "fronts", String(front)),
        fronts: count,
      }),
      log,
      events,
      connect: connect.bind(undefined, dispatch),
      record: makeRecord(yield* Parts.KernelMetrics, { procedures, events }),
      rates: yield* Parts.KernelRates,
      silentMs: Math.max(...served.map(({ deadlineMs }) => deadlineMs)) + mostSilence,
      stopMs,
    });
    const lives = new Map<string, number>();
    const follow = (): void => {
      fronts.announce(ids.filter((id) => instances.get(id)?.state.tag === "Ready"));
      for (const id of ids) {
        const state = instances.get(id)?.state;
        if (state?.tag !== "Ready") continue;
        // It may run other code now, or was asked to begin again.
        if ((lives.get(id) ?? state.life) !== state.life) fronts.renew();
        lives.set(id, state.life);
      }
    };
    follow();
    const unfollow = events.onEvent(({ type }) => {
      if (type === "service.state") follow();
    });
    yield* Effect.addFinalizer(() => Effect.sync(unfollow));
    (yield* Parts.KernelFronts).children = fronts.children;
    return yield* listenShared(server, { fronts, socketPath, address: { host, port } });
  });

interface PortParts {
  readonly fronts: Fronts;
  readonly socketPath: string;
  readonly address: { readonly host: string; readonly port: number };
}

const listenShared = (server: HttpServer, { fronts, socketPath, address }: PortParts) =>
  Effect.gen(function* () {
    let adopt: ReturnType<HttpServer["adopt"]> | undefined;
    yield* listenAtSocket(socketPath, (socket) => adopt?.(socket));
    yield* Effect.sync(() => chmodSync(socketPath, 0o600));
    // Together: a front answers only once the kernel has what it sent on.
    yield* Effect.addFinalizer(() => Effect.all([fronts.drain, server.close], { concurrency: "unbounded" }));
    const port = yield* listenAtPort(address, (socket) => {
      if (fronts.give(socket)) return;
      adopt?.(socket);
      socket.resume();
    });
    const bound = { host: address.host, port };
    adopt = server.adopt(bound);
    yield* fronts.listen(bound);
    return { port, url: `http://${bracketed(address.host)}:${port}` };
  });

interface RecordParts {
  readonly procedures: Parts.Registry["procedures"];
  readonly events: Parts.KernelEvents["Service"];
}

/** Numbers the events of a front, and counts its calls and refusals with the kernel's own. */
const makeRecord =
  (metrics: Parts.KernelMetrics["Service"], { procedures, events }: RecordParts) =>
  ({ events: happened, refusals }: RecordsNote): void => {
    const at = performance.now();
    for (const [type, service, data] of JSON.parse(happened) as FrontEvent[]) {
      if (type === callEvent) {
        const { procedure, outcome, milliseconds, waitedMs, attempts = 1 } = data;
        const figures = procedures.get(String(procedure))?.metrics;
        figures?.record(outcome as "ok" | Code, Number(milliseconds), at);
        if (waitedMs !== undefined) figures?.waits.observe(Number(waitedMs));
        if (figures !== undefined) {
          figures.attempts += Number(attempts);
          figures.retries += Number(attempts) - 1;
        }
      }
      events.emit(type, service, data);
    }
    for (const [reason, count] of Object.entries(refusals))
      metrics.refusals.set(reason, (metrics.refusals.get(reason) ?? 0) + count);
  };
