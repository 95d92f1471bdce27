/**
 * The HTTP clients of one upstream: one for its own origin, and one with stricter rules for third-party addresses that it names, like
 * its authorization server. No upstream elsewhere can lead us to this machine.
 */
import type { FetchLike } from "@modelcontextprotocol/client";
import { isLoopback } from "./address.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { followRedirects } from "./redirects.ts";

export interface HttpClients {
  /** For the upstream's own origin. */
  readonly own: HttpClient;
  readonly thirdParty: HttpClient;
}

interface HttpClientsOptions {
  /** The server's own configuration has named it. */
  readonly trusted: boolean;
  readonly connectMs: number;
}

export const createHttpClients = (address: URL, { trusted, connectMs }: HttpClientsOptions): HttpClients => ({
  own: createHttpClient({ scope: trusted ? "anywhere" : "loopback", connectMs }),
  thirdParty: createHttpClient({ scope: isLoopback(address) ? "loopback" : "public", connectMs }),
});

/** A `fetch` that takes the one or the other, and follows redirects. */
export const fetchByOrigin =
  (origin: string, { own, thirdParty }: HttpClients): FetchLike =>
  (url, init) =>
    followRedirects(new URL(url).origin === origin ? own : thirdParty)(url, init);

export const closeHttpClients = ({ own, thirdParty }: HttpClients): void => {
  own.close();
  thirdParty.close();
};
