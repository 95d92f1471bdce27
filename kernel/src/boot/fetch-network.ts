/**
 * The network of a kernel that does not listen: the transports behind the stages of `server/fetch/`, for requests that a runtime
 * hands over. Callers come with the tokens of the configuration or of an identity provider; there is no file of tokens and no console.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { type FetchServer, makeFetchServer } from "../server/fetch/fetch-server.ts";
import {
  DocsPages,
  HttpTransport,
  KernelAccess,
  type KernelConsole,
  type KernelStop,
  type KernelSurroundings,
  KernelTokens,
  McpTransport,
  networkLayers,
  TrpcTransport,
} from "./network.ts";
import { KernelConfig, KernelLog, KernelMetrics, type KernelParts } from "./parts.ts";

/** Takes requests that a runtime has received. */
export class FetchRequests extends Context.Service<FetchRequests, FetchServer>()("@fairlead/kernel/FetchRequests") {}

const tokensLayer = Layer.effect(
  KernelTokens,
  Effect.map(KernelConfig, ({ tokens }) => ({ list: () => tokens, mayBeAbsent: () => true })),
);

const serverLayer = Layer.effect(
  FetchRequests,
  Effect.gen(function* () {
    const { hosts, origins } = yield* KernelConfig;
    const { authenticate, identity } = yield* KernelAccess;
    const parts = {
      mounts: [
        yield* HttpTransport,
        yield* TrpcTransport,
        yield* McpTransport,
        ...(yield* DocsPages),
        ...(identity === undefined ? [] : [identity.mount]),
      ],
      rules: { hosts, origins, authenticate, ...(identity !== undefined && { identity }) },
      log: yield* KernelLog,
      onRefused: (yield* KernelMetrics).countRefusal,
    };
    return yield* Effect.acquireRelease(
      Effect.sync(() => makeFetchServer(parts)),
      ({ close }) => close,
    );
  }),
);

export const fetchLayer: Layer.Layer<
  FetchRequests,
  never,
  KernelParts | KernelSurroundings | KernelStop | KernelConsole
> = serverLayer.pipe(
  Layer.provide(Layer.mergeAll(networkLayers.http, networkLayers.trpc, networkLayers.mcp, networkLayers.docs)),
  Layer.provide(networkLayers.access),
  Layer.provide(tokensLayer),
);
