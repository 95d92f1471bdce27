/**
 * The kernel's public face: `openKernel` runs services in this process, `serve` puts the network transports in front of them.
 *
 * Network rooms are imported only when something listens, so that a command or a stdio server that needs none starts fast.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { FairleadError, makeRedactor, pathText, type Redactor, secretTexts, shortSecrets } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { ascribeFault } from "../call/ambient.ts";
import type { Dispatch, Principal } from "../call/call.ts";
import { loadOnce } from "../call/load-once.ts";
import { connect, type MemoryTransport } from "../call/memory-transport.ts";
import { version } from "../call/version.ts";
import { type Config, configSchema, readConfig, tokenFilePath } from "../config/config.ts";
import { environmentSecrets } from "../config/environment.ts";
import { readSections, refuseUnknownServices } from "../config/sections.ts";
import type { ConsolePage } from "../host/console-page.ts";
import type { Manifest } from "../host/manifest.ts";
import { LiveManifest } from "../host/manifest.ts";
import { loadManifest } from "../host/manifest-file.ts";
import { loadServices } from "../host/registry.ts";
import type { CodeLoading } from "../host/service-instance.ts";
import type { Events } from "../observe/event.ts";
import { logEvent, makeEvents } from "../observe/events.ts";
import { type Log, type LogWriter, makeLog } from "../observe/log.ts";
import { type Tracer, watchedTracer } from "../observe/trace.ts";
import type { Offer } from "../placement/nats/offer.ts";
import type { AnswerStore } from "../policy/idempotency.ts";
import type { FetchServer } from "../server/fetch/fetch-server.ts";
import type { Service } from "../service/service.ts";
import type { LazyState } from "../state/lazy-state.ts";
import { readSupervision } from "../supervision/settings.ts";
import type { StdioServer } from "../transport/mcp/stdio.ts";
import type { Catalog, Surroundings } from "../transport/transport.ts";
import type { ConfigCheck } from "./check-config.ts";
import { type Composition, compose, warnOfIdleWorkers } from "./composition.ts";
import { loadPlacing, offerOverNats } from "./layers.ts";
import type { Addresses, KernelConsole } from "./network.ts";
import type { OwnerSocket } from "./owner-socket.ts";
import type { ReloadedService, ReloadRequest } from "./reload.ts";

/** What a kernel is opened with. Everything has a default. */
export interface KernelOptions {
  /** What the configuration file exports, unchecked. */
  readonly config?: unknown;
  /** Settings from the command line; they win. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Defaults to `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths of the configuration start from. Defaults to the working directory. */
  readonly root?: string;
  /** A manifest already loaded; the configuration's, or the kernel's own, when left out. */
  readonly manifest?: Manifest;
  /** Services as values, in place of those the manifest names. */
  readonly services?: readonly Service[];
  /** Default: lines on stderr from the configured level on, which are `log` events, too. */
  readonly log?: Log;
  /** Gets each line of that default log instead of stderr, with the entry that it is the text of. Must not throw. */
  readonly writeLog?: LogWriter;
  /**
   * `all` reads the code of every service when it starts, so that broken code is known at once; `needed` leaves to the first call what a
   * service allows it to, for processes that are over soon or must answer at once. Default `all`.
   */
  readonly code?: CodeLoading;
  /**
   * False for a kernel that is opened for one call and ends with it: its services begin nothing else. Default true.
   */
  readonly stays?: boolean;
  /**
   * Services that the kernel is opened for: a module of one that cannot be loaded is an error at once. Default: all where it does not
   * stay, else none.
   */
  readonly needs?: readonly string[];
  /**
   * Services that start at once, with those that they start after. Each other one starts when it is first called, or when a caller on the
   * owner's socket may use it. Default: all.
   */
  readonly starts?: readonly string[];
  /** Folder of the console's built pages; it is not served when left out. */
  readonly console?: string;
  /** In place of the state folder; see `memoryState`. */
  readonly state?: LazyState;
  /** Where answers of keyed calls are kept in place of the state folder, in which the rest stays. */
  readonly answers?: AnswerStore;
  /** True for a kernel that is to `serve`: an address that cannot be listened on is an error before any service is loaded. Default false. */
  readonly listens?: boolean;
  /** True for a kernel that is to `offer`: its services run here, whatever NATS is configured for. Default false. */
  readonly isWorker?: boolean;
}

