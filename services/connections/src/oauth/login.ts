/**
 * OAuth for an upstream: a login in two steps around a browser that is not ours, and tokens for its requests afterwards.
 *
 * Nothing is begun without a user: an upstream that wants a login is blocked until a user asks for one. Not here: the flow (the
 * SDK's), where the browser runs and who shows it the address (the command line).
 */
import {
  type AuthProvider,
  auth,
  extractWWWAuthenticateParams,
  type FetchLike,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Credentials } from "./credentials.ts";

/** Sends the token along, and gets a new one when the upstream does not take it. */
export const tokenProvider = (credentials: Credentials): AuthProvider => ({
  token: async () => credentials.tokens()?.access_token,
  onUnauthorized: async ({ response, serverUrl, fetchFn }) => {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    credentials.challenge = {
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    if (credentials.tokens()?.refresh_token === undefined) throw new UnauthorizedError();
    const result = await auth(credentials, { serverUrl, fetchFn, ...credentials.challenge });
    if (result !== "AUTHORIZED") throw new UnauthorizedError();
  },
});

export interface LoginOptions {
  readonly url: string;
  readonly fetchFn: FetchLike;
}

/** Finds out where the user logs in. Throws when the upstream has no such place. */
export const beginLogin = async (credentials: Credentials, { url, fetchFn }: LoginOptions): Promise<string> => {
  credentials.forget();
  const scope = credentials.requestedScope;
  await auth(credentials, {
    serverUrl: url,
    fetchFn,
    forceReauthorization: true,
    ...credentials.challenge,
    ...(scope !== undefined && { scope }),
  });
  const found = credentials.page;
  if (found === undefined) throw new Error("the upstream named no place to log in");
  if (found.protocol !== "https:" && found.protocol !== "http:")
    throw new Error("the place to log in is not a web page");
  return found.href;
};

/** Takes what the browser was sent back with. Throws when it does not belong to the login that was begun, or was refused. */
export const finishLogin = async (
  credentials: Credentials,
  query: string,
  { url, fetchFn }: LoginOptions,
): Promise<void> => {
  const answer = new URLSearchParams(query);
  if (!credentials.takesState(answer.get("state")))
    throw new Error("this is not the answer to the login that was begun");
  const code = answer.get("code");
  if (code === null) throw new Error(`the login was refused: ${answer.get("error")?.slice(0, 60) ?? "no code came"}`);
  const iss = answer.get("iss");
  const result = await auth(credentials, {
    serverUrl: url,
    fetchFn,
    authorizationCode: code,
    ...credentials.challenge,
    ...(iss !== null && { iss }),
  });
  if (result !== "AUTHORIZED") throw new Error("the code was not taken");
};
