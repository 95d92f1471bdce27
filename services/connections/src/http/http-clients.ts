/**
 * The web as one upstream has it: its own origin as it was named, and whatever it names besides (where its tokens are had) within the
 * rules for strangers. Nobody from outside leads us to this machine.
 */
import type { FetchLike } from "@modelcontextprotocol/client";
import { isLoopback } from "./address.ts";
import { makeWeb, type Web } from "./http-client.ts";
import { following } from "./redirects.ts";

export interface Webs {
  /** For the upstream's own origin. */
  readonly own: Web;
  readonly strangers: Web;
}

export interface WebsOptions {
  /** The server's own configuration has named it. */
  readonly trusted: boolean;
  readonly connectMs: number;
}

export const makeWebs = (address: URL, { trusted, connectMs }: WebsOptions): Webs => ({
  own: makeWeb({ reach: trusted ? "anywhere" : "loopback", connectMs }),
  strangers: makeWeb({ reach: isLoopback(address) ? "loopback" : "public", connectMs }),
});

/** A `fetch` that takes the one or the other, and follows redirects. */
export const splitFetch =
  (origin: string, { own, strangers }: Webs): FetchLike =>
  (url, init) =>
    following(new URL(url).origin === origin ? own : strangers)(url, init);

export const closeWebs = ({ own, strangers }: Webs): void => {
  own.close();
  strangers.close();
};