/** A running kernel. */
export interface Kernel {
  /** As it was read from file, environment and flags, with its defaults. */
  readonly config: Config;
  /** The one path: every call of every transport. */
  readonly dispatch: Dispatch;
  /** Which procedures there are, and which are offered now. */
  readonly catalog: Catalog;
  readonly manifest: Manifest;
  /** What happens in the kernel, numbered. */
  readonly events: Events;
  /** What transports are built from. */
  readonly surroundings: Surroundings;
  /** Resolves once no service is starting any more, however that went. */
  started(): Promise<void>;
  /** A memory transport for a caller in this process. */
  connect(principal?: Principal): MemoryTransport;
  /** Starts listening for HTTP, tRPC and MCP. Rejects with a `FairleadError` that says what to do. */
  serve(): Promise<Addresses>;
  /** Answers requests of a runtime that has a server of its own, instead of listening. Rejects with a `FairleadError` that says what to do. */
  answer(): Promise<FetchServer>;
  /** Takes calls of its services over the NATS that is configured, or only says which with `describe`. Rejects with a `FairleadError` that says what to do. */
  offer(only?: "describe"): Promise<Offer>;
  /** Speaks MCP on stdin and stdout, in both eras; with `services`, only their tools. */
  serveStdio(services?: readonly string[], choice?: string): Promise<StdioServer>;
  /**
   * Resolves with the error that the kernel cannot go on from: a service gave up whose `exceeded` is `escalate`. Close the kernel then;
   * for whatever started it to start it again.
   */
  readonly failed: Promise<FairleadError>;
  /**
   * Takes an error that nothing caught, for a listener to the process's `uncaughtException`: the service whose code threw it is
   * restarted. Returns its id; nothing for an error that belongs to no service. Close the kernel then, and end the process.
   */
  ascribe(error: unknown): string | undefined;
  /** Resolves when a request at its admin listener asks for its end; whoever opened it then closes it. */
  readonly stopRequested: Promise<void>;
  /**
   * What takes connections of the private socket of the process that owns the state folder; loaded for the first of them. `key` is what
   * callers must send.
   */
  ownerSocket(key: string): OwnerSocket["accept"];
  /**
   * Runs the code of services as it is on the disk now, and serves what was generated from it; the rest of the kernel lives on. Needs
   * `followModules`. One at a time.
   */
  reload(request: ReloadRequest): Promise<readonly ReloadedService[]>;
  /** Rejects with the `FairleadError` that `openKernel` would refuse another configuration with, for this kernel's services. Changes nothing. */
  checkConfig(check: ConfigCheck): Promise<void>;
  /** Stops accepting, lets running calls finish or, after a few seconds, ends them; stops the services in reverse. */
  close(): Promise<void>;
}

/** Reads the configuration, loads the services and starts them. Calls wait for a service that is still starting. */
export const openKernel = async (options: KernelOptions = {}): Promise<Kernel> => {
  const env = options.env ?? process.env;
  const config = withEnvironmentToken(readConfig({ file: options.config, env, flags: options.flags ?? {} }), env);
  const redactor = makeRedactor([...environmentSecrets(env), ...secretTexts(configSchema, config)]);
  const events = makeEvents({ redactor });
  const log = options.log ?? ownLog(config, events, { redactor, write: options.writeLog });
  const root = pathToFileURL(`${options.root ?? process.cwd()}/`).href;
  const manifest = new LiveManifest(options.manifest ?? (await loadManifest(config.manifest, root)));
  const { code = "all", stays = true } = options;
  const known = serviceIds(options.services, manifest);
  refuseUnknownServices(config, known, env);
  if (options.listens === true) await refuseAddress(config, env);
  if (config.nats !== undefined && stays) (await (await loadPlacing()).loadNats()).checkNats(config.nats, env);
  if (config.cluster !== undefined && stays)
    (await (await loadPlacing()).loadCluster()).checkCluster({ settings: config.cluster, env });
  const services =
    options.services ??
    (await Effect.runPromise(
      loadServices(manifest, { only: config.only, needs: (id) => options.needs?.includes(id) ?? !stays }),
    ));
  const sections = readSections(config.services, services, redactor);
  warnOfShortSecrets(log, config, services);
  if (stays) warnOfIdleWorkers(log, config, services);
  const supervision = readSupervision(config.supervision, services, known);
  const tracer = await tracerFor(config, redactor, events);
  const composition = compose({
    config,
    services,
    sections,
    supervision,
    env,
    redactor,
    events,
    log,
    schema: manifest.schema,
    tools: manifest.tools,
    page: (service) => findPage(manifest, service),
    code,
    stays,
    starts: options.starts,
    ...(options.isWorker === true && { isWorker: true }),
    ...(options.state !== undefined && { state: options.state, hasFolder: false }),
    ...(options.answers !== undefined && { answers: options.answers }),
    tracer,
  });
  return makeKernel({ config, composition, manifest, log, pages: options.console });
};

