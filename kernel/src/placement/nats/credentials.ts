/**
 * The files and secrets by which this peer is known to NATS, looked at before anything connects: each that is missing, unreadable or unfit is named by its
 * setting. No message holds what a file holds. They are read again for each connection, so that what was renewed is used without a restart.
 *
 * Not here: the connection (`connection.ts`), the secret that calls are signed with (`fleet-secret.ts`).
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Issue } from "@fairlead/contracts";
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  nkeys,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { type NatsSettings, wrongConfiguration } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";

export interface NatsCredentials {
  readonly authenticator: readonly Authenticator[];
  /** Set where the connection has to be encrypted. */
  readonly tls: TlsOptions | undefined;
  /** When the certificate of this peer ends; milliseconds since 1970. */
  readonly certificateEnds: number | undefined;
}

type FileSetting = "credentialsFile" | "nkeyFile" | "tokenFile" | "passwordFile";

/** Throws a `FairleadError` that names every setting that is wrong. */
export const readCredentials = (settings: NatsSettings, env: Environment): NatsCredentials => {
  const issues: Issue[] = [];
  const { tls, certificateEnds } = readTls(settings, issues);
  const authenticator = readAuthenticator(settings, env, issues);
  if (issues.length > 0) throw wrongConfiguration(issues);
  return { authenticator, tls, certificateEnds };
};

const readAuthenticator = (
  { user, ...files }: NatsSettings,
  env: Environment,
  issues: Issue[],
): readonly Authenticator[] => {
  const ways = [
    ...(["credentialsFile", "nkeyFile"] as const).filter((name) => files[name] !== undefined),
    ...(files.tokenFile !== undefined || env.FAIRLEAD_NATS_TOKEN !== undefined ? ["tokenFile"] : []),
    ...(user !== undefined ? ["user"] : []),
  ];
  if (ways.length > 1) {
    const fix = `remove all but one of ${ways.join(", ")}`;
    issues.push({ path: `nats.${ways[1]}`, expected: "one way to say who this is", fix });
  }
  const read = (name: FileSetting, isFit: (bytes: Buffer) => boolean, fit: string): (() => Buffer) | undefined => {
    const path = files[name];
    if (path === undefined) return undefined;
    return follow({ setting: `nats.${name}`, path, fit }, isFit, issues);
  };
  const credentials = read("credentialsFile", isCredentials, "a JWT and its seed, as `nsc` writes them");
  if (credentials !== undefined) return [credsAuthenticator(credentials)];
  const seed = read("nkeyFile", (bytes) => isSeed(toText(bytes)), "the seed of a user's nkey, which begins with SU");
  if (seed !== undefined) return [nkeyAuthenticator(() => Buffer.from(toText(seed())))];
  const readToken = read("tokenFile", isText, "a token");
  if (readToken !== undefined) return [tokenAuthenticator(() => toText(readToken()))];
  if (env.FAIRLEAD_NATS_TOKEN !== undefined) return [tokenAuthenticator(env.FAIRLEAD_NATS_TOKEN)];
  const password = read("passwordFile", isText, "a password");
  if (user === undefined) {
    if (password !== undefined)
      issues.push({ path: "nats.user", expected: "the name that `nats.passwordFile` belongs to", fix: "add it" });
    return [];
  }
  if (password !== undefined) return [usernamePasswordAuthenticator(user, () => toText(password()))];
  if (env.FAIRLEAD_NATS_PASSWORD !== undefined)
    return [usernamePasswordAuthenticator(user, env.FAIRLEAD_NATS_PASSWORD)];
  if (files.passwordFile === undefined)
    issues.push({ path: "nats.passwordFile", expected: "the password of `nats.user`", fix: passwordFix });
  return [];
};

const passwordFix = "add the file, or set FAIRLEAD_NATS_PASSWORD";

