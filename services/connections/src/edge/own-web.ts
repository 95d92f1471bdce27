/**
 * The web as one upstream has it: its own origin as it was named, and whatever it names besides (where its tokens are had) within the
 * rules for strangers. Nobody from outside leads us to this machine.
 */
import type { FetchLike } from "@modelcontextprotocol/client";
import { isLoopback } from "./address.ts";
import { following } from "./redirects.ts";
import { makeWeb } from "./web-request.ts";

export interface OwnWeb {
  /** Opens a socket to the upstream, for the first request to use. Rejects with a `WebError`. */
  reach(): Promise<void>;
  readonly fetch: FetchLike;
  /** Drops the sockets. */
  close(): void;
}

export interface OwnWebOptions {
  /** The server's own configuration has named it. */
  readonly trusted: boolean;
  readonly connectMs: number;
}

export const makeOwnWeb = (address: URL, { trusted, connectMs }: OwnWebOptions): OwnWeb => {
  const own = makeWeb({ reach: trusted ? "anywhere" : "loopback", connectMs });
  const strangers = makeWeb({ reach: isLoopback(address) ? "loopback" : "public", connectMs });
  return {
    reach: () => own.reach(address),
    fetch: (url, init) => following(new URL(url).origin === address.origin ? own : strangers)(url, init),
    close: () => {
      own.close();
      strangers.close();
    },
  };
};
