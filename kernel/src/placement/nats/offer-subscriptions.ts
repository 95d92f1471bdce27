/**
 * The subscriptions of a worker, and what comes over them: passed on to be run, or kept while this worker may have been away. Then others may have given up
 * its calls, and its place may be another's: it asks them first.
 *
 * Not here: one call (`offered-calls.ts`), how a pause is seen (`../fleet/arrival-gate.ts`).
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Contract, FairleadError, Procedure } from "@fairlead/contracts";
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import type { NatsSettings } from "../../config/config.ts";
import type { Log } from "../../observe/log.ts";
import { ArrivalGate } from "../fleet/arrival-gate.ts";
import type { FleetNode, PlaceClaim } from "../fleet/node.ts";
import type { Signer } from "../wire/signature.ts";
import { hasLost, takenOver } from "./claim.ts";
import { readReply, writeControl } from "./envelope.ts";
import { answerMs, type FleetMember, waitsSubject } from "./fleet.ts";
import { makeListener } from "./listener.ts";
import { answerMicro, type MicroEndpoint } from "./micro.ts";
import type { OfferedCalls, TakenCall } from "./offered-calls.ts";
import { controlSubject, instanceSubject, queueGroup } from "./subjects.ts";

/** A procedure that this worker takes calls of. */
export interface Offering {
  /** Full name. */
  readonly name: string;
  readonly subject: string;
  readonly procedure: Procedure;
  readonly contract: Contract;
  readonly endpoint: MicroEndpoint;
}

interface SubscriptionOptions {
  readonly settings: NatsSettings;
  readonly name: string;
  readonly offerings: readonly Offering[];
  readonly calls: OfferedCalls;
  readonly member: FleetMember;
  readonly signer: Signer | undefined;
  readonly log: Log;
  /** Called once, when another has its place. */
  readonly lost: (why: FairleadError) => void;
  /** The connection, once it is there. */
  readonly whenUp: () => Promise<NatsConnection>;
}

/** Calls that one question names. */
const mostAsked = 1_000;