/** Rejects as `serve` would where the address cannot be listened on. */
const refuseAddress = async (config: Config, env: NonNullable<KernelOptions["env"]>): Promise<void> => {
  const [{ checkAddress }, { readTokens }] = await Promise.all([
    import("./address-check.ts"),
    import("../config/tokens/token-file.ts"),
  ]);
  const tokens = [...config.tokens, ...readTokens(tokenFilePath(config, env))];
  await Effect.runPromise(checkAddress(config, tokens.length));
};

/** All services there could be, run or not. */
const serviceIds = (services: readonly Service[] | undefined, { services: named }: Manifest): readonly string[] =>
  services === undefined ? named.map(({ id }) => id) : services.map(({ contract }) => contract.id);

interface KernelParts {
  readonly config: Config;
  readonly composition: Composition;
  readonly manifest: LiveManifest;
  readonly log: Log;
  /** Folder of the console's pages. */
  readonly pages: string | undefined;
}

const findPage = async (manifest: LiveManifest, service: string): Promise<ConsolePage | undefined> =>
  (await import("../host/console-page.ts")).findConsolePage(manifest, service);

/** How long running calls may finish once the kernel is asked to stop; then they are ended with `unavailable`. */
const grace = "3 seconds";

const makeKernel = ({ config, composition, manifest, log, pages }: KernelParts): Kernel => {
  const { dispatch, catalog, events } = composition;
  const surroundings: Surroundings = {
    dispatch,
    catalog,
    manifest,
    server: { name: "fairlead", version },
    log,
    profiles: config.profiles,
  };
  const scope = Scope.makeUnsafe();
  let network: Promise<Addresses> | undefined;
  let closing: Promise<void> | undefined;
  /** One for the server and for the owner's socket. */
  let pagesAndSessions: KernelConsole["Service"] | undefined;
  let isStopping = false;
  const stop = Promise.withResolvers<void>();
  const requestStop = (): void => {
    isStopping = true;
    stop.resolve();
  };
  const networkParts = Effect.gen(function* () {
    const { KernelConsole, KernelStop, KernelSurroundings, openConsole } = yield* Effect.promise(
      () => import("./network.ts"),
    );
    const { findConsolePage } = yield* Effect.promise(() => import("../host/console-page.ts"));
    const page = (service: string) =>
      composition.instances.has(service) ? findConsolePage(manifest, service) : undefined;
    pagesAndSessions ??= openConsole(pages, page);
    return composition.parts.pipe(
      Context.add(KernelSurroundings, surroundings),
      Context.add(KernelConsole, pagesAndSessions),
      Context.add(KernelStop, { request: requestStop, isRequested: () => isStopping }),
    );
  });
  const serve = Effect.gen(function* () {
    const { KernelServer, networkLayer } = yield* Effect.promise(() => import("./network.ts"));
    const served = networkLayer().pipe(Layer.provide(Layer.succeedContext(yield* networkParts)));
    return Context.get(yield* Layer.buildWithScope(served, scope), KernelServer);
  });
  const answer = Effect.gen(function* () {
    const { FetchRequests, fetchLayer } = yield* Effect.promise(() => import("./fetch-network.ts"));
    const served = fetchLayer.pipe(Layer.provide(Layer.succeedContext(yield* networkParts)));
    return Context.get(yield* Layer.buildWithScope(served, scope), FetchRequests);
  });
  const ownerHttp = (key: string) =>
    Effect.gen(function* () {
      const { OwnerHttp, ownerHttpLayer } = yield* Effect.promise(() => import("./owner-http.ts"));
      const served = ownerHttpLayer(key).pipe(Layer.provide(Layer.succeedContext(yield* networkParts)));
      return Context.get(yield* Layer.buildWithScope(served, scope), OwnerHttp);
    });
  const openOwnerSocket = (key: string) =>
    Effect.gen(function* () {
      const { makeOwnerSocket } = yield* Effect.promise(() => import("./owner-socket.ts"));
      const openHttp = () => Effect.runPromise(ownerHttp(key));
      const start = (services: readonly string[]): void => {
        for (const instance of composition.instances.values())
          if (services.length === 0 || services.includes(instance.id)) instance.startDeferred();
      };
      const socket = makeOwnerSocket({ surroundings, key, openHttp, start });
      yield* Scope.addFinalizer(scope, Effect.promise(socket.close));
      return socket;
    });
  const close = Effect.gen(function* () {
    yield* Effect.exit(Effect.promise(async () => network));
    const overdue = Effect.andThen(Effect.sleep(grace), Effect.sync(composition.endCalls));
    yield* Effect.raceFirst(Scope.close(scope, Exit.void), Effect.andThen(overdue, Effect.never));
    yield* Effect.promise(() => composition.close());
  });
  return {
    config,
    dispatch,
    catalog,
    manifest,
    events,
    surroundings,
    failed: composition.gaveUp.then((error) => new FairleadError(error)),
    ascribe: ascribeFault,
    started: async () => {
      const begun = [...composition.instances.values()].filter(({ isDeferred }) => !isDeferred);
      await Promise.all(begun.map((instance) => instance.settled()));
    },
    connect: (principal) => connect(dispatch, principal),
    serve: () => {
      network ??= Effect.runPromise(serve).finally(() => void manifest.readAll());
      return network;
    },
    answer: () => Effect.runPromise(answer),
    offer: (only) =>
      Effect.runPromise(Scope.provide(Effect.provide(offerOverNats(only === "describe"), composition.parts), scope)),
    serveStdio: async (only = [], choice = "") => {
      const { serveStdio } = await import("../transport/mcp/stdio.ts");
      return serveStdio(surroundings, { services: only, choice });
    },
    stopRequested: stop.promise,
    ownerSocket: (key) => {
      const opened = loadOnce(() => Effect.runPromise(openOwnerSocket(key)));
      return (socket) => {
        opened()
          .then(({ accept }) => accept(socket))
          .catch(() => socket.destroy());
      };
    },
    reload: async (request) => {
      const { reload } = await import("./reload.ts");
      return Effect.runPromise(reload(composition.parts, manifest, request));
    },
    checkConfig: async (check) => {
      const { checkConfig } = await import("./check-config.ts");
      return Effect.runPromise(checkConfig(composition.parts, manifest, check));
    },
    close: () => {
      isStopping = true;
      closing ??= Effect.runPromise(close);
      return closing;
    },
  };
};

