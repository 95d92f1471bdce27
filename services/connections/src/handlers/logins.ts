/** Logins by OAuth, as callers ask for them: who may, and what is said when it does not work. */

import { cleanText } from "@fairlead/contracts";
import type connections from "@fairlead/contracts/connections";
import { type Call, FairleadError } from "@fairlead/kernel/service";
import { urlHost, urlRefusal } from "../http/address.ts";
import { closeHttpClients, createHttpClients, fetchByOrigin, type HttpClients } from "../http/http-clients.ts";
import type { Credentials } from "../oauth/credentials.ts";
import { beginLogin, finishLogin, type LoginOptions } from "../oauth/login.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";

type LoginCall = Pick<Call<(typeof connections)["procedures"]["beginLogin"]>, "fail">;

export interface Logins {
  /** The page to show to the user. */
  begin(name: string, redirectUrl: string, call: LoginCall): Promise<string>;
  finish(name: string, query: string, call: LoginCall): Promise<void>;
}

const connectMs = 10_000;

export const createLogins = (registry: ConnectionRegistry): Logins => {
  const attempt = async <T>(
    name: string,
    call: LoginCall,
    work: (credentials: Credentials, options: LoginOptions) => Promise<T>,
  ): Promise<T> => {
    const target = registry.connection(name)?.target;
    const credentials = target === undefined ? undefined : registry.credentials(name, target);
    if (target?.transport !== "http" || credentials === undefined) {
      const message = `${name} is not set up for OAuth`;
      throw call.fail("login_failed", { message, hint: "set `oauth` for it in the configuration" });
    }
    let webs: HttpClients | undefined;
    try {
      const url = credentials.address;
      const address = new URL(url);
      webs = createHttpClients(address, { trusted: target.trusted, connectMs });
      return await work(credentials, { url, fetchFn: fetchByOrigin(address.origin, webs) });
    } catch (error) {
      if (error instanceof FairleadError) throw error;
      const why = error instanceof Error ? cleanText(error.message, 300) : "it failed";
      throw call.fail("login_failed", { message: `the login to ${name} did not work: ${why}` });
    } finally {
      if (webs !== undefined) closeHttpClients(webs);
    }
  };

  return {
    begin: (name, redirectUrl, call) =>
      attempt(name, call, (credentials, options) => {
        const url = new URL(redirectUrl);
        const loopback = url.protocol === "http:" && urlRefusal(redirectUrl) === undefined;
        if (!loopback) throw new Error(`${urlHost(url)} is not on the user's own machine`);
        credentials.redirect = redirectUrl;
        return beginLogin(credentials, options);
      }),
    finish: (name, query, call) =>
      attempt(name, call, (credentials, options) => finishLogin(credentials, query, options)),
  };
};
