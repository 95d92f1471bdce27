/**
 * A front: a process that answers requests at the kernel's port. It has a kernel of its own for the services whose procedures may run
 * anywhere, with the same guard, limits and dispatch, and sends all other requests on to the kernel.
 *
 * What exists once is the kernel's: events, figures and lines of log are sent there; keyed calls, streams, sessions, runs and
 * callers that only the kernel can know are answered there. Not here: how many fronts there are (`fronts/fronts.ts`).
 */
import type { Socket } from "node:net";
import { FairleadError, makeRedactor, secretTexts } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { version } from "../call/version.ts";
import { configSchema } from "../config/config.ts";
import { readSections } from "../config/sections.ts";
import { followTokens } from "../config/tokens/token-file.ts";
import type { ActiveCall } from "../dispatch/active-call.ts";
import type { FrontStart, ReadyNote, RepayNote } from "../fronts/front-protocol.ts";
import { Loans } from "../fronts/loans.ts";
import { loadService } from "../host/registry.ts";
import type { Events } from "../observe/event.ts";
import { makeEvents } from "../observe/events.ts";
import type { Link, LinkServer } from "../placement/link.ts";
import {
  cloneable,
  type RunPromise,
  relayConnect,
  relayLog,
  relayReading,
  type ThreadState,
} from "../placement/thread-parts.ts";
import type { ProgressNote } from "../placement/thread-protocol.ts";
import type { Loan } from "../policy/rate.ts";
import { type Authenticate, bearer } from "../server/bearer.ts";
import { mountAt, router } from "../server/connection.ts";
import { defaultByteLimits } from "../server/connections/byte-budget.ts";
import { defaultConnectionLimits } from "../server/connections/connection-table.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { type HttpServer, makeServer, type TcpAddress } from "../server/server.ts";
import { Elsewhere } from "../server/shared/elsewhere.ts";
import { memoryState } from "../state/memory-state.ts";
import { completeSettings } from "../supervision/settings.ts";
import { mount as mountHttp } from "../transport/http/mount.ts";
import { type Composition, compose } from "./composition.ts";
import { FrontRecords } from "./front-records.ts";
import { makeFrontRoutes } from "./front-routes.ts";
import { KernelDispatch } from "./parts.ts";

/** Looks of the kernel for which a front keeps what it has borrowed and does not use: a second. */
const looksOfRest = 4;

interface RunningFront {
  readonly composition: Composition;
  readonly authenticate: Authenticate;
  readonly records: FrontRecords;
  readonly loans: Loans;
}

interface Front {
  readonly server: LinkServer;
  /** Takes a connection that the kernel has accepted. */
  readonly take: (socket: Socket) => void;
}

/** `run` is how plain code waits for an Effect. */
export const makeFront = (link: Link, start: FrontStart, run: RunPromise): Front => {
  const state: ThreadState = { progress: new Map(), seq: 0, run };
  const log = relayLog(link);
  const elsewhere = new Elsewhere(start.socketPath);
  let running: RunningFront | undefined;
  let server: HttpServer | undefined;
  let take: ((socket: Socket) => void) | undefined;
  let ready: ReadonlySet<string> = new Set();
  let looks = 0;
  const listen = (address: TcpAddress): void => {
    if (running === undefined) return;
    const { authenticate, composition, loans } = running;
    const { records } = running;
    const isOurs = makeFrontRoutes(composition, {
      services: start.services.map(({ id }) => id),
      authenticate,
      loans,
      isReady: (service) => ready.has(service),
    });
    const { hosts, origins, lagMs } = start.config;
    const upgrades = router(start.upgrades.map((prefix) => ({ prefix })));
    const { reportDelay } = Context.get(composition.parts, KernelDispatch);
    const open = makeServer({
      mounts: [
        mountHttp(
          { dispatch: composition.dispatch, catalog: composition.catalog, log },
          { streams: new OpenStreams() },
        ),
      ],
      rules: { hosts, origins, authenticate },
      log,
      times: { lag: lagMs },
      limits: shareOfLimits(start.fronts),
      onBlocked: reportDelay,
      onRefused: records.refused,
      elsewhere: {
        forward: (exchange) => (isOurs(exchange) ? undefined : elsewhere.forward(exchange)),
        mayJoin: (url) => mountAt(upgrades, url) !== undefined,
        join: (handshake, joined) =>
          elsewhere.join(handshake, authenticate(handshake.incoming.headers.authorization) !== undefined, joined),
      },
    });
    const adopt = open.adopt(address);
    server = open;
    take = (socket) => {
      socket.once("close", records.closed);
      socket.setNoDelay(true);
      adopt(socket);
      socket.resume();
    };
  };
  const stop = Effect.gen(function* () {
    yield* server?.close ?? Effect.void;
    yield* Effect.promise(() => running?.composition.close() ?? Promise.resolve());
    running?.records.flush();
  });
  return {
    take: (socket) => {
      if (take !== undefined) return take(socket);
      socket.destroy();
      running?.records.closed();
    },
    server: {
      note: (kind, body) => {
        if (kind === "ping") {
          state.seq = body as number;
          link.note("pong", undefined);
          looks += 1;
          if (looks % looksOfRest === 0) running?.loans.rest();
        } else if (kind === "ready") ready = new Set(body as ReadyNote);
        else if (kind === "progress") {
          const { id, progress } = body as ProgressNote;
          state.progress.get(id)?.(progress);
        }
      },
      noteFailed: (note, error) => log("error", "a note to a front failed", { note, error }),
      request: (kind, body) => {
        switch (kind) {
          case "start":
            state.seq = body as number;
            return Effect.map(openParts(link, start, state), (opened) => {
              running = opened;
            });
          case "listen":
            return Effect.sync(() => listen(body as TcpAddress));
          default:
            return stop;
        }
      },
      stream: () => Effect.die(new Error("a front streams nothing to the kernel")),
    },
  };
};

