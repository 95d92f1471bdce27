/**
 * Logins by OAuth, in two steps around the user's browser: who may begin one, and how a failure is reported. Not here: the flow
 * (`oauth/login.ts`).
 */
import { cleanText } from "@fairlead/contracts";
import { type Call, FairleadError } from "@fairlead/kernel/service";
import { urlHost, urlRefusal } from "../http/address.ts";
import { closeHttpClients, createHttpClients, fetchByOrigin, type HttpClients } from "../http/http-clients.ts";
import type { Credentials } from "../oauth/credentials.ts";
import { beginLogin as begin, finishLogin as finish, type LoginOptions } from "../oauth/login.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import { type ConnectionProcedures, type HandlerFactory, requireConnection } from "./context.ts";

const connectMs = 10_000;

export const beginLogin: HandlerFactory<"beginLogin"> =
  (context) =>
  async ({ name, redirectUrl }, call) => {
    requireConnection(context, name, call);
    const authorizationUrl = await attempt({ registry: context.registry, name, call }, (credentials, options) => {
      requireLoopback(redirectUrl);
      credentials.redirect = redirectUrl;
      return begin(credentials, options);
    });
    return { authorizationUrl };
  };

export const finishLogin: HandlerFactory<"finishLogin"> =
  (context) =>
  async ({ name, query }, call) => {
    requireConnection(context, name, call);
    await attempt({ registry: context.registry, name, call }, (credentials, options) =>
      finish(credentials, query, options),
    );
    context.registry.reconnect(name);
    return requireConnection(context, name, call);
  };

interface LoginAttempt {
  readonly registry: ConnectionRegistry;
  readonly name: string;
  readonly call: Pick<Call<ConnectionProcedures["beginLogin"]>, "fail">;
}

/** Runs one step with HTTP clients of its own. Every failure becomes `login_failed`. */
const attempt = async <T>(
  { registry, name, call }: LoginAttempt,
  step: (credentials: Credentials, options: LoginOptions) => Promise<T>,
): Promise<T> => {
  const target = registry.connection(name)?.target;
  const credentials = target === undefined ? undefined : registry.credentials(name, target);
  if (target?.transport !== "http" || credentials === undefined) {
    const message = `${name} is not set up for OAuth`;
    throw call.fail("login_failed", { message, hint: "set `oauth` for it in the configuration" });
  }
  let clients: HttpClients | undefined;
  try {
    const url = credentials.address;
    const address = new URL(url);
    clients = createHttpClients(address, { trusted: target.trusted, connectMs });
    return await step(credentials, { url, fetchFn: fetchByOrigin(address.origin, clients) });
  } catch (error) {
    if (error instanceof FairleadError) throw error;
    const why = error instanceof Error ? cleanText(error.message, 300) : "it failed";
    throw call.fail("login_failed", { message: `the login to ${name} did not work: ${why}` });
  } finally {
    if (clients !== undefined) closeHttpClients(clients);
  }
};

/** The browser brings the code back to the user's own machine, and nowhere else. */
const requireLoopback = (redirectUrl: string): void => {
  const url = new URL(redirectUrl);
  const isLoopback = url.protocol === "http:" && urlRefusal(redirectUrl) === undefined;
  if (!isLoopback) throw new Error(`${urlHost(url)} is not on the user's own machine`);
};
