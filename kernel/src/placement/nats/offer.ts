/**
 * The answering side: takes the calls of a fleet for this kernel's services and gives them to dispatch, which decodes, authorises and runs them as those of any
 * transport. What may run anywhere is taken by one worker of many; what is keyed by the one that has the key's place.
 *
 * Not here: one call (`offered-calls.ts`), `$SRV` (`micro.ts`), the calling side (`peers.ts`).
 */
import { hostname } from "node:os";
import { type Contract, FairleadError, type Procedure } from "@fairlead/contracts";
import { type NatsConnection, RequestError, type Subscription } from "@nats-io/transport-node";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Dispatch } from "../../call/call.ts";
import { version } from "../../call/version.ts";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { Log } from "../../observe/log.ts";
import { describeWire, procedureDigest } from "../wire/digest.ts";
import { makeSigner } from "../wire/signature.ts";
import { keepConnected, type NatsLink } from "./connection.ts";
import { fleetSecret } from "./fleet-secret.ts";
import { makeListener } from "./listener.ts";
import { answerMicro, type MicroEndpoint } from "./micro.ts";
import { OfferedCalls } from "./offered-calls.ts";
import { isOffered } from "./place.ts";
import { callSubject, controlSubject, keyedSubject, placeSubject, queueGroup } from "./subjects.ts";

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
}

interface OfferedProcedure {
  /** Full name. */
  readonly name: string;
  readonly subject: string;
  /** JSON Schema of what travels. */
  readonly input: unknown;
  readonly output: unknown;
}

interface Offering {
  /** Full name. */
  readonly name: string;
  readonly subject: string;
  readonly procedure: Procedure;
  readonly contract: Contract;
  readonly endpoint: MicroEndpoint;
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
  const name = settings.name ?? `${hostname()}-${process.pid}`.replaceAll(/[^A-Za-z0-9_-]/g, "-");
  const offerings = contracts.flatMap((contract) => offeringsIn(contract, settings));
  const offer = {
    name,
    prefix: settings.prefix,
    procedures: offerings.map(({ name: procedure, subject, procedure: { input, output } }) => ({
      ...{ name: procedure, subject },
      ...{ input: describeWire(input), output: describeWire(output) },
    })),
  };
  if (isOnlyDescribed) return offer;
  const signer = secret === undefined ? undefined : makeSigner(secret);
  const calls = new OfferedCalls({ dispatch, signer, log });
  const started = new Date();
  const open: { subscriptions: Subscription[]; isClaimed: boolean } = { subscriptions: [], isClaimed: false };
  const subscribe = (connection: NatsConnection): void => {
    calls.begin(connection);
    const queue = queueGroup;
    const offered = offerings.map(({ subject, name: procedure, endpoint }) =>
      connection.subscribe(subject, {
        queue,
        callback: makeListener(log, (message) => calls.take(message, procedure, endpoint)),
      }),
    );
    const services = new Set(offerings.map(({ contract }) => contract));
    for (const contract of services) {
      connection.subscribe(controlSubject(settings.prefix, contract.id), {
        callback: makeListener(log, (message) => calls.control(message)),
      });
      answerMicro(
        connection,
        {
          id: name,
          name: contract.id,
          version: contract.version,
          description: contract.summary,
          prefix: settings.prefix,
          endpoints: offerings.filter((offering) => offering.contract === contract).map(({ endpoint }) => endpoint),
          started,
        },
        log,
      );
    }
    const { places, place } = settings;
    if (places !== undefined && place !== undefined)
      connection.subscribe(placeSubject(settings.prefix, { places, place }), {
        callback: makeListener(log, (message) => void message.respond(name)),
      });
    open.subscriptions = offered;
  };
  const link = yield* keepConnected({
    settings,
    env,
    name: `fairlead ${version} ${name}`,
    log,
    onConnected: (connection) => {
      if (open.isClaimed) subscribe(connection);
    },
  });
  yield* link.first;
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sleep(lookEveryMs),
        Effect.sync(() => calls.endUnheard()),
      ),
    ),
  );
  yield* claimPlace(link, settings);
  open.isClaimed = true;
  const connection = link.up();
  if (connection !== undefined) subscribe(connection);
  yield* Effect.addFinalizer(() => drain(link, open.subscriptions, calls));
  return offer;
});

/** Milliseconds between two looks for streams without a reader. */
const lookEveryMs = 10_000;

/** What a contract lets run elsewhere, and where this worker takes it. */
const offeringsIn = (contract: Contract, { prefix, places, place }: NatsSettings): readonly Offering[] =>
  Object.entries(contract.procedures).flatMap(([name, procedure]) => {
    if (!isOffered(procedure, places)) return [];
    const digest = procedureDigest(procedure);
    const anywhere = callSubject({ prefix, service: contract.id, procedure: name, digest });
    const isKeyed = procedure.placement !== "stateless";
    if (isKeyed && (places === undefined || place === undefined)) return [];
    const subject =
      isKeyed && places !== undefined && place !== undefined ? keyedSubject(anywhere, { places, place }) : anywhere;
    const { kind } = procedure;
    const endpoint = { name, subject, digest, kind, requests: 0, errors: 0, lastError: "", spentMs: 0 };
    return [{ name: `${contract.id}.${name}`, subject, contract, procedure, endpoint }];
  });

/** Milliseconds that whoever has a place has to say so. */
const claimMs = 1_000;

/** A place has one worker. One that does not answer has it still. */
const claimPlace = (link: NatsLink, settings: NatsSettings): Effect.Effect<void, FairleadError> =>
  Effect.suspend(() => {
    const { places, place, prefix } = settings;
    const connection = link.up();
    if (places === undefined || place === undefined || connection === undefined) return Effect.void;
    return Effect.flatMap(
      Effect.promise(() =>
        connection.request(placeSubject(prefix, { places, place }), "", { timeout: claimMs }).then(
          (message) => message.string(),
          (error: unknown) =>
            error instanceof RequestError && error.isNoResponders() ? undefined : "a worker that does not answer",
        ),
      ),
      (owner) => (owner === undefined ? Effect.void : Effect.fail(taken(`${place} of ${places}`, owner))),
    );
  });

const taken = (place: string, owner: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `place ${place} is taken by ${owner}`,
    hint: "give this worker another place, or end that one first",
  });

/** No new calls; those that were delivered are answered. */
const drain = Effect.fnUntraced(function* (
  link: NatsLink,
  subscriptions: readonly Subscription[],
  calls: OfferedCalls,
) {
  if (link.up() !== undefined)
    yield* Effect.promise(() => Promise.allSettled(subscriptions.map((subscription) => subscription.drain())));
  yield* Effect.promise(() => calls.idle());
  yield* Effect.promise(() => Promise.allSettled([link.up()?.flush()]));
});
