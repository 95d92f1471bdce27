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
  readReply,
  replyError,
  tooLarge,
  writeCall,
  writeControl,
} from "./envelope.ts";
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
  const onConnected = (connection: NatsConnection): void => {
    connection.subscribe(`${inbox}.*`, { callback: makeListener(log, receive) });
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
    if (link.up() === undefined) return;
    const now = performance.now();
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
  const state: PeersState = { settings, signer, link, inbox, waiting, control, nextId: 0 };
  return {
    call: (contract, call) => callPeer(state, contract, call),
    subscribe: (contract, call) => openStream(state, contract, call),
    down: () => (link.up() === undefined ? link.why() : undefined),
  };
});

interface PeersState {
  readonly settings: NatsSettings;
  readonly signer: Signer | undefined;
  readonly link: NatsLink;
  readonly inbox: string;
  readonly waiting: Map<string, SentCall>;
  readonly control: (subject: string, message: ControlMessage, reply?: string) => void;
  nextId: number;
}

const unheard: LostPlace = { _tag: "LostPlace", why: "no worker on NATS offers it now", sent: false };
const gone: LostPlace = { _tag: "LostPlace", why: "its worker on NATS is gone", sent: true };

const callPeer = (
  state: PeersState,
  contract: Contract,
  call: PeerCall,
): Effect.Effect<unknown, FairleadError | LostPlace> =>
  Effect.callback<unknown, FairleadError | LostPlace>((resume) => {
    const ended = Promise.withResolvers<void>();
    const end = (outcome: Effect.Effect<unknown, FairleadError | LostPlace>): void => {
      state.waiting.delete(id);
      ended.resolve();
      resume(outcome);
    };
    const id = begin(
      state,
      { contract, call },
      {
        take: (reply) => {
          if (reply.kind === "value") return end(Effect.succeed(reply.value));
          if (reply.kind === "error") return end(Effect.fail(replyError(reply)));
          takeNote(call, reply);
        },
        fail: (error) => end(explained(state, { contract, call }, error)),
      },
    );
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

const openStream = (
  state: PeersState,
  contract: Contract,
  call: PeerCall,
): Stream.Stream<StreamItem, FairleadError | LostPlace> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const events = new RemoteStream(credit, {
            more: (subject, more) => state.control(subject, { more }),
            cancel: () => {
              if (state.waiting.delete(id))
                state.control(controlSubject(state.settings.prefix, contract.id), { cancel: id });
            },
          });
          const id = begin(
            state,
            { contract, call, credit },
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
          (error) =>
            Stream.fromEffect(explained(state, { contract, call }, error) as Effect.Effect<never, typeof error>),
        ),
    ),
  );

interface AddressedCall {
  readonly contract: Contract;
  readonly call: PeerCall;
  readonly credit?: number;
}

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

const subjectFor = ({ prefix, places }: NatsSettings, { contract, call }: AddressedCall): string => {
  const procedure = contract.procedures[call.procedure];
  if (procedure === undefined) throw new Error(`${contract.id} has no procedure ${call.procedure}`);
  const digest = procedureDigest(procedure);
  const subject = callSubject({ prefix, service: contract.id, procedure: call.procedure, digest });
  if (call.key === undefined || places === undefined) return subject;
  return keyedSubject(subject, { places, place: placeOwner(places)(call.key) });
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
  { link, settings }: PeersState,
  { contract, call }: AddressedCall,
  error: FairleadError | LostPlace,
): Effect.Effect<never, FairleadError | LostPlace> => {
  const connection = link.up();
  if (!("why" in error) || error.why !== unheard.why || connection === undefined) return Effect.fail(error);
  const where = call.key === undefined || settings.places === undefined ? "" : ` in the place of ${call.key}`;
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
