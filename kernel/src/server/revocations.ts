/**
 * What outlives the request that opened it, a stream or a session, ends when its caller loses access: because its token was
 * revoked, replaced or has expired, or because there are tokens now and it has none.
 */
import type { Authenticate } from "./bearer.ts";

/** As often as the file of tokens is looked at. */
const lookEveryMs = 1_000;

interface TokenHolder {
  readonly authorization: string | undefined;
  readonly end: () => void;
}

export class Revocations {
  readonly #authenticate: Authenticate;
  readonly #everyMs: number;
  readonly #watched = new Set<TokenHolder>();
  #timer: NodeJS.Timeout | undefined;

  constructor(authenticate: Authenticate, everyMs = lookEveryMs) {
    this.#authenticate = authenticate;
    this.#everyMs = everyMs;
  }

  /** Calls `end` once a request with this Authorization header would be refused. The function it gives ends the watch; nothing ticks while there is none. */
  watch(authorization: string | undefined, end: () => void): () => void {
    const watched = { authorization, end };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), this.#everyMs).unref();
    return () => this.#leave(watched);
  }

  #look(): void {
    for (const watched of this.#watched) {
      if (this.#authenticate(watched.authorization) !== undefined) continue;
      this.#leave(watched);
      watched.end();
    }
  }

  #leave(watched: TokenHolder): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
