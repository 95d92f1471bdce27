/**
 * The kernel's ends of NATS: the connection that sends calls of its services elsewhere, and the one that takes those of others. Loaded only where NATS is
 * configured, since its client is installed by who uses it.
 *
 * Not here: what travels over it (`placement/nats/`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import type { Dispatch } from "../../call/call.ts";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { LoadedService } from "../../host/registry.ts";
import type { ServiceInstance } from "../../host/service-instance.ts";
import type { Log } from "../../observe/log.ts";
import type { NodeStatus } from "../../placement/fleet/roster.ts";
import { readCredentials } from "../../placement/nats/credentials.ts";
import { fleetSecret } from "../../placement/nats/fleet-secret.ts";
import { type Offer, openOffer } from "../../placement/nats/offer.ts";
import { openPeers } from "../../placement/nats/peers.ts";
import { placeOverNats } from "../../placement/nats/place.ts";

interface NatsParts {
  readonly settings: NatsSettings;
  readonly env: Environment;
  readonly log: Log;
}

interface NatsPlacing {
  readonly place: (service: LoadedService) => LoadedService;
  /** This process and all others of its fleet. */
  readonly nodes: () => readonly NodeStatus[];
}

/** Places services over one connection, which lives as long as the scope. */
export const openPlacing = (parts: NatsParts, scope: Scope.Scope): Effect.Effect<NatsPlacing, FairleadError> =>
  Effect.map(Scope.provide(openPeers(parts), scope), (peers) => ({
    place: (service) => placeOverNats(service, { peers, places: parts.settings.places, log: parts.log }),
    nodes: peers.nodes,
  }));

/** Throws for settings that nothing can be sent with. */
export const checkNats = (settings: NatsSettings, env: Environment): void => {
  fleetSecret(settings, env);
  readCredentials(settings, env);
};

interface OfferedParts {
  readonly instances: ReadonlyMap<string, ServiceInstance>;
  readonly dispatch: Dispatch;
  readonly isOnlyDescribed: boolean;
}

/** Takes calls for these services for as long as the scope. */
export const offerServices = (
  parts: NatsParts,
  { instances, dispatch, isOnlyDescribed }: OfferedParts,
): Effect.Effect<Offer, FairleadError, Scope.Scope> => {
  const contracts = [...instances.values()].map(({ contract }) => contract);
  return openOffer({ ...parts, contracts, dispatch, isOnlyDescribed });
};
