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
  /** True where verifying that token sends no request. */
  readonly isLocal: (token: string) => boolean;
  /** The principal of a verified token; `undefined` where it names no subject. */
  readonly principal: (token: VerifiedToken) => Principal | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds after which a valid token is verified again. */
  readonly recheckMs: number;
  /** Called with the first failure of an outage of the provider. */
  readonly failed: (cause: unknown) => void;
  /** Called when the provider answers again. */
  readonly recovered: () => void;
}

/** Times are milliseconds since the epoch. */
interface ValidToken {
  readonly principal: Principal;
  /** From then on the token itself is over. */
  readonly expiresAt: number;
  /** From then on it is not known any more, where it could not be verified again. */
  readonly heldUntil: number;
  /** From then on it is verified again. */
  recheckAt: number;
  /** Verifications that failed since the last one that did not. */
  missed: number;
}

/** Verifications under way that are counted together. */
interface VerificationLimit {
  readonly key: string;
  readonly most: number;
}

/** Milliseconds that a token which is not valid is not verified again. */
const refusedMs = 5_000;
/** Times `recheckMs` that a verdict holds while the provider cannot be asked. */
const mostMissed = 10;
/** Milliseconds before a verification that failed is tried again: at first, doubled each time, and at most. */
const pauseMs = { first: 1_000, most: 30_000 };
/** Valid tokens that are known; the one that was used longest ago goes. */
const mostValid = 10_000;
/** Refused ones, which anyone can make up: they are kept apart, so that they cost no valid token its place. */
const mostRefused = 1_000;
/** Verifications of unknown tokens that wait for the provider; requests beyond them are refused, so that made-up tokens cost it little. */
const unknownTokens: VerificationLimit = { key: "unknown", most: 64 };
/** Those of one address. */
const mostOfAddress = 32;
/** Tokens that are known have places of their own. */
const rechecks: VerificationLimit = { key: "rechecks", most: 16 };

export class Identity {
  readonly #options: IdentityOptions;
  readonly #valid = new Map<string, ValidToken>();
  /** When each is forgotten. */
  readonly #refused = new Map<string, number>();
  readonly #pending = new Map<string, Promise<WireError | undefined>>();
  readonly #counts = new Map<string, number>();
  #isOut = false;

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  /** The principal of an `Authorization` header, by what is known; `undefined` where nothing is, or the token is not valid. */
  known(authorization: string | undefined): Principal | undefined {
    const token = readToken(authorization);
    if (token === undefined) return undefined;
    const digest = hashToken(token);
    const valid = this.#findValid(digest);
    if (valid !== undefined && valid.recheckAt <= this.#options.now()) void this.#verify(token, digest, [rechecks]);
    return valid?.principal;
  }

  /**
   * Resolves when `known` can say who sends the header; with an error where that cannot be found out now. `undefined` where it can
   * already, and for a header without a token. `address`: where the request came from.
   */
  identify(authorization: string | undefined, address?: string): Promise<WireError | undefined> | undefined {
    const token = readToken(authorization);
    if (token === undefined) return undefined;
    const digest = hashToken(token);
    if (this.#findValid(digest) !== undefined || this.#isRefused(digest)) return undefined;
    const sameAddress = address === undefined ? [] : [{ key: `from ${address}`, most: mostOfAddress }];
    return this.#verify(token, digest, [unknownTokens, ...sameAddress]) ?? Promise.resolve(busy().toJSON());
  }

  /** Moves it to the end of those that are known: the first one was used longest ago. */
  #findValid(digest: string): ValidToken | undefined {
    const valid = this.#valid.get(digest);
    if (valid === undefined) return undefined;
    this.#valid.delete(digest);
    const now = this.#options.now();
    if (valid.expiresAt <= now) this.#refuse(digest);
    if (Math.min(valid.expiresAt, valid.heldUntil) <= now) return undefined;
    this.#valid.set(digest, valid);
    return valid;
  }

  #isRefused(digest: string): boolean {
    return (this.#refused.get(digest) ?? 0) > this.#options.now();
  }

  /** One verification for all who ask for it; `undefined` where too many of its kind are under way. */
  #verify(
    token: string,
    digest: string,
    limits: readonly VerificationLimit[],
  ): Promise<WireError | undefined> | undefined {
    const pending = this.#pending.get(digest);
    if (pending !== undefined) return pending;
    const isLocal = this.#options.isLocal(token);
    const counted = isLocal ? [] : limits;
    if (counted.some(({ key, most }) => (this.#counts.get(key) ?? 0) >= most)) return undefined;
    this.#count(counted, 1);
    const verification = this.#options
      .verify(token)
      .then(
        (verified) => {
          this.#keep(digest, verified);
          if (!isLocal) this.#reportAnswer();
          return undefined;
        },
        (cause: unknown) => {
          this.#postpone(digest);
          this.#reportFailure(cause);
          return (cause instanceof FairleadError ? cause : unreachable()).toJSON();
        },
      )
      .finally(() => {
        this.#pending.delete(digest);
        this.#count(counted, -1);
      });
    this.#pending.set(digest, verification);
    return verification;
  }

  #count(limits: readonly VerificationLimit[], change: 1 | -1): void {
    for (const { key } of limits) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }

  #keep(digest: string, verified: VerifiedToken | undefined): void {
    const { now, recheckMs, principal: find } = this.#options;
    const at = now();
    const principal = verified && find(verified);
    this.#valid.delete(digest);
    if (verified === undefined || principal === undefined) {
      this.#refuse(digest);
      return;
    }
    const { expiresAt } = verified;
    const heldUntil = at + mostMissed * recheckMs;
    this.#valid.set(digest, { principal, expiresAt, heldUntil, recheckAt: at + recheckMs, missed: 0 });
    forgetOldest(this.#valid, mostValid);
  }

  #refuse(digest: string): void {
    this.#refused.delete(digest);
    this.#refused.set(digest, this.#options.now() + refusedMs);
    forgetOldest(this.#refused, mostRefused);
  }

  #postpone(digest: string): void {
    const valid = this.#valid.get(digest);
    if (valid === undefined) return;
    valid.recheckAt = this.#options.now() + Math.min(pauseMs.most, pauseMs.first * 2 ** valid.missed);
    valid.missed += 1;
  }

  #reportFailure(cause: unknown): void {
    if (!this.#isOut) this.#options.failed(cause);
    this.#isOut = true;
  }

  #reportAnswer(): void {
    if (this.#isOut) this.#options.recovered();
    this.#isOut = false;
  }
}

const forgetOldest = (map: Map<string, unknown>, most: number): void => {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
};

/** Characters that a token may have: it is part of the headers, which are bounded as well. */
const longestToken = 8_192;

const readToken = (authorization: string | undefined): string | undefined => {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return token === undefined || token.length > longestToken ? undefined : token;
};

const hashToken = (token: string): string => hash("sha256", token, "base64url");

const busy = (): FairleadError =>
  failure("unavailable", "too many tokens wait to be verified", { hint: "try again shortly", retryAfterMs: 1_000 });

const unreachable = (): FairleadError =>
  failure("unavailable", "the identity provider could not be asked whether the token is valid", {
    hint: "try again shortly; whoever runs the kernel finds the reason in its log",
    retryAfterMs: 1_000,
  });
