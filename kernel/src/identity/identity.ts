/**
 * Who comes with a token of the identity provider. A request is served by what is known already; who is not known yet waits for one verification, shared by all
 * requests with that token. A verdict is looked at again every so often, also while a stream is open that came with it.
 *
 * Only digests of tokens are kept. Not here: the verification itself (`provider.ts`), and our own tokens (`server/bearer.ts`).
 */
import { hash } from "node:crypto";
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import type { VerifiedToken, VerifyToken } from "./provider.ts";

interface IdentityOptions {
  readonly verify: VerifyToken;
  /** The principal of a verified token; `undefined` where it names no subject. */
  readonly principal: (token: VerifiedToken) => Principal | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds after which a valid token is verified again. */
  readonly recheckMs: number;
  /** Called when the provider could not be asked. */
  readonly failed: (cause: unknown) => void;
}

interface TokenVerdict {
  readonly principal: Principal | undefined;
  /** Milliseconds since the epoch from which on it holds no more. */
  readonly until: number;
  /** From then on it is looked at again. */
  readonly recheckAt: number;
}

/** Milliseconds that a token which is not valid is not verified again. */
const refusedMs = 5_000;
/** Times `recheckMs` that a verdict holds while the provider cannot be asked. */
const mostMissed = 10;
/** Verdicts that are kept; the oldest go. */
const mostKnown = 10_000;
/** Verifications under way; requests beyond them are refused, so that made-up tokens cost the provider little. */
const mostPending = 64;

export class Identity {
  readonly #options: IdentityOptions;
  readonly #known = new Map<string, TokenVerdict>();
  readonly #pending = new Map<string, Promise<WireError | undefined>>();

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  /** The principal of an `Authorization` header, by what is known; `undefined` where nothing is, or the token is not valid. */
  known(authorization: string | undefined): Principal | undefined {
    const token = readToken(authorization);
    if (token === undefined) return undefined;
    const digest = hash("sha256", token, "base64url");
    const verdict = this.#find(digest);
    if (verdict?.principal !== undefined && verdict.recheckAt <= this.#options.now()) void this.#verify(token, digest);
    return verdict?.principal;
  }

  /**
   * Resolves when `known` can say who sends the header; with an error where that cannot be found out now. `undefined` where it can
   * already, and for a header without a token.
   */
  identify(authorization: string | undefined): Promise<WireError | undefined> | undefined {
    const token = readToken(authorization);
    if (token === undefined) return undefined;
    const digest = hash("sha256", token, "base64url");
    return this.#find(digest) === undefined ? this.#verify(token, digest) : undefined;
  }

  #find(digest: string): TokenVerdict | undefined {
    const verdict = this.#known.get(digest);
    return verdict === undefined || verdict.until <= this.#options.now() ? undefined : verdict;
  }

  #verify(token: string, digest: string): Promise<WireError | undefined> {
    const pending = this.#pending.get(digest);
    if (pending !== undefined) return pending;
    if (this.#pending.size >= mostPending) return Promise.resolve(busy().toJSON());
    const verification = this.#options
      .verify(token)
      .then(
        (verified) => this.#keep(digest, verified),
        (cause: unknown) => {
          this.#options.failed(cause);
          return (cause instanceof FairleadError ? cause : busy()).toJSON();
        },
      )
      .finally(() => this.#pending.delete(digest));
    this.#pending.set(digest, verification);
    return verification;
  }

  #keep(digest: string, verified: VerifiedToken | undefined): undefined {
    const { now, recheckMs, principal } = this.#options;
    const at = now();
    const found = verified && principal(verified);
    const until = verified === undefined || found === undefined ? at + refusedMs : verified.expiresAt;
    this.#known.delete(digest);
    this.#known.set(digest, {
      principal: found,
      until: Math.min(until, at + mostMissed * recheckMs),
      recheckAt: at + recheckMs,
    });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) return;
      this.#known.delete(oldest);
    }
  }
}

/** Characters that a token may have: it is part of the headers, which are bounded as well. */
const longestToken = 8_192;

const readToken = (authorization: string | undefined): string | undefined => {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return token === undefined || token.length > longestToken ? undefined : token;
};

const busy = (): FairleadError =>
  failure("unavailable", "too many tokens wait to be verified", { hint: "try again shortly", retryAfterMs: 1_000 });
