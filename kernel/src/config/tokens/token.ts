/**
 * Bearer tokens as data, and what is configured of a provider of others: what one may do, and how a list of them changes when one is made, replaced or revoked. Pure; only hashes
 * are kept.
 *
 * A name stands for a caller. Two entries of one name are one caller whose token is being replaced: both work, until the older
 * one expires.
 */
import { hash } from "node:crypto";
import { secret } from "@fairlead/contracts";
import * as z from "zod";

/** Callers in this process are called `local` and `service:<id>`: no token may pass for one of them. */
const callerName = /^(?!local$)[A-Za-z0-9][\w.@-]{0,59}$/;

/** A token as the configuration and the token file hold it. */
export const tokenSchema = z.strictObject({
  name: z
    .string()
    .regex(callerName, "a name of letters, digits and . _ @ -, 60 at most; not `local`")
    .describe("The caller's name, for logs and rate limits."),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "64 lower-case hexadecimal digits")
    .describe("SHA-256 of the token, in hexadecimal."),
  access: z
    .array(z.enum(["read", "call", "admin"]))
    .min(1)
    .default(["read", "call"])
    .describe("What it may do."),
  services: z.array(z.string()).optional().describe("Services it may use; all when left out."),
  expires: z.iso.datetime().optional().describe("When it stops working; UTC."),
  perSecond: z.number().positive().default(100).describe("Calls a second."),
  concurrent: z.int().positive().default(20).describe("Calls at once."),
  streams: z
    .int()
    .positive()
    .optional()
    .describe("Streams open at once, 32 when left out; they take no place of calls."),
});

/** A caller that may come over the network: its name, rights and limits, and the digest of its secret. */
export type Token = z.output<typeof tokenSchema>;

/** The digest of a secret in hexadecimal, which is all that is stored of it. */
export const sha256 = (secret: string): string => hash("sha256", secret);

/** The first entry that has the name of an earlier one, but other rights: it cannot be the same caller. */
export const conflictIn = (tokens: readonly Token[]): number =>
  tokens.findIndex((token, index) => {
    const first = tokens.findIndex(({ name }) => name === token.name);
    const twin = tokens[first];
    return first < index && twin !== undefined && rightsText(twin) !== rightsText(token);
  });

const rightsText = ({ access, services, perSecond, concurrent, streams }: Token): string =>
  JSON.stringify([access.toSorted(), services?.toSorted(), perSecond, concurrent, streams]);

/** Whether a token is over at a time in milliseconds since the epoch. */
export const isExpired = ({ expires }: Token, now: number): boolean =>
  expires !== undefined && Date.parse(expires) <= now;

interface Replacement {
  /** SHA-256 of the new token. */
  readonly sha256: string;
  /** Of the new one; that of the one before when left out. */
  readonly expires?: string | undefined;
  /** Milliseconds since the epoch up to which the tokens before it work. */
  readonly until: number;
}

/** A new token for the caller of that name, beside those it has, with all they have; `undefined` for a name that has none. */
export const replaced = (
  tokens: readonly Token[],
  name: string,
  { sha256, expires, until }: Replacement,
): readonly Token[] | undefined => {
  const latest = tokens.findLast((token) => token.name === name);
  if (latest === undefined) return undefined;
  return [
    ...tokens.map((token) => (token.name === name ? endedBy(token, until) : token)),
    { ...latest, sha256, ...(expires !== undefined && { expires }) },
  ];
};

const endedBy = (token: Token, until: number): Token =>
  isExpired(token, until) ? token : { ...token, expires: new Date(until).toISOString() };

const isSecure = (url: string): boolean =>
  url.startsWith("https:") || /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(url);

const address = z.url({ protocol: /^https?$/ }).refine(isSecure, "an https address, or http on loopback");

export const identitySchema = z.strictObject({
  issuer: address.describe("The provider's issuer identifier, as its metadata and tokens say it."),
  resource: address
    .optional()
    .describe(
      "The address by which clients call this server, for which tokens are made; on loopback the listening one when left out.",
    ),
  scopes: z
    .record(
      z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "a scope without spaces"),
      z.strictObject({
        access: tokenSchema.shape.access,
        services: tokenSchema.shape.services,
      }),
    )
    .describe("What each scope allows: access, and to which services."),
  client: z
    .strictObject({ id: z.string().min(1), secret: z.string().min(1).meta(secret) })
    .optional()
    .describe("Credentials for introspection; without them opaque tokens are refused."),
  introspection: z
    .enum(["opaque", "always"])
    .default("opaque")
    .describe(
      "Which tokens the provider is asked about: opaque ones, or JWTs too, which finds those that were revoked.",
    ),
  recheckS: z.number().positive().max(3_600).default(30).describe("Seconds after which a token is verified again."),
  clockSkewS: z.number().min(0).max(300).default(30).describe("Seconds that the provider's clock may be off."),
  perSecond: tokenSchema.shape.perSecond,
  concurrent: tokenSchema.shape.concurrent,
});

/** What is configured of an identity provider. */
export type IdentityConfig = z.output<typeof identitySchema>;
