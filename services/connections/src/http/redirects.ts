/**
 * Redirects of an upstream: followed within its own origin, keeping the method, three at most. One that leads elsewhere is
 * returned as it is, and not followed.
 */

import type { HttpClient } from "./http-client.ts";
import { RequestError } from "./request-error.ts";

export const maxRedirects = 3;

const statuses = new Set([301, 302, 303, 307, 308]);
const keepMethod = new Set([307, 308]);

/** The web's `fetch`, which follows. Rejects with a `RequestError` (`EREDIRECT`) at the fourth redirect. */
export const followRedirects =
  (web: HttpClient): HttpClient["fetch"] =>
  async (url, init) => {
    let at = new URL(url);
    for (let followed = 0; ; followed += 1) {
      const answer = await web.fetch(at, init);
      const next = redirectTarget(at, init?.method ?? "GET", answer);
      if (next === undefined) return answer;
      await answer.body?.cancel();
      if (followed === maxRedirects) throw new RequestError("EREDIRECT", `more than ${maxRedirects} redirects`, true);
      at = next;
    }
  };

/** Where a redirect leads, when it may be followed. */
const redirectTarget = (at: URL, method: string, { status, headers }: Response): URL | undefined => {
  const location = statuses.has(status) ? headers.get("location") : null;
  const to = location === null ? null : URL.parse(location, at.href);
  if (to === null || to.origin !== at.origin || to.username !== "" || to.password !== "") return undefined;
  return method === "GET" || keepMethod.has(status) ? to : undefined;
};
