/**
 * This process as a node of its fleet: it says what it is every two seconds and when it is asked, and hears the others.
 *
 * Not here: who counts as lost, and whose a place is (`../fleet/roster.ts`); claims (`claim.ts`).
 */
import { hostname } from "node:os";
import { type NatsConnection, nuid } from "@nats-io/transport-node";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { version } from "../../call/version.ts";
import type { NatsSettings } from "../../config/config.ts";
import type { Log } from "../../observe/log.ts";
import type { FleetNode, FleetPlace, PlaceClaim } from "../fleet/node.ts";
import { type NodeStatus, type PlaceOwner, Roster } from "../fleet/roster.ts";
import type { Signer } from "../wire/signature.ts";
import { allNodes, nodeSubject, nodesSubject, readNode, writeNode } from "./announcement.ts";
import type { NatsLink } from "./connection.ts";
import { makeListener } from "./listener.ts";

interface FleetOptions {
  readonly prefix: string;
  readonly signer: Signer | undefined;
  readonly log: Log;
  readonly self: () => Pick<FleetNode, "name" | "role" | "services">;
  /** Whether it has to know the others. */
  readonly hears: boolean;
  /** Calls that are with it. */
  readonly calls: () => number;
}

/** Milliseconds between two words of a node. */
const sayEveryMs = 2_000;
/** Milliseconds that clocks of two machines may differ before it is said; calls are refused at 30 s. */
const skewMs = 5_000;
/** Milliseconds that the others have to say what they know. */
export const answerMs = 1_000;

export class FleetMember {
  readonly roster = new Roster();
  readonly instance = nuid.next();
  readonly #options: FleetOptions;
  readonly #started = Date.now();
  readonly #skewed = new Set<string>();
  /** Run for each node that was heard. */
  readonly #lookers = new Set<() => void>();
  #connection: NatsConnection | undefined;
  #state: FleetNode["state"] = "Ready";
  #claim: PlaceClaim | undefined;
  /** Called with each node that was heard. */
  onHeard: (node: FleetNode) => void = () => undefined;
  /** False while it may not be what it says: whoever doubts says nothing. */
  isSure: () => boolean = () => true;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** To be called with each connection. */
  begin(connection: NatsConnection): void {
    const { prefix, hears, log } = this.#options;
    this.#connection = connection;
    if (hears)
      connection.subscribe(allNodes(prefix), { callback: makeListener(log, (message) => this.#hear(message)) });
    connection.subscribe(nodesSubject(prefix), { callback: makeListener(log, () => this.say()) });
    this.ask();
  }

  #hear(message: Parameters<typeof readNode>[0]): void {
    const heard = readNode(message, this.#options.signer);
    if (heard === undefined || heard.node.instance === this.instance) return;
    const { node, lateMs } = heard;
    this.roster.hear(node, performance.now());
    if (Math.abs(lateMs) > skewMs && this.isSure() && !this.#skewed.has(node.instance)) {
      this.#skewed.add(node.instance);
      const seconds = Math.round(lateMs / 1_000);
      this.#options.log(
        "warn",
        `the clock of ${node.name} is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead"}`,
        {
          fix: "set the clocks of both machines by NTP: calls are refused at 30 s",
        },
      );
    }
    this.onHeard(node);
    for (const look of this.#lookers) look();
  }

  /** Whoever has the place and takes calls. */
  owner(place: FleetPlace): PlaceOwner | undefined {
    const owner = this.roster.owner(place);
    return owner?.isGone === true ? undefined : owner;
  }

  /** Asks who has the place; `undefined` where no node says so in a second. */
  whenOwned(place: FleetPlace): Promise<PlaceOwner | undefined> {
    return new Promise((resolve) => {
      const end = (owner: PlaceOwner | undefined): void => {
        this.#lookers.delete(look);
        clearTimeout(timer);
        resolve(owner);
      };
      const look = (): void => {
        const owner = this.owner(place);
        if (owner !== undefined) end(owner);
      };
      const timer = setTimeout(end, answerMs, undefined);
      this.#lookers.add(look);
      this.ask();
    });
  }

  /** This process and all others that were heard. */
  nodes(): readonly NodeStatus[] {
    return [{ ...this.self(), quietMs: 0 }, ...this.roster.list(performance.now())];
  }

  /** Asks all others to say what they are. */
  ask(): void {
    if (this.#connection?.isClosed() === false) this.#connection.publish(nodesSubject(this.#options.prefix));
  }

  /** Says what it is now. */
  say(): void {
    const { prefix, signer } = this.#options;
    const connection = this.#connection;
    if (connection === undefined || connection.isClosed() || !this.isSure()) return;
    const own = this.self();
    const node = own.role === "kernel" ? { ...own, owners: [...this.roster.owners(performance.now())] } : own;
    const subject = nodeSubject(prefix, this.#claim);
    const { body, headers } = writeNode(node, subject, signer);
    connection.publish(subject, body, { headers });
  }

  self(): FleetNode {
    return {
      ...this.#options.self(),
      instance: this.instance,
      host: hostname(),
      pid: process.pid,
      version,
      started: this.#started,
      state: this.#state,
      calls: this.#options.calls(),
      ...(this.#claim !== undefined && { claim: this.#claim }),
    };
  }

  claim(claim: PlaceClaim | undefined): void {
    this.#claim = claim;
    this.say();
  }

  /** Says at once that it is draining, or has stopped. */
  turn(state: FleetNode["state"]): void {
    this.#state = state;
    this.say();
  }
}

/** Says what it is for as long as the scope, and at its end that it has stopped. */
export const keepSaying = (member: FleetMember, link: NatsLink): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const again = Effect.andThen(
      Effect.sleep(sayEveryMs),
      Effect.sync(() => member.say()),
    );
    yield* Effect.forkScoped(Effect.forever(again));
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        member.turn("Stopped");
        await link
          .up()
          ?.flush()
          .catch(() => undefined);
      }),
    );
  });

/** What a process is called in its fleet. */
export const nodeName = ({ name }: NatsSettings): string =>
  name ?? `${hostname()}-${process.pid}`.replaceAll(/[^A-Za-z0-9_-]/g, "-");

/** Where a caller is asked which calls it still waits for, by its inbox. */
export const waitsSubject = (inbox: string): string => `${inbox}.waits`;
