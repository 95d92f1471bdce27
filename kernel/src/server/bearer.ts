/**
 * Bearer tokens: who is calling. The kernel knows only SHA-256 hashes; every configured hash is compared, in constant time, so
 * that neither a token nor its place in the list can be timed.
 */
import { hash, timingSafeEqual } from "node:crypto";
import type { Access } from "@fairlead/contracts";
import { localPrincipal, type Principal } from "../call.ts";

/** A configured token. */
export interface Token {
  /** Stable name; becomes the principal's id. */
  readonly name: string;
  /** SHA-256 of the token, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly access: readonly Access[];
  /** Services it may use; all when left out. */
  readonly services?: readonly string[] | undefined;
  /** ISO 8601; the token stops working then. */
  readonly expires?: string | undefined;
  readonly perSecond: number;
  readonly concurrent: number;
}

/** Tells who sends an `Authorization` header; `undefined` for nobody we know. With no token configured, everyone is local. */
export type Authenticate = (authorization: string | undefined) => Principal | undefined;

export const bearer = (tokens: readonly Token[], now: () => number): Authenticate => {
  if (tokens.length === 0) return () => localPrincipal;
  const known = tokens.map((token) => ({
    digest: Buffer.from(token.sha256, "hex"),
    expires: token.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(token.expires),
    principal: principalOf(token),
  }));
  return (authorization) => {
    const sent = /^bearer +([^\s]+)$/i.exec(authorization ?? "")?.[1];
    if (sent === undefined) return undefined;
    const digest = hash("sha256", sent, "buffer");
    let found: (typeof known)[number] | undefined;
    for (const token of known) if (timingSafeEqual(token.digest, digest)) found = token;
    return found !== undefined && now() < found.expires ? found.principal : undefined;
  };
};

const principalOf = ({ name, access, services, perSecond, concurrent }: Token): Principal => ({
  id: name,
  access,
  ...(services !== undefined && { services }),
  rate: { perSecond, concurrent },
});
