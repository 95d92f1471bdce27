/**
 * The guard before every route, known or not: Host, Origin, `Sec-Fetch-Site`, the request's form, the token, the call headers.
 * Loopback is reachable from every web page that the user opens, so Host and Origin are what keeps pages out.
 *
 * Decides and writes nothing, and makes what passed into the request that mounts see. Not here: bodies (`body.ts`) and what a principal may do (dispatch).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Code, Limits, WireError } from "@fairlead/contracts";
import type { Principal, TraceContext } from "../call/call.ts";
import { keyShape } from "../call/call.ts";
import type { Authenticate } from "./bearer.ts";
import { bracketed } from "./binding.ts";
import { readBody, streamBytes } from "./body.ts";
import type { Body, GuardedRequest } from "./mount.ts";
import { parseAttempts, parseIdempotencyKey, parseTimeout, parseTrace } from "./request-headers.ts";

export interface GuardRules {
  /** Further values that the Host header may have. Without a port, the listening port is meant. */
  readonly hosts: readonly string[];
  /** Browser origins that may call, in addition to pages of our own. */
  readonly origins: readonly string[];
  /** Who is calling. */
  readonly authenticate: Authenticate;
  /** Callers with a token of an identity provider; left out where there is none. */
  readonly identity?: IdentityRules;
  /** True for a URL that is answered without a token; none when left out. */
  readonly isPublic?: (url: string) => boolean;
  /** True for a URL of a page without data, where another site may lead the browser: from a login there, say. None when left out. */
  readonly isLanding?: (url: string) => boolean;
  /** The `Authorization` of a request without one, by the cookie that it came with; `port` is the server's. */
  readonly session?: (headers: IncomingHttpHeaders, port: number) => string | undefined;
  /** Characters that this URL may have, where what is mounted there takes longer ones than usual. */
  readonly longestUrl?: (url: string) => number | undefined;
}

/** What the server needs to know of an identity provider's tokens. `authenticate` knows those that were identified. */
export interface IdentityRules {
  /**
   * Finds out who sends this `Authorization` header; `undefined` where that is known, also that it is refused. Resolves with an error where it cannot be
   * found out now. `address`: where it came from.
   */
  readonly identify: (
    authorization: string | undefined,
    address?: string,
  ) => Promise<WireError | undefined> | undefined;
  /** The value of `WWW-Authenticate` for a request to that URL; `missing`: that its token is valid but lacks a scope. */
  readonly challenge: (url: string, missing?: "scope") => string;
  /** True for a URL that is answered without a token. */
  readonly isPublic: (url: string) => boolean;
}

/** What the guard found. `origin` is the configured origin that may read the response. */
type Verdict =
  | (AdmittedRequest & { readonly kind: "admitted" })
  | { readonly kind: "preflight"; readonly origin: string }
  | RefusedVerdict;

interface RefusedVerdict {
  readonly kind: "refused";
  readonly status: number;
  readonly error: WireError;
  readonly origin?: string;
  /** True where all it lacks is a token. The first message of a WebSocket may bring one: a browser cannot send it with the handshake. */
  readonly lacksToken?: boolean;
}

interface AdmittedRequest {
  readonly origin?: string;
  readonly principal: Principal;
  readonly trace?: TraceContext;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly idempotencyKey?: string;
}

export type Guard = (incoming: IncomingMessage) => Verdict;

/** Characters that a URL may have, where the mount does not say otherwise. */
const usualUrl = 8_192;
/** Characters that all headers may have; Node's own limit counts the URL, too. */
const mostHeaderBytes = 16_384;

/** Where a server is reached. */
interface GuardedAddress {
  readonly host: string;
  readonly port: number;
  /** How its own pages were loaded; `http` when left out. */
  readonly scheme?: "http" | "https";
}

/** A guard for a server that is reached at that address. */
export const makeGuard = (rules: GuardRules, address: GuardedAddress): Guard => {
  const { scheme = "http" } = address;
  const hosts = hostNames(rules.hosts, address);
  const origins = new Set(rules.origins.map((origin) => origin.toLowerCase()));
  const isPublic = (url: string): boolean => rules.isPublic?.(url) === true || rules.identity?.isPublic(url) === true;
  const authenticate = (incoming: IncomingMessage): Principal | undefined => {
    const { headers } = incoming;
    if (headers.authorization === undefined && headers.cookie !== undefined) {
      const found = rules.session?.(headers, address.port);
      // Whoever follows the caller's access, like open streams, looks at this header.
      if (found !== undefined) headers.authorization = found;
    }
    return rules.authenticate(headers.authorization) ?? (isPublic(incoming.url ?? "") ? anybody : undefined);
  };
  return (incoming) => {
    const url = incoming.url ?? "";
    if (url.length > usualUrl) {
      const most = rules.longestUrl?.(url) ?? usualUrl;
      if (url.length > most) return refuse(414, "invalid_argument", urlTooLong(most));
    }
    if (url.charCodeAt(0) !== 0x2f) return refuse(400, "invalid_argument", noPath);
    if (headerSize(incoming) > mostHeaderBytes) return refuse(431, "invalid_argument", headersTooLong);
    const host = readHost(incoming);
    if (host === undefined) return refuse(400, "invalid_argument", noHost);
    if (!hosts.has(host) && !hosts.has(host.toLowerCase())) return refuse(403, "permission_denied", foreignHost);
    const { origin } = incoming.headers;
    const isConfigured = origin !== undefined && origins.has(origin.toLowerCase());
    if (!isConfigured && !isOurPage(incoming, `${scheme}://${host}`)) {
      if (isNavigation(incoming) && rules.isLanding?.(url) === true) return { kind: "admitted", principal: anybody };
      return refuse(403, "permission_denied", foreignPage);
    }
    const verdict = admit(incoming, authenticate, isConfigured);
    return isConfigured ? { ...verdict, origin } : verdict;
  };
};

