/**
 * The protocol of NATS micro services, as far as others use it: who is there (`$SRV.PING`), what each one offers (`$SRV.INFO`), and how much it has done
 * (`$SRV.STATS`), so that `nats micro ls` and its kin see a fleet.
 *
 * Not here: calls (`offer.ts`, `peers.ts`).
 */
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import * as z from "zod";
import type { Log } from "../../observe/log.ts";
import { makeListener } from "./listener.ts";
import { queueGroup } from "./subjects.ts";

/** One procedure as it is offered, and what it has done. */
export interface MicroEndpoint {
  readonly name: string;
  readonly subject: string;
  readonly digest: string;
  readonly kind: string;
  /** Its calls belong to the place of their key. */
  readonly isKeyed: boolean;
  requests: number;
  errors: number;
  lastError: string;
  /** Milliseconds in all. */
  spentMs: number;
}

/** A service at one worker. */
interface MicroService {
  /** Name of the worker. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly prefix: string;
  readonly endpoints: readonly MicroEndpoint[];
  readonly started: Date;
}

/** Answers for a service until the connection closes. */
export const answerMicro = (connection: NatsConnection, service: MicroService, log: Log): void => {
  const answers = { PING: ping, INFO: info, STATS: stats };
  for (const [verb, answer] of Object.entries(answers))
    for (const subject of [
      `$SRV.${verb}`,
      `$SRV.${verb}.${service.name}`,
      `$SRV.${verb}.${service.name}.${service.id}`,
    ])
      connection.subscribe(subject, {
        callback: makeListener(log, (message) => void message.respond(JSON.stringify(answer(service)))),
      });
};

const identity = ({ id, name, version, prefix }: MicroService) => ({ id, name, version, metadata: { prefix } });

const ping = (service: MicroService) => ({ type: "io.nats.micro.v1.ping_response", ...identity(service) });

const info = (service: MicroService) => ({
  type: "io.nats.micro.v1.info_response",
  ...identity(service),
  description: service.description,
  endpoints: service.endpoints.map(({ name, subject, digest, kind }) => ({
    name,
    subject,
    queue_group: queueGroup,
    metadata: { digest, kind },
  })),
});

const stats = (service: MicroService) => ({
  type: "io.nats.micro.v1.stats_response",
  ...identity(service),
  started: service.started.toISOString(),
  endpoints: service.endpoints.map(({ name, subject, requests, errors, lastError, spentMs }) => ({
    name,
    subject,
    queue_group: queueGroup,
    num_requests: requests,
    num_errors: errors,
    last_error: lastError,
    processing_time: Math.round(nanos(spentMs)),
    average_processing_time: requests === 0 ? 0 : Math.round(nanos(spentMs / requests)),
  })),
});

const infoSchema = z.object({
  id: z.string(),
  version: z.string(),
  metadata: z.object({ prefix: z.string().optional() }).nullish(),
  endpoints: z.array(z.object({ name: z.string(), metadata: z.object({ digest: z.string().optional() }).nullish() })),
});

interface FoundOffer {
  /** Name of the worker. */
  readonly id: string;
  readonly version: string;
  readonly endpoints: readonly { readonly name: string; readonly digest: string | undefined }[];
}

/** Milliseconds that workers have to say what they offer, and for which an answer is used again. */
const answerMs = 300;
const keptMs = 5_000;
/** Workers of one service that are listened to. */
const mostOffers = 1_000;

interface KeptOffers {
  readonly offers: Promise<readonly FoundOffer[]>;
  readonly until: number;
}

const kept = new WeakMap<NatsConnection, Map<string, KeptOffers>>();

/** What workers say of a service; what cannot be read is left out. */
export const findOffers = (connection: NatsConnection, service: string): Promise<readonly FoundOffer[]> => {
  const all = kept.get(connection) ?? new Map<string, KeptOffers>();
  kept.set(connection, all);
  const known = all.get(service);
  if (known !== undefined && known.until > performance.now()) return known.offers;
  const offers = askOffers(connection, service).catch(() => []);
  all.set(service, { offers, until: performance.now() + keptMs });
  return offers;
};

const askOffers = async (connection: NatsConnection, service: string): Promise<readonly FoundOffer[]> => {
  const options = { strategy: "timer" as const, maxWait: answerMs, maxMessages: mostOffers };
  const found: FoundOffer[] = [];
  for await (const message of await connection.requestMany(`$SRV.INFO.${service}`, "", options)) {
    const parsed = infoSchema.safeParse(parseJson(message.string()));
    if (!parsed.success) continue;
    const { id, version, endpoints } = parsed.data;
    found.push({
      id,
      version,
      endpoints: endpoints.map(({ name, metadata }) => ({ name, digest: metadata?.digest })),
    });
  }
  return found;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
