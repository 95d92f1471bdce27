/**
 * The kernel on the network, in layers: tokens, one for each transport, and the one HTTP server that they are mounted on.
 *
 * Not here: a kernel without a network (`composition.ts`).
 */
import { dirname, join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import * as Scope from "effect/Scope";
import { tokenFilePath } from "../config/config.ts";
import type { Token } from "../config/tokens/token.ts";
import { followTokens } from "../config/tokens/token-file.ts";
import type { ConsolePage } from "../host/console-page.ts";
import { kernelHealth } from "../host/health.ts";
import { BrowserSessions } from "../identity/browser-sessions.ts";
import { type OpenIdentity, openIdentity } from "../identity/open-identity.ts";
import { logEvents } from "../observe/event-log.ts";
import { openAdminPort, openAdminSocket } from "../server/admin.ts";
import { type Authenticate, bearer } from "../server/bearer.ts";
import { bindingRefusal } from "../server/binding.ts";
import { defaultConnectionLimits } from "../server/connections/connection-table.ts";
import type { Mount } from "../server/mount.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { Revocations } from "../server/revocations.ts";
import { makeServer } from "../server/server.ts";
import { completeSettings } from "../supervision/settings.ts";
import { isConsoleLanding, isConsoleUrl, mountConsole } from "../transport/console/mount.ts";
import { isViewerUrl, referenceViewer } from "../transport/console/shell.ts";
import { mountDocs } from "../transport/docs/mount.ts";
import { mount as mountHttp } from "../transport/http/mount.ts";
import { mount as mountMcp } from "../transport/mcp/mount.ts";
import type { Surroundings } from "../transport/transport.ts";
import { mount as mountTrpc } from "../transport/trpc/mount.ts";
import { kernelFigures } from "./figures.ts";
import {
  KernelConfig,
  KernelDispatch,
  KernelEvents,
  KernelFronts,
  KernelInputs,
  KernelLog,
  KernelMetrics,
  type KernelParts,
  KernelRates,
  KernelRegistry,
  KernelState,
} from "./parts.ts";

/** Where a kernel can be reached. */
export interface Addresses {
  /** Base URL of the HTTP API, like `http://127.0.0.1:5099/api`. */
  readonly http: string;
  /** URL of tRPC's endpoint. */
  readonly trpc: string;
  /** URL of MCP over HTTP; `/mcp/<service>` below it for one service alone. */
  readonly mcp: string;
  /** URL of the OpenAPI 3.1 document. */
  readonly openapi: string;
  /** The console's page. */
  readonly console: string;
  /** The port it listens on, also when the configured one is 0. */
  readonly port: number;
  /** For probes, metrics and shutdown: a Unix socket for its owner, and a port of loopback where one is configured. */
  readonly admin: { readonly socket?: string; readonly port?: number };
}

/** What the transports are built from. */
export class KernelSurroundings extends Context.Service<KernelSurroundings, Surroundings>()(
  "@fairlead/kernel/Surroundings",
) {}

/** The tokens that are valid now, and whether a caller may come without one. */
export interface Tokens {
  /** Read again when the file has changed. */
  readonly list: () => readonly Token[];
  /** True while no token was ever made, as far as the file was looked at: revoking all tokens lets in no caller. */
  readonly mayBeAbsent: () => boolean;
}

export class KernelTokens extends Context.Service<KernelTokens, Tokens>()("@fairlead/kernel/Tokens") {}

/** Who is admitted, and the open streams that end with the token they came with. `identity`: where a provider is configured. */
export class KernelAccess extends Context.Service<
  KernelAccess,
  {
    readonly authenticate: Authenticate;
    readonly streams: OpenStreams;
    readonly identity: OpenIdentity | undefined;
  }
>()("@fairlead/kernel/Access") {}

export class HttpTransport extends Context.Service<HttpTransport, Mount>()("@fairlead/kernel/HttpTransport") {}
export class TrpcTransport extends Context.Service<TrpcTransport, Mount>()("@fairlead/kernel/TrpcTransport") {}
export class McpTransport extends Context.Service<McpTransport, Mount>()("@fairlead/kernel/McpTransport") {}
/** What all consoles of a kernel share: its built pages, and the sessions of browsers. */
export class KernelConsole extends Context.Service<
  KernelConsole,
  {
    readonly folder: string | undefined;
    /** The page that a loaded service's package brings. */
    readonly page: (service: string) => ConsolePage | undefined;
    readonly sessions: BrowserSessions;
  }
>()("@fairlead/kernel/Console") {}

/** The parts of a console whose pages are in that folder. */
export const openConsole = (
  folder: string | undefined,
  page: KernelConsole["Service"]["page"] = () => undefined,
): KernelConsole["Service"] => ({
  folder,
  page,
  sessions: new BrowserSessions(),
});

export class ConsolePages extends Context.Service<ConsolePages, Mount>()("@fairlead/kernel/ConsolePages") {}
export class DocsPages extends Context.Service<DocsPages, readonly Mount[]>()("@fairlead/kernel/DocsPages") {}
/** The end of the kernel as it is requested from outside. */
export class KernelStop extends Context.Service<
  KernelStop,
  {
    readonly request: () => void;
    /** True from the first request on, or once the kernel closes. */
    readonly isRequested: () => boolean;
  }
>()("@fairlead/kernel/Stop") {}
/** Where the admin listeners are. */
export class KernelAdmin extends Context.Service<KernelAdmin, Addresses["admin"]>()("@fairlead/kernel/Admin") {}
/** Where the server listens. */
export class KernelServer extends Context.Service<KernelServer, Addresses>()("@fairlead/kernel/Server") {}

const tokensLayer = Layer.effect(
  KernelTokens,
  Effect.gen(function* () {
    const config = yield* KernelConfig;
    const file = tokenFilePath(config, (yield* KernelInputs).env);
    const now = performance.now.bind(performance);
    let mayBeAbsent = true;
    const onFile = (): void => {
      mayBeAbsent = false;
    };
    const list = followTokens(file, { configured: config.tokens, now, log: yield* KernelLog, onFile });
    return { list, mayBeAbsent: () => mayBeAbsent };
  }),
);

const accessLayer = Layer.effect(
  KernelAccess,
  Effect.gen(function* () {
    const { list, mayBeAbsent } = yield* KernelTokens;
    const { identity: config } = yield* KernelConfig;
    const tokens = bearer(list, Date.now, () => config === undefined && mayBeAbsent());
    const identity = config && openIdentity(config, yield* KernelLog);
    const { sessions } = yield* KernelConsole;
    const authenticate: Authenticate = sessions.authenticate(
      identity === undefined ? tokens : (authorization) => tokens(authorization) ?? identity.known(authorization),
    );
    const revocations = new Revocations(authenticate, { identify: identity?.identify });
    return { authenticate, identity, streams: new OpenStreams({ revocations }) };
  }),
);

const mounted = Effect.all([KernelSurroundings, KernelAccess]);
const httpLayer = Layer.effect(
  HttpTransport,
  Effect.map(mounted, ([parts, access]) => mountHttp(parts, access)),
);
const trpcLayer = Layer.effect(
  TrpcTransport,
  Effect.map(mounted, ([parts, access]) => mountTrpc(parts, access)),
);
const mcpLayer = Layer.effect(
  McpTransport,
  Effect.map(mounted, ([parts, { streams }]) => mountMcp(parts, { streams })),
);

const consoleLayer = Layer.effect(
  ConsolePages,
  Effect.gen(function* () {
    const { authenticate } = yield* KernelAccess;
    return mountConsole({ ...(yield* KernelConsole), authenticate });
  }),
);

const docsLayer = Layer.effect(
  DocsPages,
  Effect.gen(function* () {
    const { instances, procedures } = yield* KernelRegistry;
    const [metrics, events] = [yield* KernelMetrics, yield* KernelEvents];
    const [stop, state] = [yield* KernelStop, yield* KernelState];
    const fronts = yield* KernelFronts;
    const { supervision, services: all } = yield* KernelInputs;
    const required = all.filter(
      ({ contract: { id }, supervision: declared }) =>
        supervision?.get(id)?.required ?? completeSettings(declared).required,
    );
    const isRequired = (id: string): boolean => required.some(({ contract }) => contract.id === id);
    const subscriptions = {
      has: (name: string) => procedures.get(name)?.entry.procedure.kind === "subscription",
    };
    return mountDocs(yield* KernelSurroundings, {
      ready: () => {
        const { ready, services } = kernelHealth(instances, isRequired);
        const storage = state.problem();
        return { ready: ready && !stop.isRequested(), services, ...(storage !== undefined && { storage }) };
      },
      metrics: kernelFigures({ metrics, instances, subscriptions, events, nodes: () => fronts.nodes() }),
      viewer: referenceViewer((yield* KernelConsole).folder),
    });
  }),
);

/** The admin listeners end after the server: they answer while it drains. */
const adminLayer = Layer.effect(
  KernelAdmin,
  Effect.gen(function* () {
    const config = yield* KernelConfig;
    const { env } = yield* KernelInputs;
    const { authenticate, identity } = yield* KernelAccess;
    const parts = {
      pages: yield* DocsPages,
      authenticate,
      identify: identity?.identify,
      log: yield* KernelLog,
      shutdown: (yield* KernelStop).request,
    };
    const socket = yield* openAdminSocket(join(dirname(tokenFilePath(config, env)), "kernel", "admin.sock"), parts);
    const port = config.admin === undefined ? undefined : yield* openAdminPort(config.admin.port, parts);
    return { ...(socket !== undefined && { socket }), ...(port !== undefined && { port }) };
  }),
);

/** Listens as configured, until its scope closes. Anything but loopback needs a token or an identity provider. */
const serverLayer = Layer.effect(
  KernelServer,
  Effect.gen(function* () {
    const config = yield* KernelConfig;
    const { host, port, hosts, origins, lagMs } = config;
    const refused = bindingRefusal(config, (yield* KernelTokens).list().length);
    if (refused !== undefined) return yield* Effect.fail(new FairleadError(refused));
    const { authenticate, identity } = yield* KernelAccess;
    const { sessions } = yield* KernelConsole;
    const dispatch = yield* KernelDispatch;
    const log = yield* KernelLog;
    const canShare = config.workers !== undefined && identity === undefined;
    const isShared = config.sharedPort && canShare;
    if (config.sharedPort && !canShare)
      log("warn", "the port is not shared: it needs `workers`, and callers without an identity provider");
    const parts = {
      mounts: [
        yield* HttpTransport,
        yield* TrpcTransport,
        yield* McpTransport,
        yield* ConsolePages,
        ...(yield* DocsPages),
        ...(identity === undefined ? [] : [identity.mount]),
      ],
      rules: {
        hosts,
        origins,
        authenticate,
        isPublic: (url: string) => isConsoleUrl(url) || isViewerUrl(url),
        isLanding: isConsoleLanding,
        session: sessions.authorize.bind(sessions),
        ...(identity !== undefined && { identity }),
      },
      log,
      times: { lag: lagMs },
      // Fronts have the other half: a caller's connection can be counted in both.
      ...(isShared && { limits: { perPrincipal: defaultConnectionLimits.perPrincipal / 2 } }),
      onBlocked: dispatch.reportDelay.bind(dispatch),
      onRefused: (yield* KernelMetrics).countRefusal,
      rates: (yield* KernelRates).requests,
    };
    const admin = yield* KernelAdmin;
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => makeServer(parts)),
      ({ close }) => close,
    );
    const listen = isShared
      ? Effect.flatMap(
          Effect.promise(() => import("./open-fronts.ts")),
          ({ listenWithFronts }) => listenWithFronts(server, { authenticate, mounts: parts.mounts }),
        )
      : server.listen({ port, host });
    const { url, port: bound } = yield* listen;
    identity?.listensAt(url);
    return { ...addressesAt(url, bound), admin };
  }),
);