/** Who needs no token, for what needs none. */
export const anybody: Principal = { id: "anybody", access: [], services: [] };

/** From here on a configured origin may read what is answered. */
const admit = (
  incoming: IncomingMessage,
  authenticate: (incoming: IncomingMessage) => Principal | undefined,
  isConfigured: boolean,
): Verdict => {
  const { headers, method } = incoming;
  const expected = headers.expect;
  if (expected !== undefined && expected.toLowerCase() !== "100-continue") {
    return refuse(417, "invalid_argument", unknownExpectation);
  }
  for (const name of overrides) if (headers[name] !== undefined) return refuse(400, "invalid_argument", overridden);
  if (isConfigured && method === "OPTIONS" && headers["access-control-request-method"] !== undefined) {
    return { kind: "preflight", origin: headers.origin ?? "" };
  }
  // Of a method that no route takes, the route says which ones it does.
  if (bodiless.includes(method ?? "") && announcesBody(incoming)) return refuse(400, "invalid_argument", unwantedBody);
  const principal = authenticate(incoming);
  if (principal === undefined) {
    return { ...refuse(401, "unauthenticated", noToken), lacksToken: headers.authorization === undefined };
  }
  return withCallHeaders(incoming, principal);
};

const withCallHeaders = ({ headers }: IncomingMessage, principal: Principal): Verdict => {
  const admitted: { -readonly [K in keyof AdmittedRequest]: AdmittedRequest[K] } & { kind: "admitted" } = {
    kind: "admitted",
    principal,
  };
  const timeout = headers["fairlead-timeout-ms"];
  if (timeout !== undefined) {
    const timeoutMs = parseTimeout(String(timeout));
    if (timeoutMs === undefined) return refuse(400, "invalid_argument", wrongTimeout);
    admitted.timeoutMs = timeoutMs;
  }
  const most = headers["fairlead-attempts"];
  if (most !== undefined) {
    const attempts = parseAttempts(String(most));
    if (attempts === undefined) return refuse(400, "invalid_argument", wrongAttempts);
    admitted.attempts = attempts;
  }
  const key = headers["idempotency-key"];
  if (key !== undefined) {
    const idempotencyKey = parseIdempotencyKey(String(key));
    if (idempotencyKey === undefined) return refuse(400, "invalid_argument", wrongKey);
    admitted.idempotencyKey = idempotencyKey;
  }
  const trace = traceIn(headers);
  if (trace !== undefined) admitted.trace = trace;
  return admitted;
};

/** The trace that a request belongs to. */
export const traceIn = ({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined =>
  traceparent === undefined
    ? undefined
    : parseTrace(String(traceparent), tracestate === undefined ? undefined : String(tracestate));

/** Values of the Host header that mean us. */
const hostNames = (configured: readonly string[], { host, port }: { readonly host: string; readonly port: number }) => {
  const names = ["localhost", "127.0.0.1", "[::1]", bracketed(host), ...configured].map((name) => name.toLowerCase());
  const withPort = names.map((name) => (/:\d+$/.test(name) ? name : `${name}:${port}`));
  return new Set([...withPort, ...configured.map((name) => name.toLowerCase()), ...(port === 80 ? names : [])]);
};

/** The one Host header; two of them are none. */
const readHost = ({ headers, rawHeaders }: IncomingMessage): string | undefined => {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name !== undefined && name.length === 4 && name.toLowerCase() === "host") found += 1;
  }
  return found === 1 ? headers.host : undefined;
};

const headerSize = ({ rawHeaders }: IncomingMessage): number => {
  let size = 0;
  for (const part of rawHeaders) size += part.length;
  return size;
};

/** True for what no web page sent, and for pages that this very server gave out. */
const isOurPage = ({ headers }: IncomingMessage, own: string): boolean => {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return headers.origin === undefined || headers.origin.toLowerCase() === own.toLowerCase();
};

