/**
 * The answering side: takes the calls of a fleet for this kernel's services and gives them to dispatch, which decodes, authorises and runs them as those of any
 * transport. What may run anywhere is taken by one worker of many; what is keyed by the one that has the key's place.
 *
 * Not here: its subscriptions (`offer-subscriptions.ts`), one call (`offered-calls.ts`), whose a place is (`claim.ts`), the calling side (`peers.ts`).
 */
import type { Contract, FairleadError } from "@fairlead/contracts";
import { RequestError } from "@nats-io/transport-node";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Dispatch } from "../../call/call.ts";
import { version } from "../../call/version.ts";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { Log } from "../../observe/log.ts";
import { turnMs } from "../fleet/arrival-gate.ts";
import type { FleetPlace } from "../fleet/node.ts";
import { describeWire, procedureDigest } from "../wire/digest.ts";
import { makeSigner } from "../wire/signature.ts";
import { claimPlace } from "./claim.ts";
import { keepConnected, type NatsLink } from "./connection.ts";
import { answerMs, FleetMember, keepSaying, nodeName } from "./fleet.ts";
import { fleetSecret } from "./fleet-secret.ts";
import { type Offering, OfferSubscriptions } from "./offer-subscriptions.ts";
import { OfferedCalls } from "./offered-calls.ts";
import { isOffered } from "./place.ts";
import { callSubject, instanceSubject, keyedSubject } from "./subjects.ts";

interface OfferOptions {
  readonly settings: NatsSettings;
  readonly env: Environment;
  readonly contracts: readonly Contract[];
  readonly dispatch: Dispatch;
  readonly log: Log;
  /** True to say what would be offered, and to connect to nothing. */
  readonly isOnlyDescribed: boolean;
}

/** What a worker takes calls for. */
export interface Offer {
  /** Name of the worker. */
  readonly name: string;
  /** What all subjects begin with. */
  readonly prefix: string;
  readonly procedures: readonly OfferedProcedure[];
  /** Resolves with why it takes no calls of its place any more; another worker has it. */
  readonly lost: Promise<FairleadError>;
}

interface OfferedProcedure {
  /** Full name. */
  readonly name: string;
  readonly subject: string;
  /** JSON Schema of what travels. */
  readonly input: unknown;
  readonly output: unknown;
}

/** Takes calls for as long as the scope; those that have begun are answered before it has closed. Fails where NATS is not reached at once. */
export const openOffer = Effect.fnUntraced(function* ({
  settings,
  env,
  contracts,
  dispatch,
  log,
  isOnlyDescribed,
}: OfferOptions): Effect.fn.Return<Offer, FairleadError, Scope.Scope> {
  const secret = yield* Effect.try({ try: () => fleetSecret(settings, env), catch: (cause) => cause as FairleadError });
  const signer = secret === undefined ? undefined : makeSigner(secret);
  const calls = new OfferedCalls({ dispatch, signer, log });
  const name = nodeName(settings);
  const { prefix } = settings;
  const place = ownPlace(settings);
  const member = new FleetMember({
    prefix,
    signer,
    log,
    self: () => ({ name, role: "worker", services: contracts.map(({ id, version: of }) => ({ id, version: of })) }),
    hears: place !== undefined,
    calls: () => calls.count,
  });
  const offerings = contracts.flatMap((contract) => offeringsIn(contract, settings, member.instance));
  const lost = Promise.withResolvers<FairleadError>();
  const offer: Offer = {
    name,
    prefix,
    // Whoever has a key is found by what it says of itself: what is keyed is not for workers without a kernel.
    procedures: offerings
      .filter(({ endpoint }) => !(isOnlyDescribed && endpoint.isKeyed))
      .map(({ name: procedure, subject, procedure: { input, output } }) => ({
        ...{ name: procedure, subject },
        ...{ input: describeWire(input), output: describeWire(output) },
      })),
    lost: lost.promise,
  };
  if (isOnlyDescribed) return offer;
  const taking = new OfferSubscriptions({
    settings,
    name,
    offerings,
    calls,
    member,
    log,
    lost: lost.resolve,
    signer,
    whenUp: () => link.whenUp(),
  });
  const link = yield* keepConnected({
    settings,
    env,
    name: `fairlead ${version} ${name}`,
    log,
    onConnected: (connection) => taking.connect(connection),
    onLost: () => taking.gate.begin(),
  });
  yield* link.first;
  yield* repeat(turnMs, () => taking.gate.turn());
  yield* repeat(lookEveryMs, () => calls.endUnheard());
  yield* keepSaying(member, link);
  const claim =
    place && (yield* claimPlace({ member, place, isThere: (instance) => isConnected(link, prefix, instance) }));
  taking.begin(claim);
  yield* Effect.addFinalizer(() => drain(link, taking, calls));
  return offer;
});

const repeat = (everyMs: number, act: () => void): Effect.Effect<unknown, never, Scope.Scope> =>
  Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(everyMs), Effect.sync(act))));

const ownPlace = ({ places, place }: NatsSettings): FleetPlace | undefined =>
  places === undefined || place === undefined ? undefined : { places, place };

/** Milliseconds between two looks for streams without a reader. */
const lookEveryMs = 10_000;

/** What a contract lets run elsewhere, and where this worker takes it. */
const offeringsIn = (contract: Contract, settings: NatsSettings, instance: string): readonly Offering[] =>
  Object.entries(contract.procedures).flatMap(([name, procedure]) => {
    if (!isOffered(procedure, settings.places)) return [];
    const digest = procedureDigest(procedure);
    const anywhere = callSubject({ prefix: settings.prefix, service: contract.id, procedure: name, digest });
    const isKeyed = procedure.placement !== "stateless";
    const place = ownPlace(settings);
    if (isKeyed && place === undefined) return [];
    const subject = isKeyed && place !== undefined ? keyedSubject(anywhere, place, instance) : anywhere;
    const { kind } = procedure;
    const endpoint = { name, subject, digest, kind, isKeyed, requests: 0, errors: 0, lastError: "", spentMs: 0 };
    return [{ name: `${contract.id}.${name}`, subject, contract, procedure, endpoint }];
  });

/** Whether a life of a process is connected; `undefined` where it is and does not say so. */
const isConnected = (link: NatsLink, prefix: string, instance: string): Promise<boolean | undefined> =>
  link.whenUp().then((connection) =>
    connection.request(instanceSubject(prefix, instance), "", { timeout: answerMs }).then(
      () => true,
      (error: unknown) => (error instanceof RequestError && error.isNoResponders() ? false : undefined),
    ),
  );

/** No new calls; those that were delivered are answered. */
const drain = Effect.fnUntraced(function* (link: NatsLink, taking: OfferSubscriptions, calls: OfferedCalls) {
  taking.leave();
  if (link.up() !== undefined)
    yield* Effect.promise(() => Promise.allSettled(taking.subscriptions.map((subscription) => subscription.drain())));
  yield* Effect.promise(() => calls.idle());
  yield* Effect.promise(() => Promise.allSettled([link.up()?.flush()]));
});
