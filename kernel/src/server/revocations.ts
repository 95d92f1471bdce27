/**
 * What outlives the request that opened it, a stream or a session, ends when its caller loses access: because its token was
 * revoked, replaced or has expired, or because there are tokens now and it has none.
 */
import type { Authenticate } from "./bearer.ts";
import type { IdentityRules } from "./guard.ts";

/** As often as the file of tokens is looked at. */
const lookEveryMs = 1_000;
/** Looks that a caller may be unknown while that cannot be found out: its token is not refused, but verified again. */
const mostUnknown = 15;

interface RevocationRules {
  /** Finds out who is not known any more; left out where whoever is not known is refused. */
  readonly identify?: IdentityRules["identify"] | undefined;
  /** Milliseconds between two looks. Default 1,000. */
  readonly everyMs?: number;
}

interface TokenHolder {
  readonly authorization: string | undefined;
  readonly end: () => void;
  /** Looks, one after the other, that found it unknown. */
  unknown: number;
}

export class Revocations {
  readonly #authenticate: Authenticate;
  readonly #identify: RevocationRules["identify"];
  readonly #everyMs: number;
  readonly #watched = new Set<TokenHolder>();
  #timer: NodeJS.Timeout | undefined;

  constructor(authenticate: Authenticate, { identify, everyMs = lookEveryMs }: RevocationRules = {}) {
    this.#authenticate = authenticate;
    this.#identify = identify;
    this.#everyMs = everyMs;
  }

  /** Calls `end` once a request with this Authorization header would be refused. The function it gives ends the watch; nothing ticks while there is none. */
  watch(authorization: string | undefined, end: () => void): () => void {
    const watched = { authorization, end, unknown: 0 };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), this.#everyMs).unref();
    return () => this.#leave(watched);
  }

  #look(): void {
    for (const watched of this.#watched) {
      watched.unknown = this.#countUnknown(watched);
      if (watched.unknown <= mostUnknown) continue;
      this.#leave(watched);
      watched.end();
    }
  }

  /** Infinite for one that is refused. What is being found out is seen by a later look. */
  #countUnknown({ authorization, unknown }: TokenHolder): number {
    if (this.#authenticate(authorization) !== undefined) return 0;
    return this.#identify?.(authorization) === undefined ? Number.POSITIVE_INFINITY : unknown + 1;
  }

  #leave(watched: TokenHolder): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
