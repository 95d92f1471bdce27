/**
 * The calling side: sends calls to whoever offers them over NATS, and waits for their replies at one inbox. A call whose worker is gone is found by asking all
 * workers of its service which calls they have: one that none has is lost.
 *
 * Not here: which procedures go over NATS (`place.ts`), what a message looks like (`envelope.ts`), the answering side (`offer.ts`).
 */
import type { Contract, FairleadError } from "@fairlead/contracts";
import { type Msg, type NatsConnection, nuid } from "@nats-io/transport-node";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { Progress, StreamItem } from "../../call/call.ts";
import { version } from "../../call/version.ts";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { Log } from "../../observe/log.ts";
import type { FleetPlace } from "../fleet/node.ts";
import type { NodeStatus, PlaceOwner } from "../fleet/roster.ts";
import type { LostPlace, PlacedCall } from "../placement.ts";
import { makeOwnership } from "../rendezvous.ts";
import { procedureDigest } from "../wire/digest.ts";
import { makeSigner, type Signer } from "../wire/signature.ts";
import { keepConnected, type NatsLink } from "./connection.ts";
import {
  type ControlMessage,
  isUnheard,
  type Note,
  type ReplyMessage,
  readControl,
  readReply,
  replyError,
  tooLarge,
  writeCall,
  writeControl,
  writeReply,
} from "./envelope.ts";
import { FleetMember, keepSaying, nodeName, waitsSubject } from "./fleet.ts";
import { fleetSecret } from "./fleet-secret.ts";
import { makeListener } from "./listener.ts";
import { findOffers } from "./micro.ts";
import { RemoteStream } from "./remote-stream.ts";
import { callSubject, controlSubject, keyedSubject } from "./subjects.ts";

/** A call to another process of the fleet. */
export type PeerCall = Omit<PlacedCall, "onBlocked">;

export interface Peers {
  call(contract: Contract, call: PeerCall): Effect.Effect<unknown, FairleadError | LostPlace>;
  subscribe(contract: Contract, call: PeerCall): Stream.Stream<StreamItem, FairleadError | LostPlace>;
  /** Why calls cannot be sent now. */
  readonly down: () => string | undefined;
  /** Says to the fleet that calls of this service are made here. */
  join(contract: Contract): void;
  /** This process and all others of the fleet. */
  readonly nodes: () => readonly NodeStatus[];
}

/** A call that was sent, and what its replies do. */
interface SentCall {
  readonly service: string;
  readonly take: (reply: ReplyMessage) => void;
  readonly fail: (error: FairleadError | LostPlace) => void;
  /** On the clock of `performance.now()`: when it was sent, or its worker last said that it has it. */
  heard: number;
}

/** Milliseconds without a word after which a call's worker is asked for, and after which the call is lost. */
const askAfterMs = 1_000;
const lostAfterMs = 4_000;
/** Calls that one question names. */
const mostAsked = 1_000;
/** Milliseconds that a cancelled call is waited for: its handler may still be ending. */
const cancelMs = 2_000;
/** Milliseconds that the first connection is waited for. */
const firstMs = 3_000;
/** Events of a stream that are under way at most. */
const credit = 16;

interface PeersOptions {
  readonly settings: NatsSettings;
  readonly env: Environment;
  readonly log: Log;
}