/** Log lines go to stderr or where the opener wants them, and as events to whoever subscribes. */
const ownLog = (
  { log: { level } }: Config,
  events: Events,
  { redactor, write }: { readonly redactor: Redactor; readonly write: LogWriter | undefined },
): Log =>
  makeLog({
    level,
    ...(write !== undefined && { write }),
    redactor,
    tap: ({ service, ...entry }) => events.emit(logEvent, typeof service === "string" ? service : "kernel", entry),
  });

/** A short text would be found in any other, so it is not taken out of what is written; who chose it has to know. */
const warnOfShortSecrets = (log: Log, config: Config, services: readonly Service[]): void => {
  const settings = [
    ...shortSecrets(configSchema, config),
    ...services.flatMap(({ contract: { id }, config: schema }) =>
      schema === undefined ? [] : shortSecrets(schema, config.services[id], ["services", id]),
    ),
  ];
  if (settings.length === 0) return;
  const names = [...new Set(settings.map(pathText))];
  log("warn", "secrets of fewer than 8 characters are not redacted", { settings: names, fix: "use longer ones" });
};

/** `FAIRLEAD_TOKEN` is a token that may do everything; only its hash is kept. */
export const withEnvironmentToken = (config: Config, env: Readonly<Record<string, string | undefined>>): Config => {
  const secret = env.FAIRLEAD_TOKEN;
  if (secret === undefined || secret === "") return config;
  if (secret.length < 16) {
    throw new FairleadError({
      code: "invalid_argument",
      message: "FAIRLEAD_TOKEN is too short",
      hint: "use at least 16 random characters",
    });
  }
  const sha256 = createHash("sha256").update(secret).digest("hex");
  const token = {
    name: "environment",
    sha256,
    access: ["read", "call", "admin"] as const,
    perSecond: 100,
    concurrent: 20,
  };
  return { ...config, tokens: [...config.tokens, { ...token, access: [...token.access] }] };
};

const tracerFor = async ({ otlp }: Config, redactor: Redactor, events: Events): Promise<Tracer> => {
  const service = { name: "fairlead", version };
  const exported =
    otlp && (await Effect.runPromise((await import("../observe/otlp.ts")).openTracer({ ...otlp, redactor, service })));
  const load = () => import("../observe/kept-spans.ts").then(({ KeptSpans }) => new KeptSpans({ exported }));
  return watchedTracer({ exported, isWatched: () => events.isRead, load });
};
