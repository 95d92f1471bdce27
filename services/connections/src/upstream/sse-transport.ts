/**
 * The transport of revision 2024-11-05: a stream of events that names the address to post to. Tried where the newer one is refused.
 *
 * Its stream is the connection: when it breaks, all is over, and the next attempt begins a new session. The SDK would open the
 * stream again in the middle of one. Not here: when it is tried (`upstream.ts`).
 */
import { SSEClientTransport, SseError } from "@modelcontextprotocol/client";
import { fetchByOrigin } from "../http/http-clients.ts";
import { RequestError } from "../http/request-error.ts";
import type { Observation } from "../machine/fault.ts";
import { type HttpTransportOptions, observeRequestError, retryAfter, statusHints } from "./http-transport.ts";

/** True where a server that knows only the older transport may have refused what was posted to it. */
export const isOlderPossible = (seen: Observation | undefined): boolean =>
  seen?.what === "status" && [400, 404, 405, 406, 415].includes(seen.status);

export class SseTransport extends SSEClientTransport {
  readonly #seen: { last: Observation | undefined };
  #isFound = false;

  constructor(url: URL, { headers, webs, authProvider, opening }: HttpTransportOptions) {
    const seen: { last: Observation | undefined } = { last: undefined };
    const hints = statusHints(url, authProvider);
    const send = fetchByOrigin(url.origin, webs);
    super(url, {
      requestInit: { headers },
      ...(authProvider !== undefined && { authProvider }),
      fetch: async (to, init) => {
        try {
          const answer = await send(to, init);
          const status = { what: "status", status: answer.status, opening: opening(), session: false } as const;
          seen.last = answer.ok ? undefined : { ...status, ...hints, ...retryAfter(answer.headers) };
          return answer;
        } catch (error) {
          if (error instanceof RequestError) seen.last = observeRequestError(error);
          throw error;
        }
      },
    });
    this.#seen = seen;
  }

  /** Whether there is such a server. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** What went wrong with the latest HTTP exchange; nothing when it was answered. */
  get lastSeen(): Observation | undefined {
    return this.#seen.last;
  }

  override async start(): Promise<void> {
    const reported = this.onerror;
    this.onerror = (error) => {
      reported?.(error);
      if (error instanceof SseError) void this.close();
    };
    await super.start();
    this.#isFound = true;
  }
}