export const openPeers = Effect.fnUntraced(function* ({
  settings,
  env,
  log,
}: PeersOptions): Effect.fn.Return<Peers, FairleadError, Scope.Scope> {
  const secret = yield* Effect.try({ try: () => fleetSecret(settings, env), catch: (cause) => cause as FairleadError });
  const signer = secret === undefined ? undefined : makeSigner(secret);
  const inbox = `_INBOX.${nuid.next()}`;
  const waiting = new Map<string, SentCall>();
  const receive = (message: Msg): void => {
    const found = waiting.get(message.subject);
    if (found === undefined) return;
    if (isUnheard(message)) {
      // Whoever may publish can say it, and the server's own word has no signature: where words are signed it proves nothing.
      found.fail(signer === undefined ? unheard : { ...unheard, sent: true });
      return;
    }
    const reply = readReply(message, signer);
    if (reply === undefined) {
      log("warn", "a reply over NATS is not signed by a peer, and was dropped");
      return;
    }
    found.heard = performance.now();
    found.take(reply);
  };
  const holders = `${inbox}.holders`;
  const asked = waitsSubject(inbox);
  const services = new Map<string, { readonly id: string; readonly version: string }>();
  const member = new FleetMember({
    prefix: settings.prefix,
    signer,
    log,
    self: () => ({ name: nodeName(settings), role: "kernel", services: [...services.values()] }),
    hears: true,
    calls: () => waiting.size,
  });
  /** Says which of its calls this caller still waits for. */
  const answerWaits = (connection: NatsConnection, message: Msg): void => {
    const said = readControl(message, signer);
    if (said === undefined || !("waits" in said) || !message.reply) return;
    const body = Buffer.from(JSON.stringify(said.waits.filter((id) => waiting.has(id))));
    const headers = writeReply({ kind: "value" }, { subject: message.reply, body }, signer);
    connection.publish(message.reply, body, headers && { headers });
  };
  const onConnected = (connection: NatsConnection): void => {
    connection.subscribe(`${inbox}.*`, {
      callback: makeListener(log, (message) =>
        message.subject === asked ? answerWaits(connection, message) : receive(message),
      ),
    });
    member.begin(connection);
    connection.subscribe(holders, {
      callback: makeListener(log, (message) => {
        const reply = readReply(message, signer);
        for (const id of Array.isArray(reply?.value) ? reply.value : []) {
          const found = typeof id === "string" ? waiting.get(id) : undefined;
          if (found !== undefined) found.heard = performance.now();
        }
      }),
    });
  };
  const link = yield* keepConnected({ settings, env, name: `fairlead ${version} calls`, log, onConnected });
  const control = (subject: string, message: ControlMessage, reply?: string): void => {
    const { body, headers } = writeControl(message, subject, signer);
    link.up()?.publish(subject, body, { headers, ...(reply !== undefined && { reply }) });
  };
  const lookForLost = Effect.sync(() => {
    const now = performance.now();
    if (link.up() === undefined) {
      // What was answered meanwhile is lost: a call is asked for again only where the connection is back soon.
      for (const { heard, fail } of waiting.values())
        if (now - heard > lostAfterMs) fail({ _tag: "LostPlace", why: link.why(), sent: true });
      return;
    }
    const quiet = new Map<string, string[]>();
    for (const [id, { service, heard, fail }] of waiting) {
      if (now - heard > lostAfterMs) fail(gone);
      else if (now - heard > askAfterMs) quiet.set(service, [...(quiet.get(service) ?? []), id]);
    }
    for (const [service, ids] of quiet)
      for (let at = 0; at < ids.length; at += mostAsked)
        control(controlSubject(settings.prefix, service), { holds: ids.slice(at, at + mostAsked) }, holders);
  });
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(askAfterMs), lookForLost)));
  // Calls go out once it is reached; a kernel starts without it as well.
  yield* Effect.timeoutOption(Effect.ignore(link.first), firstMs);
  yield* keepSaying(member, link);
  const state: PeersState = { settings, signer, link, inbox, waiting, control, member, nextId: 0 };
  return {
    join: ({ id, version: of }) => {
      services.set(id, { id, version: of });
    },
    nodes: () => member.nodes(),
    call: (contract, call) =>
      call.key === undefined
        ? callPeer(state, { contract, call })
        : Effect.flatMap(findOwner(state, call.key), (owner) => callPeer(state, { contract, call, ...owner })),
    subscribe: (contract, call) =>
      call.key === undefined
        ? openStream(state, { contract, call })
        : Stream.unwrap(
            Effect.map(findOwner(state, call.key), (owner) => openStream(state, { contract, call, ...owner })),
          ),
    down: () => (link.up() === undefined ? link.why() : undefined),
  };
});

interface PeersState {
  readonly settings: NatsSettings;
  readonly signer: Signer | undefined;
  readonly link: NatsLink;
  readonly inbox: string;
  readonly waiting: Map<string, SentCall>;
  readonly member: FleetMember;
  readonly control: (subject: string, message: ControlMessage, reply?: string) => void;
  nextId: number;
}

