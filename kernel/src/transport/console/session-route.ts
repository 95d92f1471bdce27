/**
 * `POST /console/session`: opens and ends sessions of browsers. Its body says which:
 * `{"link":true}` makes a one-time code for the caller, `{"code":"…"}` opens a session with one, `{"open":true}` opens one for the caller, and
 * `{"end":true}` ends the caller's. A session is a cookie that no script can read; the code is in the part of a link that browsers never send.
 */
import type { ServerResponse } from "node:http";
import { defaultLimits, type WireError } from "@fairlead/contracts";
import { isRecord } from "../../call/record.ts";
import {
  type BrowserSessions,
  cookieName,
  type SessionHolder,
  sessionLifeMs,
} from "../../identity/browser-sessions.ts";
import type { Authenticate } from "../../server/bearer.ts";
import { anybody } from "../../server/guard.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import { sendProblem } from "../../server/problem.ts";

export interface SessionParts {
  readonly sessions: BrowserSessions;
  /** Knows the callers of the server that this route belongs to. */
  readonly authenticate: Authenticate;
}

const limits = { ...defaultLimits, bytes: 1_024 };

export const answerSession = (
  request: GuardedRequest,
  response: ServerResponse,
  { sessions, authenticate }: SessionParts,
): Promise<void> => {
  if (request.incoming.method !== "POST") {
    sendProblem(response, onlyPost, { status: 405, headers: { allow: "POST" } });
    return Promise.resolve();
  }
  return Promise.resolve(request.body(limits)).then((body) => {
    if (!body.ok) return sendProblem(response, body.error, { status: body.status });
    const sent = isRecord(body.value) ? body.value : {};
    const { authorization } = request.incoming.headers;
    const caller = request.principal === anybody ? undefined : { authorization, authenticate };
    if (typeof sent.code === "string") return openWithCode(response, sessions, sent.code);
    if (caller === undefined) return sendProblem(response, noCaller, { status: 401 });
    if (sent.link === true) return sendLink(response, sessions, caller);
    if (sent.open === true) return sendSession(response, sessions, caller);
    if (sent.end === true) return endSession(request, response, sessions);
    return sendProblem(response, unknownRequest);
  });
};

const openWithCode = (response: ServerResponse, sessions: BrowserSessions, code: string) => {
  const holder = sessions.redeem(code);
  return holder === undefined ? sendProblem(response, usedLink) : sendSession(response, sessions, holder);
};

const sendLink = (response: ServerResponse, sessions: BrowserSessions, holder: SessionHolder): void => {
  const { secret, expires } = sessions.createLink(holder);
  sendJson(response, { path: `/console#link=${secret}`, expiresAt: new Date(expires).toISOString() });
};

const sendSession = (response: ServerResponse, sessions: BrowserSessions, holder: SessionHolder) => {
  const principal = holder.authenticate(holder.authorization);
  if (principal === undefined) return sendProblem(response, noCaller, { status: 401 });
  const { secret, expires } = sessions.open(holder);
  setCookie(response, secret, sessionLifeMs / 1_000);
  return sendJson(response, { principal: principal.id, expiresAt: new Date(expires).toISOString() });
};

const endSession = ({ incoming }: GuardedRequest, response: ServerResponse, sessions: BrowserSessions): void => {
  sessions.close(incoming.headers.authorization);
  setCookie(response, "", 0);
  sendJson(response, {});
};

const setCookie = (response: ServerResponse, value: string, seconds: number): void => {
  const name = cookieName(response.socket?.localPort ?? 0);
  response.setHeader("set-cookie", `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`);
};

const sendJson = (response: ServerResponse, value: object): void => {
  const text = JSON.stringify(value);
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
};

const onlyPost: WireError = {
  code: "unimplemented",
  message: "sessions are opened and ended by POST",
  hint: "send a POST",
  retryable: false,
};
const noCaller: WireError = {
  code: "unauthenticated",
  message: "a valid token is required",
  hint: "open the link that `fairlead console` prints, or send a token of this server",
  retryable: false,
};
const usedLink: WireError = {
  code: "unauthenticated",
  message: "this link was used already, or is too old",
  hint: "run `fairlead console` for a new one",
  retryable: false,
};
const unknownRequest: WireError = {
  code: "invalid_argument",
  message: "the body says neither `link`, `code`, `open` nor `end`",
  hint: 'send {"link":true} for a one-time link',
  retryable: false,
};