const readTls = ({ servers, tls }: NatsSettings, issues: Issue[]): Pick<NatsCredentials, "tls" | "certificateEnds"> => {
  // NATS's client takes what the server offers, unless it is said that TLS is a must.
  const isMust = tls !== undefined || [servers ?? []].flat().some((server) => server.startsWith("tls://"));
  if (!isMust) return { tls: undefined, certificateEnds: undefined };
  const { caFile, certFile, keyFile, handshakeFirst } = tls ?? {};
  const read = (name: string, path: string | undefined, isFit: (bytes: Buffer) => boolean, fit: string) =>
    path === undefined ? undefined : follow({ setting: `nats.tls.${name}`, path, fit }, isFit, issues)?.();
  read("caFile", caFile, isCertificate, "certificates in PEM");
  const certificate = read("certFile", certFile, isCertificate, "a certificate in PEM");
  const key = read("keyFile", keyFile, isKey, "a private key in PEM, without a passphrase");
  for (const [one, other] of [["certFile", "keyFile"] as const, ["keyFile", "certFile"] as const])
    if (tls?.[one] !== undefined && tls[other] === undefined)
      issues.push({ path: `nats.tls.${other}`, expected: `what belongs to \`nats.tls.${one}\``, fix: "add it" });
  const certificateEnds = certificate === undefined ? undefined : readPair(certificate, key, issues);
  return {
    certificateEnds,
    tls: {
      ...(caFile !== undefined && { caFile }),
      ...(certFile !== undefined && { certFile }),
      ...(keyFile !== undefined && { keyFile }),
      ...(handshakeFirst !== undefined && { handshakeFirst }),
    },
  };
};

/** When the certificate ends. */
const readPair = (pem: Buffer, key: Buffer | undefined, issues: Issue[]): number => {
  const certificate = new X509Certificate(pem);
  const ends = Date.parse(certificate.validTo);
  if (key !== undefined && !certificate.checkPrivateKey(createPrivateKey(key)))
    issues.push({ path: "nats.tls.keyFile", expected: "the key of `nats.tls.certFile`", fix: "name its own key" });
  if (ends < Date.now())
    issues.push({
      path: "nats.tls.certFile",
      expected: "a certificate that is valid now",
      fix: `renew it: it ended on ${new Date(ends).toISOString()}`,
    });
  return ends;
};

interface FollowedFile {
  readonly setting: string;
  readonly path: string;
  /** What it has to hold, in words. */
  readonly fit: string;
}

/** A file that is read again each time; what it held last is used where it cannot be read any more, or is unfit. `undefined` where it is not usable now. */
const follow = (
  { setting, path, fit }: FollowedFile,
  isFit: (bytes: Buffer) => boolean,
  issues: Issue[],
): (() => Buffer) | undefined => {
  let last: Buffer;
  try {
    last = readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "it failed";
    issues.push({ path: setting, expected: "a file that this user can read", fix: `look at ${path}: ${code}` });
    return undefined;
  }
  if (!isFit(last)) {
    issues.push({ path: setting, expected: `a file with ${fit}`, fix: `look at ${path}` });
    return undefined;
  }
  return () => {
    try {
      const now = readFileSync(path);
      if (isFit(now)) last = now;
    } catch {
      // It is being replaced, or gone: the server decides on what it held.
    }
    return last;
  };
};

const toText = (bytes: Buffer): string => bytes.toString("utf8").trim();

const isText = (bytes: Buffer): boolean => /^[^\r\n\0]+$/.test(toText(bytes));

const isSeed = (text: string): boolean =>
  succeeds(() => {
    if (!text.startsWith("SU")) throw new Error("of something else");
    nkeys.fromSeed(Buffer.from(text));
  });

const isCredentials = (bytes: Buffer): boolean => {
  const lines = toText(bytes).split(/\r?\n/);
  const after = (word: string): string => lines[lines.findIndex((line) => line.includes(word)) + 1]?.trim() ?? "";
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(after("BEGIN NATS USER JWT")) && isSeed(after("BEGIN USER NKEY SEED"));
};

const isCertificate = (bytes: Buffer): boolean => succeeds(() => new X509Certificate(bytes));
const isKey = (bytes: Buffer): boolean => succeeds(() => createPrivateKey(bytes));

const succeeds = (attempt: () => unknown): boolean => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};
