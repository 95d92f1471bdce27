/**
 * What callers hold open over all transports: how many streams one may have, and their end when it loses access. A stream is
 * any response that stays open to send events.
 */
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WireError } from "@fairlead/contracts";
import { defaultStreams, type Principal } from "../call/call.ts";
import type { GuardedRequest } from "./mount.ts";
import type { Revocations } from "./revocations.ts";

interface StreamRules {
  /** Streams of one principal whose token does not say. Default `defaultStreams`. */
  readonly most?: number | undefined;
  /** Left out where every caller has access for good. */
  readonly revocations?: Revocations;
}

export class OpenStreams {
  readonly #most: number;
  readonly #revocations: Revocations | undefined;
  readonly #open = new Map<string, number>();

  constructor({ most = defaultStreams, revocations }: StreamRules = {}) {
    this.#most = most;
    this.#revocations = revocations;
  }

  /** Counts the response of a call until it closes, or says why there may be no more. One that has closed is none. */
  claim(principal: Principal, response: Pick<ServerResponse | Duplex, "closed" | "once">): WireError | undefined {
    if (response.closed) return undefined;
    const open = this.#open.get(principal.id) ?? 0;
    const most = principal.rate?.streams ?? this.#most;
    if (open >= most) return refusal(most);
    this.#open.set(principal.id, open + 1);
    response.once("close", () => this.#release(principal.id));
    return undefined;
  }

  /** The same for a response that goes on for as long as its caller likes: it is cut off when that one loses access. */
  subscribe(request: GuardedRequest, response: ServerResponse): WireError | undefined {
    const refused = this.claim(request.principal, response);
    if (refused !== undefined || response.closed) return refused;
    response.once(
      "close",
      this.follow(request, () => response.destroy()),
    );
    return undefined;
  }

  /** Calls `end` when the caller of this request loses access, until the function it gives is called. */
  follow({ incoming }: Pick<GuardedRequest, "incoming">, end: () => void): () => void {
    return this.followToken(incoming.headers.authorization, end);
  }

  /** The same for a token that came by itself, as an Authorization header would have it. */
  followToken(authorization: string | undefined, end: () => void): () => void {
    return this.#revocations?.watch(authorization, end) ?? (() => undefined);
  }

  #release(id: string): void {
    const open = (this.#open.get(id) ?? 1) - 1;
    if (open > 0) this.#open.set(id, open);
    else this.#open.delete(id);
  }
}

const refusal = (most: number): WireError => ({
  code: "resource_exhausted",
  message: `${most} streams are open already, and that is the most for one caller`,
  hint: "close a stream that is no longer read",
  retryable: true,
  retryAfterMs: 1_000,
});