export class OfferSubscriptions {
  readonly gate: ArrivalGate<TakenCall>;
  readonly #options: SubscriptionOptions;
  readonly #started = new Date();
  #connection: NatsConnection | undefined;
  #subscriptions: readonly { readonly subscription: Subscription; readonly isKeyed: boolean }[] = [];
  #claim: PlaceClaim | undefined;
  #state: "new" | "taking" | "lost" = "new";

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.gate = new ArrivalGate({ look: (kept) => this.#look(kept), pass: (call) => this.#pass(call) });
    options.member.isSure = () => this.#state === "taking" && !this.gate.isOpen;
    options.member.onHeard = (node) => this.#heed(node);
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions.map(({ subscription }) => subscription);
  }

  /** To be called with each connection. */
  connect(connection: NatsConnection): void {
    this.#connection = connection;
    this.#options.member.begin(connection);
    if (this.#state !== "new") this.#subscribe(connection);
  }

  /** Takes calls from now on: those of its place as well, where it has one. */
  begin(claim: PlaceClaim | undefined): void {
    this.#claim = claim;
    this.#state = "taking";
    if (this.#connection !== undefined) this.#subscribe(this.#connection);
    this.#options.member.claim(claim);
  }

  /** Says that it takes no more. */
  leave(): void {
    this.#options.member.turn("Draining");
  }

  #subscribe(connection: NatsConnection): void {
    const { offerings, calls, log, settings, name, member } = this.#options;
    calls.begin(connection);
    this.#subscriptions = offerings
      .filter(({ endpoint }) => this.#state === "taking" || !endpoint.isKeyed)
      .map(({ subject, name: procedure, endpoint }) => ({
        isKeyed: endpoint.isKeyed,
        subscription: connection.subscribe(subject, {
          queue: queueGroup,
          callback: makeListener(log, (message) => this.gate.take({ message, procedure, endpoint })),
        }),
      }));
    connection.subscribe(instanceSubject(settings.prefix, member.instance), {
      callback: makeListener(log, (message) => {
        if (member.isSure()) message.respond(name);
      }),
    });
    for (const contract of new Set(offerings.map((offering) => offering.contract))) {
      connection.subscribe(controlSubject(settings.prefix, contract.id), {
        callback: makeListener(log, (message) => calls.control(message)),
      });
      const endpoints = offerings.filter((offering) => offering.contract === contract).map(({ endpoint }) => endpoint);
      const { id, version, summary: description } = contract;
      const { prefix } = settings;
      answerMicro(
        connection,
        { id: name, name: id, version, description, prefix, endpoints, started: this.#started },
        log,
      );
    }
  }

  #pass(call: TakenCall): void {
    if (this.#state === "lost" && call.endpoint.isKeyed) return;
    this.#options.calls.take(call);
  }

  #heed(node: FleetNode): void {
    const claim = this.#claim;
    if (claim === undefined || this.#state === "lost") return;
    if (!hasLost({ instance: this.#options.member.instance, claim }, node, this.gate.isOpen)) return;
    this.#state = "lost";
    const { member, calls, lost, log } = this.#options;
    for (const { subscription, isKeyed } of this.#subscriptions) if (isKeyed) subscription.unsubscribe();
    calls.endKeyed();
    member.claim(undefined);
    const error = takenOver(claim, node.name);
    log("error", error.message, { fix: error.hint });
    lost(error);
  }

  /** Calls that are not to be run here. What was in buffers is here once the server has answered. */
  async #look(kept: () => readonly TakenCall[]): Promise<ReadonlySet<TakenCall>> {
    const { log, member } = this.#options;
    const connection = await this.#options.whenUp();
    const isReached = await connection.flush().then(
      () => true,
      () => false,
    );
    // Cut off again: the next connection is the next reason to look.
    if (!isReached) return new Set(kept());
    if (this.#claim !== undefined) {
      member.ask();
      await delay(answerMs);
    }
    const refused = await this.#unwanted(connection, kept());
    if (refused.size > 0)
      log("warn", `${refused.size} calls came while this worker was away, and their callers wait no more`);
    return refused;
  }

  /** Asks each caller which of its calls it still waits for; what is not confirmed in a second is given up. */
  async #unwanted(connection: NatsConnection, calls: readonly TakenCall[]): Promise<ReadonlySet<TakenCall>> {
    const refused = new Set(calls);
    const byCaller = Map.groupBy(calls, ({ message }) => toInbox(message.reply ?? ""));
    const asks = [...byCaller].flatMap(([inbox, all]) =>
      Array.from({ length: inbox === "" ? 0 : Math.ceil(all.length / mostAsked) }, async (_, at) => {
        const some = all.slice(at * mostAsked, (at + 1) * mostAsked);
        const waited = await this.#ask(connection, inbox, some);
        for (const call of some) if (waited.has(call.message.reply ?? "")) refused.delete(call);
      }),
    );
    await Promise.all(asks);
    return refused;
  }

  async #ask(connection: NatsConnection, inbox: string, calls: readonly TakenCall[]): Promise<ReadonlySet<string>> {
    const { signer } = this.#options;
    const subject = waitsSubject(inbox);
    const { body, headers } = writeControl({ waits: calls.map(({ message }) => message.reply ?? "") }, subject, signer);
    try {
      const reply = readReply(await connection.request(subject, body, { headers, timeout: answerMs }), signer);
      return new Set(Array.isArray(reply?.value) ? reply.value.map(String) : []);
    } catch {
      return new Set();
    }
  }
}

/** Where all replies to one caller go, by where one goes. */
const toInbox = (reply: string): string => /^(_INBOX\.[\w-]+)\.[\w-]+$/.exec(reply)?.[1] ?? "";
