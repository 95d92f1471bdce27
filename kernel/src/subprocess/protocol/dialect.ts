/**
 * How to talk with a child: its greeting, how a request is written, and which request an answer belongs to.
 *
 * `lineProtocol` is Fairlead's own, for children that we or the user write; a child with a protocol of its own is given a dialect
 * by its service. Not here: queues, deadlines, processes.
 *
 * Fairlead's line protocol, one JSON object a line:
 * - the child greets:    `{"fairlead":"<protocol>","versions":[1],"info":{...}}`
 * - the kernel asks:     `{"id":1,"call":"<name>","params":{...}}`, and may cancel: `{"cancel":1}`, and ends with `{"quit":true}`
 * - the child answers:   `{"id":1,"ok":true,"value":...}` or `{"id":1,"ok":false,"error":{"code","message","hint"}}`,
 *   after any number of  `{"id":1,"part":...}`
 */
import type { Message } from "./line.ts";

export type Handshake =
  /** The child is ready; `info` is what it says of itself. */
  | { readonly kind: "welcome"; readonly info: unknown }
  /** It will never do; the text says why. */
  | { readonly kind: "unfit"; readonly why: string }
  /** Not a greeting. */
  | { readonly kind: "other" };

export type Answer =
  /** `id` is left out where the child does not echo ids. */
  | { readonly kind: "reply"; readonly id?: number }
  | { readonly kind: "part"; readonly id?: number }
  | { readonly kind: "other" };

export interface Dialect {
  handshake(message: Message): Handshake;
  /** How many requests the child may have at once. 1 where it does not echo ids. */
  readonly inFlight: number;
  /**
   * What happens when a request is not answered in time. `kill` the child, the only way where it does not echo ids or cannot be
   * interrupted; or `drop`: the late answer is recognised by its id and dropped.
   */
  readonly onTimeout: "kill" | "drop";
  encode(id: number, body: Message): Message;
  answer(message: Message): Answer;
  /** What to write when the caller of a request gave up; nothing when left out. */
  cancel?(id: number): Message;
  /** What to write to make it end by itself; its stdin is closed in any case. */
  readonly quit?: Message;
}

export interface LineProtocol {
  /** Name that the child must greet with. */
  readonly protocol: string;
  /** Versions that the kernel speaks. */
  readonly versions: readonly number[];
  /** Default 64. */
  readonly inFlight?: number;
  /** Default `kill`. */
  readonly onTimeout?: Dialect["onTimeout"];
}

export const lineProtocol = ({ protocol, versions, inFlight = 64, onTimeout = "kill" }: LineProtocol): Dialect => ({
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
  encode: (id, body) => ({ id, ...body }),
  answer: (message) => {
    if (typeof message.id !== "number") return { kind: "other" };
    if ("ok" in message) return { kind: "reply", id: message.id };
    return "part" in message ? { kind: "part", id: message.id } : { kind: "other" };
  },
  cancel: (id) => ({ cancel: id }),
  quit: { quit: true },
});

const list = (versions: readonly unknown[]): string => `version ${versions.map(String).join(", ") || "(none)"}`;
