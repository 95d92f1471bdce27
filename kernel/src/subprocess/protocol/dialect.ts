/**
 * How to talk with a child: its handshake, how a request is written, and which request an answer belongs to.
 *
 * `lineProtocol` is Fairlead's own, for children that we or the user write; a child with a protocol of its own is given a dialect
 * by its service. Not here: queues, deadlines, processes.
 *
 * Fairlead's line protocol, one JSON object a line:
 * - its handshake:       `{"fairlead":"<protocol>","versions":[1],"info":{...}}`
 * - the kernel asks:     `{"id":1,"call":"<name>","params":{...}}`, with a W3C `traceparent` inside of a traced call, and may cancel: `{"cancel":1}`, and ends with `{"quit":true}`
 * - the child answers:   `{"id":1,"ok":true,"value":...}` or `{"id":1,"ok":false,"error":{"code","message","hint"}}`,
 *   after any number of  `{"id":1,"part":...}`; a call that it does not know with an error, `ping` included
 */
import type { TraceContext } from "../../call/call.ts";
import type { Message } from "./line.ts";

/** What the first message of a child means. */
export type Handshake =
  /** The child is ready; `info` is what it says of itself. */
  | { readonly kind: "welcome"; readonly info: unknown }
  /** It will never do; the text says why. */
  | { readonly kind: "unfit"; readonly why: string }
  /** Not a handshake. */
  | { readonly kind: "other" };

/** What a message of the child means to requests; an answer has the id of its request. */
export type ChildMessage =
  | { readonly kind: "reply"; readonly id: number }
  | { readonly kind: "part"; readonly id: number }
  | { readonly kind: "other"; readonly id?: undefined };

/** The same of a child that echoes no ids. */
interface ChildMessageInTurn {
  readonly kind: "reply" | "part" | "other";
  readonly id?: undefined;
}

interface AnyDialect {
  handshake(message: Message): Handshake;
  /** The request as it is written. `trace` is that of the call it belongs to. */
  encode(id: number, body: Message, trace?: TraceContext): Message;
  /** What to write when the caller of a request gave up or ran out of time; nothing when left out. */
  cancel?(id: number): Message;
  /** What to write to make it end by itself; its stdin is closed in any case. */
  readonly quit?: Message;
}

/** A child that echoes the id of each request in its answers. */
interface DialectById extends AnyDialect {
  readonly ids: true;
  /** How many requests the child may have at once. One given up counts until it is answered or its time is over (ADR 0069). */
  readonly inFlight: number;
  /**
   * What happens to a child that was sent a request and did not answer in time; the caller gets `deadline_exceeded` at once in any case.
   * - `kill`: it is sent `cancel` and `probe`, and killed if it writes no message within `SubprocessSpec.unresponsiveMs`.
   * - `drop`: nothing; a late answer is recognised by its id and dropped.
   */
  readonly onTimeout: "kill" | "drop";
  answer(message: Message): ChildMessage;
  /** A request that any child in good health answers at once, with an error if need be. */
  probe?(id: number): Message;
}

/** A child that answers in the order of the requests: one at a time, and killed when it does not answer one. */
export interface DialectInTurn extends AnyDialect {
  readonly ids: false;
  readonly inFlight: 1;
  /** Dropping late answers needs ids: without them, the next request would be given the late answer. */
  readonly onTimeout: "kill";
  answer(message: Message): ChildMessageInTurn;
}

/** How requests and answers are written as lines, with ids or one after the other. */
export type Dialect = DialectById | DialectInTurn;

/** Throws for a dialect that would give one request the answer of another, where a JavaScript author has gone past the types. */
export const checkDialect = ({ ids, inFlight, onTimeout }: Dialect): void => {
  if (ids || ((inFlight as number) === 1 && (onTimeout as string) === "kill")) return;
  throw new TypeError(
    'a dialect without ids takes one request at a time and `onTimeout: "kill"`: late answers have no id to be dropped by',
  );
};

interface LineProtocol {
  /** Name that the handshake must hold. */
  readonly protocol: string;
  /** Versions that the kernel speaks. */
  readonly versions: readonly number[];
  /** Default 64. */
  readonly inFlight?: number;
  /** Default `kill`. */
  readonly onTimeout?: DialectById["onTimeout"];
}

/** The dialect of children that speak the line protocol. */
export const lineProtocol = ({ protocol, versions, inFlight = 64, onTimeout = "kill" }: LineProtocol): DialectById => ({
  ids: true,
  inFlight,
  onTimeout,
  handshake: (message) => {
    if (!("fairlead" in message)) return { kind: "other" };
    if (message.fairlead !== protocol) {
      return { kind: "unfit", why: `it speaks the protocol ${JSON.stringify(message.fairlead)}, not "${protocol}"` };
    }
    const offered = Array.isArray(message.versions) ? message.versions : [];
    return versions.some((version) => offered.includes(version))
      ? { kind: "welcome", info: message.info }
      : { kind: "unfit", why: `it speaks ${protocol} ${list(offered)}, the kernel ${list(versions)}` };
  },
  // Ours come last: no field of a request may take their place.
  encode: (id, body, trace) => ({ ...body, ...(trace !== undefined && { traceparent: trace.traceparent }), id }),
  answer: (message) => {
    if (typeof message.id !== "number") return { kind: "other" };
    if ("ok" in message) return { kind: "reply", id: message.id };
    return "part" in message ? { kind: "part", id: message.id } : { kind: "other" };
  },
  probe: (id) => ({ id, call: "ping", params: {} }),
  cancel: (id) => ({ cancel: id }),
  quit: { quit: true },
});

const list = (versions: readonly unknown[]): string => `version ${versions.map(String).join(", ") || "(none)"}`;
