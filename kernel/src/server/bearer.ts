/**
 * Bearer tokens: who is calling. The kernel knows only SHA-256 hashes; every configured hash is compared, in constant time, so
 * that neither a token nor its place in the list can be timed.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { localPrincipal, type Principal } from "../call/call.ts";
import { isExpired, type Token } from "../config/tokens/token.ts";

/** Finds the principal of an `Authorization` header; `undefined` when the token is unknown. */
export type Authenticate = (authorization: string | undefined) => Principal | undefined;

/**
 * Reads `tokens` at every request. While there has never been one, everyone is local; once there was, it stays that way: a list
 * that becomes empty refuses every caller. `mayBeOpen`, asked for each new list: false where there were tokens at some time, also
 * one that no request was checked against.
 */
export const bearer = (
  tokens: () => readonly Token[],
  now: () => number,
  mayBeOpen: () => boolean = () => true,
): Authenticate => {
  let latest: readonly Token[] = [];
  let known: readonly KnownToken[] = [];
  let isOpen = true;
  return (authorization) => {
    const current = tokens();
    if (current !== latest) {
      latest = current;
      known = current.map(findKnownToken);
      isOpen &&= known.length === 0 && mayBeOpen();
    }
    if (isOpen) return localPrincipal;
    const sent = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (sent === undefined) return undefined;
    const digest = hash("sha256", sent, "buffer");
    let found: KnownToken | undefined;
    for (const each of known) if (timingSafeEqual(each.digest, digest) && !isExpired(each.token, now())) found = each;
    return found?.principal;
  };
};

interface KnownToken {
  readonly token: Token;
  readonly digest: Buffer;
  readonly principal: Principal;
}

const findKnownToken = (token: Token): KnownToken => ({
  token,
  digest: Buffer.from(token.sha256, "hex"),
  principal: toPrincipal(token),
});

const toPrincipal = ({ name, access, services, perSecond, concurrent, streams }: Token): Principal => ({
  id: name,
  access,
  ...(services !== undefined && { services }),
  rate: { perSecond, concurrent, ...(streams !== undefined && { streams }) },
});
