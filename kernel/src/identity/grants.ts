/** What a verified token of the identity provider stands for: its scopes as grants, its subject as a principal. Pure. */
import { hash } from "node:crypto";
import type { Grant, Principal } from "../call/call.ts";
import type { IdentityConfig } from "../config/config.ts";

/** What is read of a token, whichever kind it is. */
export interface TokenClaims {
  readonly sub?: unknown;
  /** The client, where a machine calls for itself: RFC 9068 and 7662. */
  readonly client_id?: unknown;
  readonly azp?: unknown;
  /** Scopes with spaces between them. */
  readonly scope?: unknown;
  /** The same as some providers write it, also as a list. */
  readonly scp?: unknown;
}

/** The principal of a token; `undefined` where it names no subject. A token without a scope that is configured is known, and may do nothing. */
export const toPrincipal = (
  claims: TokenClaims,
  { scopes, perSecond, concurrent }: Pick<IdentityConfig, "scopes" | "perSecond" | "concurrent">,
): Principal | undefined => {
  const name = [claims.sub, claims.client_id, claims.azp].find((each) => typeof each === "string" && each !== "");
  if (typeof name !== "string") return undefined;
  const grants = readScopes(claims).flatMap((scope): readonly Grant[] => {
    const grant = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
    return grant === undefined ? [] : [grant];
  });
  return {
    id: `oauth:${isPlain(name) ? name : hash("sha256", name, "base64url")}`,
    access: [...new Set(grants.flatMap(({ access }) => access))],
    ...(grants.every(({ services }) => services !== undefined) && {
      services: [...new Set(grants.flatMap(({ services }) => services ?? []))],
    }),
    grants,
    rate: { perSecond, concurrent },
  };
};

/** What may be in logs and keys as it is; a token's own names have no colon, so none of them is an `oauth:` one. */
const isPlain = (name: string): boolean => /^[\w.@|+-]{1,100}$/.test(name);

const readScopes = ({ scope, scp }: TokenClaims): readonly string[] =>
  [scope, scp]
    .flat()
    .filter((each) => typeof each === "string")
    .flatMap((each) => each.split(" "));