const unheard: LostPlace = { _tag: "LostPlace", why: "no worker on NATS offers it now", sent: false };
const gone: LostPlace = { _tag: "LostPlace", why: "its worker on NATS is gone", sent: true };

const callPeer = (state: PeersState, target: AddressedCall): Effect.Effect<unknown, FairleadError | LostPlace> =>
  Effect.callback<unknown, FairleadError | LostPlace>((resume) => {
    const { contract, call } = target;
    const ended = Promise.withResolvers<void>();
    const end = (outcome: Effect.Effect<unknown, FairleadError | LostPlace>): void => {
      state.waiting.delete(id);
      ended.resolve();
      resume(outcome);
    };
    const id = begin(state, target, {
      take: (reply) => {
        if (reply.kind === "value") return end(Effect.succeed(reply.value));
        if (reply.kind === "error") return end(Effect.fail(replyError(reply)));
        takeNote(call, reply);
      },
      fail: (error) => end(explained(state, target, error)),
    });
    return Effect.suspend(() => {
      if (!state.waiting.has(id)) return Effect.void;
      state.control(controlSubject(state.settings.prefix, contract.id), { cancel: id });
      const left = Effect.timeoutOption(
        Effect.promise(() => ended.promise),
        cancelMs,
      );
      return Effect.ensuring(
        left,
        Effect.sync(() => state.waiting.delete(id)),
      );
    });
  });

const takeNote = ({ onProgress, onLog }: PeerCall, { kind, value }: ReplyMessage): void => {
  if (kind === "progress") onProgress?.(value as Progress);
  if (kind === "line") onLog?.(String(value));
};

const openStream = (state: PeersState, target: AddressedCall): Stream.Stream<StreamItem, FairleadError | LostPlace> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const { contract, call } = target;
          const events = new RemoteStream(credit, {
            more: (subject, more) => state.control(subject, { more }),
            cancel: () => {
              if (state.waiting.delete(id))
                state.control(controlSubject(state.settings.prefix, contract.id), { cancel: id });
            },
          });
          const id = begin(
            state,
            { ...target, credit },
            {
              take: (reply) => {
                if (reply.kind === "error" || reply.kind === "end") state.waiting.delete(id);
                takeNote(call, reply);
                events.take(reply);
              },
              fail: (error) => {
                state.waiting.delete(id);
                events.fail(error);
              },
            },
          );
          return events;
        }),
        (events) => Effect.sync(() => events.cancel()),
      ),
      (events) =>
        Stream.catch(
          Stream.fromAsyncIterable(events, (error) => error as FairleadError | LostPlace),
          (error) => Stream.fromEffect(explained(state, target, error) as Effect.Effect<never, typeof error>),
        ),
    ),
  );

interface AddressedCall {
  readonly contract: Contract;
  readonly call: PeerCall;
  readonly credit?: number;
  /** Whoever has the place of its key. */
  readonly place?: FleetPlace;
  readonly owner?: PlaceOwner;
}

/** The place of a key and who has it; asked for where it is not known. Fails where no worker has it: then nothing was sent. */
const findOwner = (
  { settings: { places }, member, link }: PeersState,
  key: string,
): Effect.Effect<Pick<AddressedCall, "place" | "owner">, LostPlace> => {
  if (places === undefined) return Effect.succeed({});
  const place = { places, place: placeOwner(places)(key) };
  const known = member.owner(place);
  if (known !== undefined) return Effect.succeed({ place, owner: known });
  if (link.up() === undefined) return Effect.fail({ _tag: "LostPlace", why: link.why(), sent: false });
  return Effect.flatMap(
    Effect.promise(() => member.whenOwned(place)),
    (owner) => (owner === undefined ? Effect.fail(ownerless(place, key)) : Effect.succeed({ place, owner })),
  );
};

const ownerless = ({ place, places }: FleetPlace, key: string): LostPlace => ({
  _tag: "LostPlace",
  why: `no worker on NATS has place ${place} of ${places}, which ${JSON.stringify(key.slice(0, 80))} belongs to`,
  sent: false,
});

