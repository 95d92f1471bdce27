/** HTTP on the private socket of an owner: the API and the documents, for whoever sends the key of the lock file. */
import { hash, timingSafeEqual } from "node:crypto";
import type { Duplex } from "node:stream";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { ownerPrincipal } from "../call/call.ts";
import type { Authenticate } from "../server/bearer.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { Revocations } from "../server/revocations.ts";
import { makeServer } from "../server/server.ts";
import {
  ConsolePages,
  DocsPages,
  HttpTransport,
  KernelAccess,
  type KernelConsole,
  type KernelStop,
  type KernelSurroundings,
  networkLayers,
} from "./network.ts";
import { KernelConfig, KernelLog, type KernelParts } from "./parts.ts";

/** Takes connections that were accepted elsewhere. */
export class OwnerHttp extends Context.Service<OwnerHttp, (socket: Duplex) => void>()("@fairlead/kernel/OwnerHttp") {}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

/** Whoever has the key is the user, with the rights of the user. */
const accessLayer = (key: string) =>
  Layer.sync(KernelAccess, () => {
    const expected = digest(key);
    const authenticate: Authenticate = (authorization) => {
      const sent = /^bearer (\S+)$/i.exec(authorization ?? "")?.[1];
      return sent !== undefined && timingSafeEqual(digest(sent), expected) ? ownerPrincipal : undefined;
    };
    return {
      authenticate,
      identity: undefined,
      streams: new OpenStreams({ revocations: new Revocations(authenticate) }),
    };
  });

const serverLayer = Layer.effect(
  OwnerHttp,
  Effect.gen(function* () {
    const { lagMs } = yield* KernelConfig;
    const { authenticate } = yield* KernelAccess;
    const parts = {
      mounts: [yield* HttpTransport, yield* ConsolePages, ...(yield* DocsPages)],
      rules: { hosts: [], origins: [], authenticate },
      log: yield* KernelLog,
      times: { lag: lagMs },
    };
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => makeServer(parts)),
      ({ close }) => close,
    );
    return server.adopt();
  }),
);

export const ownerHttpLayer = (
  key: string,
): Layer.Layer<OwnerHttp, never, KernelParts | KernelSurroundings | KernelStop | KernelConsole> =>
  serverLayer.pipe(
    Layer.provide(Layer.mergeAll(networkLayers.http, networkLayers.console, networkLayers.docs)),
    Layer.provide(accessLayer(key)),
  );