/** The kernel of a front: without a state folder, a history or runs. */
const openParts = Effect.fnUntraced(function* (
  link: Link,
  { config: kernelConfig, services: wanted, env, ...start }: FrontStart,
  state: ThreadState,
): Effect.fn.Return<RunningFront, FairleadError> {
  const log = relayLog(link);
  const records = new FrontRecords((note) => {
    link.note("records", note);
    loans.report();
  });
  const redactor = makeRedactor([...start.secrets, ...secretTexts(configSchema, kernelConfig)]);
  const services = yield* Effect.forEach(wanted, (entry) =>
    Effect.mapError(loadService(entry, { from: entry.module }), (cause) => unloadable(entry.id, cause)),
  );
  const ids = new Set(wanted.map(({ id }) => id));
  const given = Object.fromEntries(Object.entries(kernelConfig.services).filter(([id]) => ids.has(id)));
  const { otlp } = kernelConfig;
  const tracer =
    otlp &&
    (yield* Effect.flatMap(
      Effect.promise(() => import("../observe/otlp.ts")),
      ({ openTracer }) => openTracer({ ...otlp, redactor, service: { name: "fairlead", version } }),
    ));
  const { workers: _, ...config } = { ...kernelConfig, sharedPort: false, placement: {}, stateDir: start.stateDir };
  const composition = compose({
    config,
    services,
    sections: readSections(given, services, redactor),
    supervision: new Map(
      services.map(({ contract: { id }, supervision }) => {
        const settings = completeSettings(supervision, kernelConfig.supervision[id]);
        return [id, { ...settings, rules: { ...settings.rules, startAfter: [], restartWith: [] } }] as const;
      }),
    ),
    env,
    redactor,
    events: frontEvents(link, { records, state }),
    log,
    schema: () => Promise.resolve(undefined),
    code: "all",
    peers: relayConnect(link, state),
    state: memoryState(),
    hasFolder: false,
    ...(tracer !== undefined && { tracer }),
  });
  yield* Effect.promise(() => Promise.all([...composition.instances.values()].map((instance) => instance.settled())));
  let hadTokens = !start.isOpen;
  const tokens = followTokens(start.tokenFile, {
    onFile: () => {
      hadTokens = true;
    },
    configured: kernelConfig.tokens,
    now: performance.now.bind(performance),
    log,
  });
  const authenticate = bearer(tokens, Date.now, () => !hadTokens);
  const { open } = Context.get(composition.parts, KernelDispatch);
  const loans: Loans = new Loans({
    borrow: (request, take) =>
      void state
        .run(link.request("borrow", request))
        .then((loan) => take(loan as Loan))
        .catch(() => take({ calls: 0, places: 0 })),
    repay: (principal, repaid) => link.note("repay", { principal, ...repaid } satisfies RepayNote),
    abandoned: (principal) => countAbandoned(open.calls, principal),
    now: performance.now.bind(performance),
  });
  return { composition, records, loans, authenticate };
});

const unloadable = (id: string, cause: unknown): FairleadError =>
  cause instanceof FairleadError
    ? cause
    : new FairleadError(
        { code: "failed_precondition", message: `${id} could not be loaded in a front: ${String(cause)}` },
        { cause },
      );

/** Calls of a caller that has gone, whose handlers go on. */
const countAbandoned = (calls: Iterable<ActiveCall>, id: string): number => {
  let count = 0;
  for (const { request, scope } of calls) if (request.principal.id === id && scope.ended !== undefined) count += 1;
  return count;
};

interface FrontEventParts {
  readonly records: FrontRecords;
  readonly state: ThreadState;
}

/** The kernel numbers what happens here, and its services read what it has. */
const frontEvents = (link: Link, { records, state }: FrontEventParts): Events => ({
  ...makeEvents(),
  emit: (type, service, data) => {
    // What becomes of services here is for the front itself: the kernel has its own.
    if (type !== "service.state") records.event(type, service, data);
  },
  read: relayReading(link, state),
});

/** Together the fronts may hold no more than a kernel alone. */
const shareOfLimits = (fronts: number) => {
  const share = (most: number): number => Math.max(1, Math.floor(most / fronts));
  const { most, perAddress, perPrincipal } = defaultConnectionLimits;
  return {
    most: share(most),
    perAddress: share(perAddress),
    // The kernel has the other half: a caller's connection can be counted in both.
    perPrincipal: share(perPrincipal / 2),
    bytes: { ...defaultByteLimits, total: share(defaultByteLimits.total) },
  };
};

/** An error that nothing caught, as the kernel gets it. */
export const toFault = cloneable;