/** Sends a call, which ends at once where it cannot be sent. Returns its id, which is where its replies go. */
const begin = (state: PeersState, target: AddressedCall, { take, fail }: Pick<SentCall, "take" | "fail">): string => {
  const id = `${state.inbox}.${(state.nextId++).toString(36)}`;
  const { contract, call } = target;
  const connection = state.link.up();
  const subject = subjectFor(state.settings, target);
  const body = Buffer.from(JSON.stringify(call.input) ?? "");
  const headers = writeCall(toTerms(target), { subject, reply: id, body }, state.signer);
  const most = connection?.info?.max_payload ?? Number.POSITIVE_INFINITY;
  state.waiting.set(id, { service: contract.id, take, fail, heard: performance.now() });
  // Its size in headers is small and bounded by what the kernel lets in, but counts.
  const bytes = body.length + headers.toString().length;
  if (connection === undefined) queueMicrotask(() => fail({ _tag: "LostPlace", why: state.link.why(), sent: false }));
  else if (bytes > most)
    queueMicrotask(() => fail(tooLarge(`the input of ${contract.id}.${call.procedure}`, bytes, most)));
  else connection.publish(subject, body, { reply: id, headers });
  return id;
};

const toTerms = ({ call, credit: events }: AddressedCall) => ({
  principal: call.principal,
  traceparent: call.traceparent,
  notes: [
    ...(call.onProgress === undefined ? [] : (["progress"] as const)),
    ...(call.onLog === undefined ? [] : (["line"] as const)),
  ] satisfies readonly Note[],
  ...(Number.isFinite(call.leftMs) && { timeoutMs: Math.max(1, call.leftMs) }),
  ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
  ...(call.attempts !== undefined && { attempts: call.attempts }),
  ...(call.run !== undefined && { run: call.run }),
  ...(call.lastEventId !== undefined && { lastEventId: call.lastEventId }),
  ...(events !== undefined && { credit: events }),
});

const subjectFor = ({ prefix }: NatsSettings, { contract, call, place, owner }: AddressedCall): string => {
  const procedure = contract.procedures[call.procedure];
  if (procedure === undefined) throw new Error(`${contract.id} has no procedure ${call.procedure}`);
  const digest = procedureDigest(procedure);
  const subject = callSubject({ prefix, service: contract.id, procedure: call.procedure, digest });
  return place === undefined || owner === undefined ? subject : keyedSubject(subject, place, owner.instance);
};

const owners = new Map<number, (key: string) => string>();

/** The place that a key belongs to, from 1. */
const placeOwner = (places: number) => {
  const find = owners.get(places) ?? makeOwnership(Array.from({ length: places }, (_, at) => String(at + 1)));
  owners.set(places, find);
  return (key: string): number => Number(find(key));
};

/** Why nothing listens: no worker is up, or those that are have another contract, and then each is named. */
const explained = (
  { link }: PeersState,
  { contract, call, place }: AddressedCall,
  error: FairleadError | LostPlace,
): Effect.Effect<never, FairleadError | LostPlace> => {
  const connection = link.up();
  if (!("why" in error) || error.why !== unheard.why || connection === undefined) return Effect.fail(error);
  const where = place === undefined ? "" : ` in place ${place.place} of ${place.places}`;
  return Effect.flatMap(
    Effect.promise(() => findOffers(connection, contract.id)),
    (offers) => {
      const others = offers.flatMap(({ id, version: theirs, endpoints }) =>
        endpoints.some(({ name, digest }) => name === call.procedure && digest !== digestIn(contract, call.procedure))
          ? [`${id} (${contract.id} ${theirs})`]
          : [],
      );
      const why =
        others.length === 0
          ? `${unheard.why}${where}`
          : `the workers on NATS offer it by another contract, whose input, output or errors differ: ${others.slice(0, 5).join(", ")}; here is ${contract.id} ${contract.version}`;
      return Effect.fail<LostPlace>({ ...error, why });
    },
  );
};

const digestIn = ({ procedures }: Contract, name: string): string | undefined => {
  const procedure = procedures[name];
  return procedure === undefined ? undefined : procedureDigest(procedure);
};