/** Stores what happens, for readers after a restart, until the services are down as well. A file that cannot be written costs the history, and no start. */
const historyLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const [events, log, state] = [yield* KernelEvents, yield* KernelLog, yield* KernelState];
    const failed = (error: unknown): void => log("warn", "events are not stored", { error });
    const works = (lost: number): void => log("info", "events are stored again", { lost });
    const store = yield* Effect.result(Effect.tryPromise({ try: () => state.events(), catch: (cause) => cause }));
    if (Result.isFailure(store)) failed(store.failure);
    else yield* Scope.provide(logEvents(events, store.success, { failed, works }), state.scope);
  }),
);

/** The layers of a network. A test replaces one with `{ ...networkLayers, mcp: fake }`. */
export const networkLayers = {
  tokens: tokensLayer,
  access: accessLayer,
  http: httpLayer,
  trpc: trpcLayer,
  mcp: mcpLayer,
  console: consoleLayer,
  docs: docsLayer,
  admin: adminLayer,
  server: serverLayer,
  history: historyLayer,
};

type NetworkLayers = typeof networkLayers;

/** The network in front of a kernel, each part built after those it needs. Fails when it cannot listen. */
export const networkLayer = (
  layers: NetworkLayers = networkLayers,
): Layer.Layer<KernelServer, FairleadError, KernelParts | KernelSurroundings | KernelStop | KernelConsole> =>
  Layer.merge(layers.server, layers.history).pipe(
    Layer.provide(layers.admin),
    Layer.provide(Layer.mergeAll(layers.http, layers.trpc, layers.mcp, layers.console, layers.docs)),
    Layer.provide(layers.access),
    Layer.provide(layers.tokens),
  );

const addressesAt = (url: string, port: number): Omit<Addresses, "admin"> => ({
  http: `${url}/api`,
  trpc: `${url}/trpc`,
  mcp: `${url}/mcp`,
  openapi: `${url}/openapi.json`,
  console: `${url}/console`,
  port,
});
