/** The wait before a retry that a server requests, and no retry when that wait is longer than the deadline allows. Pure. */

/** Milliseconds from `retry-after-ms` or `retry-after` (seconds or a date); `undefined` when neither says something to wait for. */
export const readRetryAfter = (headers: Headers, now: number): number | undefined => {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds > 0) return Math.ceil(milliseconds);
  const after = headers.get("retry-after") ?? "";
  const seconds = Number.parseFloat(after);
  const pause = Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1_000;
  return pause > 0 ? Math.ceil(pause) : undefined;
};

/** The response, or the same one marked as not to be retried when its wait is longer than the time that is left. */
export const preventLateRetry = (response: Response, leftMs: number): Response => {
  const pause = readRetryAfter(response.headers, Date.now());
  if (response.ok || pause === undefined || pause < leftMs) return response;
  const headers = new Headers(response.headers);
  headers.set("x-should-retry", "false");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};