/** True where a browser opens a page in a tab of its own, which other pages cannot read: no script, no frame and no form. */
const isNavigation = (incoming: IncomingMessage): boolean => {
  const { method, headers } = incoming;
  const { "sec-fetch-mode": mode, "sec-fetch-dest": destination, origin } = headers;
  return (
    method === "GET" &&
    mode === "navigate" &&
    destination === "document" &&
    origin === undefined &&
    !announcesBody(incoming)
  );
};

/** Methods that routes take, and that have no body here. */
const bodiless: readonly string[] = ["GET", "HEAD", "DELETE", "OPTIONS"];

const overrides = ["x-http-method-override", "x-http-method", "x-method-override"] as const;

interface Words {
  readonly message: string;
  readonly hint: string;
  readonly issues?: NonNullable<WireError["issues"]>;
}

const refuse = (status: number, code: Code, words: Words): RefusedVerdict => ({
  kind: "refused",
  status,
  error: { code, ...words, retryable: false },
});

const urlTooLong = (most: number): Words => ({
  message: `the URL is longer than ${most} bytes`,
  hint: "send the input in the body of a POST",
});
export const headersTooLong = {
  message: "the headers of the request are too large",
  hint: "send fewer or shorter headers",
};
const noPath: Words = { message: "the request target is not a path", hint: "send a path that starts with a slash" };
const noHost: Words = { message: "the request needs exactly one Host header", hint: "send one Host header" };
const foreignHost: Words = {
  message: "the Host header does not name this server",
  hint: "call it by the address it printed at start, or add the name under `hosts` in the configuration",
};
const foreignPage: Words = {
  message: "a web page of another origin may not call this server",
  hint: "add the page's origin under `origins` in the configuration",
};
const unknownExpectation: Words = {
  message: "the expectation in the Expect header is not known",
  hint: "leave the header out",
};
const overridden: Words = {
  message: "headers that override the method are not accepted",
  hint: "send the request with the method that is meant",
};
const unwantedBody: Words = { message: "only a POST may have a body", hint: "leave the body out, or send a POST" };
const noToken: Words = {
  message: "a valid token is required",
  hint: "send the header `authorization: Bearer <token>` with a token of this server",
};
const wrongTimeout: Words = {
  message: "the header fairlead-timeout-ms is not a number of milliseconds",
  hint: "send a whole number of at least 1, or leave the header out",
  issues: [{ path: "fairlead-timeout-ms", expected: "a whole number from 1", fix: "give milliseconds, like 5000" }],
};
const wrongAttempts: Words = {
  message: "the header fairlead-attempts is not a number of attempts",
  hint: "send a whole number of at least 1, or leave the header out",
  issues: [{ path: "fairlead-attempts", expected: "a whole number from 1", fix: "give 1 where you repeat the call" }],
};
const wrongKey: Words = {
  message: "the header idempotency-key is not usable as a key",
  hint: `send ${keyShape}, like a UUID`,
  issues: [{ path: "idempotency-key", expected: keyShape, fix: "send a UUID" }],
};

/** True for a request that has a body, whether it has arrived or not. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** The two halves of an exchange. `proceed` sends "100 Continue" to a client that waits for it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly proceed: (() => void) | undefined;
}

export interface Target {
  /** Below the mount's prefix. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

export class GuardedCall implements GuardedRequest {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly query: string;
  readonly principal: Principal;
  declare readonly trace?: TraceContext;
  declare readonly timeoutMs?: number;
  declare readonly attempts?: number;
  declare readonly idempotencyKey?: string;
  readonly #exchange: Exchange;
  #signal: AbortSignal | undefined;

  constructor(exchange: Exchange, admitted: AdmittedRequest, { path, query }: Target) {
    this.#exchange = exchange;
    this.incoming = exchange.incoming;
    this.path = path;
    this.query = query;
    this.principal = admitted.principal;
    if (admitted.trace !== undefined) this.trace = admitted.trace;
    if (admitted.timeoutMs !== undefined) this.timeoutMs = admitted.timeoutMs;
    if (admitted.attempts !== undefined) this.attempts = admitted.attempts;
    if (admitted.idempotencyKey !== undefined) this.idempotencyKey = admitted.idempotencyKey;
  }

  get signal(): AbortSignal {
    this.#signal ??= hangUpSignal(this.#exchange.response);
    return this.#signal;
  }

  body(limits: Limits): Body | Promise<Body> {
    return readBody(this.incoming, limits, this.#exchange.proceed);
  }

  bytes(): AsyncIterable<Uint8Array> {
    return streamBytes(this.incoming, this.#exchange.proceed);
  }
}

/** A response that closes before it was ended has lost its reader. */
const hangUpSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableEnded) controller.abort();
  };
  if (response.closed || response.destroyed) onClose();
  else response.once("close", onClose);
  return controller.signal;
};

/** A path, percent-decoded once; `undefined` for what is not UTF-8 or has control characters. */
export const decodedPath = (raw: string): string | undefined => {
  if (!raw.includes("%")) return raw;
  try {
    const path = decodeURIComponent(raw);
    return hasControl(path) ? undefined : path;
  } catch {
    return undefined;
  }
};

const hasControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
};
