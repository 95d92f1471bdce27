/**
 * Sessions of browsers: what a cookie stands for. A session is as good as the `Authorization` header that it was opened with, for as long as
 * that one is accepted: a token that is revoked or has expired ends it. Kept in memory alone; a restart of the kernel ends all.
 *
 * Browsers send cookies by themselves, so a cookie counts only beside a header that no page of another origin can send. Not here: the route that
 * opens and ends sessions (`transport/console`).
 */
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Authenticate } from "../server/bearer.ts";

/** Who opens a session: what their requests have as `Authorization`, and the server that knows it. The session is theirs for as long as it does. */
export interface SessionHolder {
  readonly authorization: string | undefined;
  readonly authenticate: Authenticate;
}

/** Something secret that is valid for some time. */
interface SessionSecret {
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** The header that pages of the console send with each request; any value counts. */
const pageHeader = "fairlead-console";
/** The Authorization header of a request with a session. */
const scheme = "Session ";

/** Milliseconds that a link may be used, once. */
export const linkLifeMs = 5 * 60_000;
/** Milliseconds that a session lasts. */
export const sessionLifeMs = 12 * 3_600_000;
/** Links, and sessions, of one principal at a time; their oldest goes for one more, and those of others stay. */
const mostEach = 64;
/** Of all principals; the oldest goes for one more. */
const most = 4096;

export class BrowserSessions {
  readonly #links = new ExpiringTable();
  readonly #sessions = new ExpiringTable();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A code that opens one session for this caller. */
  createLink(holder: SessionHolder): SessionSecret {
    return this.#links.add(holder, { now: this.#now(), lifeMs: linkLifeMs });
  }

  /** Who made the link of that code; it is used up. */
  redeem(code: string): SessionHolder | undefined {
    const holder = this.#links.find(code, this.#now());
    this.#links.remove(code);
    return holder;
  }

  open(holder: SessionHolder): SessionSecret {
    return this.#sessions.add(holder, { now: this.#now(), lifeMs: sessionLifeMs });
  }

  /** Ends the session of a request's Authorization header, if that is one. */
  close(authorization: string | undefined): void {
    if (authorization?.startsWith(scheme)) this.#sessions.remove(authorization.slice(scheme.length));
  }

  /** The Authorization of a request that has the cookie and was sent by a page of ours. `port`: that of the server, since cookies are shared by all ports. */
  authorize({ cookie, ...headers }: IncomingHttpHeaders, port: number): string | undefined {
    if (cookie === undefined || headers[pageHeader] === undefined) return undefined;
    const id = readCookie(cookie, cookieName(port));
    // One that has ended is none: where there are no tokens, its browser is let in like any other.
    return id === undefined || this.#sessions.find(id, this.#now()) === undefined ? undefined : `${scheme}${id}`;
  }

  /** Knows sessions, beside what `inner` knows. */
  authenticate(inner: Authenticate): Authenticate {
    return (authorization) => {
      if (authorization?.startsWith(scheme) !== true) return inner(authorization);
      const holder = this.#sessions.find(authorization.slice(scheme.length), this.#now());
      return holder?.authenticate(holder.authorization);
    };
  }
}

/** Cookies know no ports: two kernels on one machine have one each. */
export const cookieName = (port: number): string => `fairlead-console-${port}`;

const readCookie = (header: string, name: string): string | undefined => {
  for (const part of header.split(";")) {
    const text = part.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
};

interface Term {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly lifeMs: number;
}

interface BrowserSession {
  readonly holder: SessionHolder;
  /** The principal who opened it. */
  readonly owner: string | undefined;
  readonly expires: number;
}

/** Holders by a secret of 256 bits, until they expire. */
class ExpiringTable {
  readonly #entries = new Map<string, BrowserSession>();

  add(holder: SessionHolder, { now, lifeMs }: Term): SessionSecret {
    const owner = holder.authenticate(holder.authorization)?.id;
    for (const [secret, { expires }] of this.#entries) if (expires <= now) this.#entries.delete(secret);
    const own = [...this.#entries].filter(([, entry]) => entry.owner === owner);
    const [oldest] = own.length >= mostEach ? own : this.#entries.size >= most ? this.#entries : [];
    if (oldest !== undefined) this.#entries.delete(oldest[0]);
    const secret = randomBytes(32).toString("base64url");
    const expires = now + lifeMs;
    this.#entries.set(secret, { holder, owner, expires });
    return { secret, expires };
  }

  find(secret: string, now: number): SessionHolder | undefined {
    const entry = this.#entries.get(secret);
    return entry === undefined || entry.expires <= now ? undefined : entry.holder;
  }

  remove(secret: string): void {
    this.#entries.delete(secret);
  }
}
