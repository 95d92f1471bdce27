/**
 * The identity provider as a resource server needs it: its metadata, its keys, and introspection. Signatures and the protocol are the libraries' (`jose`, `oauth4webapi`); loaded with the
 * first token that is not one of ours.
 *
 * Not here: what a token may do (`grants.ts`), and how long a verdict holds (`identity.ts`).
 */
import * as jose from "jose";
import * as oauth from "oauth4webapi";
import { loadOnce } from "../call/load-once.ts";
import type { IdentityConfig } from "../config/config.ts";
import type { TokenClaims } from "./grants.ts";

/** A token that is valid. */
export interface VerifiedToken {
  readonly claims: TokenClaims;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Verifies a token; `undefined` for one that is not valid here. Rejects with the cause where that cannot be known now. */
export type VerifyToken = (token: string) => Promise<VerifiedToken | undefined>;

export interface Provider {
  readonly verify: VerifyToken;
  /** True where verifying that token sends no request: its signature says all, and its key is there. */
  readonly isLocal: (token: string) => boolean;
}

interface ProviderOptions extends IdentityConfig {
  /** Identifiers of this server, one of which a token has to be for. */
  readonly audiences: () => readonly string[];
}

/** Milliseconds that a request to the provider may take. */
const timeoutMs = 5_000;
/** Milliseconds between two requests for its keys, where tokens name keys that are not known: a rotated key is known after them. */
const keysEveryMs = 1_000;

/** `none` and shared secrets are no signatures of a provider. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Of a header; an ID token's or a logout token's is another one, or its audience is. */
const accessTokenTypes: readonly unknown[] = [undefined, "jwt", "at+jwt", "application/at+jwt"];

export const openProvider = (options: ProviderOptions): Provider => {
  const { clockSkewS: clockTolerance, introspection, client } = options;
  const isInsecure = options.issuer.startsWith("http:");
  const http = () => ({ [oauth.allowInsecureRequests]: isInsecure, signal: AbortSignal.timeout(timeoutMs) });
  let keySet: ReturnType<typeof jose.createRemoteJWKSet> | undefined;
  const discover = loadOnce(async () => {
    const issuer = new URL(options.issuer);
    const found = await oauth.discoveryRequest(issuer, { ...http(), algorithm: "oidc" });
    const response = found.ok ? found : await oauth.discoveryRequest(issuer, { ...http(), algorithm: "oauth2" });
    const server = await oauth.processDiscoveryResponse(issuer, response);
    if (server.jwks_uri !== undefined) {
      const every = { timeoutDuration: timeoutMs, cooldownDuration: keysEveryMs };
      keySet = jose.createRemoteJWKSet(new URL(server.jwks_uri), every);
    }
    return { server, keys: keySet };
  });

  const verifyJwt = async (token: string): Promise<VerifiedToken | undefined> => {
    const { keys } = await discover();
    if (keys === undefined) return undefined;
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: [...options.audiences()],
      algorithms,
      clockTolerance,
      requiredClaims: ["exp"],
    });
    if (!accessTokenTypes.includes(protectedHeader.typ?.toLowerCase()) || isBound(payload)) return undefined;
    return { claims: payload, expiresAt: ((payload.exp ?? 0) + clockTolerance) * 1_000 };
  };

  /** `signed`: what a signature says of it already, where the answer may say less. */
  const introspect = async (token: string, signed?: TokenClaims): Promise<VerifiedToken | undefined> => {
    if (client === undefined) return undefined;
    const { server } = await discover();
    const authentication = oauth.ClientSecretBasic(client.secret);
    const response = await oauth.introspectionRequest(server, { client_id: client.id }, authentication, token, http());
    const found = await oauth.processIntrospectionResponse(server, { client_id: client.id }, response);
    if (!found.active || isBound(found)) return undefined;
    const audiences = [found.aud].flat();
    const isForUs = options.audiences().some((each) => audiences.includes(each));
    if (!isForUs && (signed === undefined || found.aud !== undefined)) return undefined;
    if (signed !== undefined && found.sub !== undefined && found.sub !== signed.sub) return undefined;
    if (found.iss !== undefined && found.iss !== options.issuer) return undefined;
    const expiresAt = found.exp === undefined ? Number.POSITIVE_INFINITY : (found.exp + clockTolerance) * 1_000;
    return expiresAt <= Date.now() ? undefined : { claims: found, expiresAt };
  };

  const verify: VerifyToken = async (token) => {
    const verified = isJwt(token) ? await verifyJwt(token) : await introspect(token);
    // A signature does not know that its token was revoked.
    if (!isJwt(token) || verified === undefined || introspection !== "always") return verified;
    return (await introspect(token, verified.claims)) === undefined ? undefined : verified;
  };
  return {
    verify: (token) => verify(token).catch((cause: unknown) => explain(cause)),
    isLocal: (token) => {
      if (introspection === "always" || !isJwt(token) || keySet?.fresh !== true) return false;
      const id = readKeyId(token);
      return id !== undefined && keySet.jwks()?.keys.some(({ kid }) => kid === id) === true;
    },
  };
};

const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

const readKeyId = (token: string): string | undefined => {
  try {
    return jose.decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
};

/** Bound to a key of its sender (DPoP, mTLS), which sends a proof with it that is not looked at here. Without, it is not a bearer's. */
const isBound = ({ cnf, token_type: type }: Readonly<Record<string, unknown>>): boolean =>
  cnf !== undefined || (typeof type === "string" && type.toLowerCase() === "dpop");

/** What is wrong with a token is not a failure; what kept us from looking at it is one. */
const explain = (cause: unknown): undefined => {
  if (cause instanceof jose.errors.JOSEError && !isOutage(cause)) return undefined;
  if (cause instanceof oauth.ResponseBodyError && cause.error === "unsupported_token_type") return undefined;
  throw cause;
};

/** Keys that could not be had: the library's class for whatever else went wrong with their request. */
const isOutage = ({ code }: jose.errors.JOSEError): boolean =>
  code === "ERR_JWKS_TIMEOUT" || code === "ERR_JOSE_GENERIC";
