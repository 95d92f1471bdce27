/** A real OpenID provider, `oidc-provider`: machines get tokens by their secret, people log in by a page that agrees at once. Its keys can be replaced. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

export interface IdentityProvider {
  readonly issuer: string;
  /** Requests for its keys, for introspection, and for anything else, so far. */
  readonly requests: readonly string[];
  /** A token for a machine: a JWT, or an opaque one for the client `opaque`. */
  token(resource: string, scope: string, client?: string): Promise<string>;
  revoke(token: string, client?: string): Promise<void>;
  /** Signs with a new key from now on; the one before is gone. */
  rotate(): Promise<void>;
  /** Answers nothing while true. */
  isDown: boolean;
  close(): Promise<void>;
}

const secret = "a secret of thirty-two characters";
export const introspector = { id: "introspector", secret };

const machine = (id: string) => ({
  client_id: id,
  client_secret: secret,
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
});

export const serveIdentityProvider = async (scopes: readonly string[]): Promise<IdentityProvider> => {
  const requests: string[] = [];
  let isDown = false;
  const state: { provider?: Provider } = {};
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?", 1)[0]}`);
    const { provider } = state;
    if (isDown || provider === undefined) request.socket.destroy();
    else if (request.url?.startsWith("/interaction/")) void agree(provider, scopes, { request, response });
    else provider.callback()(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const rotate = async (): Promise<void> => {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" };
    state.provider = new Provider(issuer, configuration(scopes, key));
    state.provider.on("server_error", (_, error) => console.error(error));
  };
  await rotate();

  const post = async (path: string, client: string, form: Readonly<Record<string, string>>): Promise<string> => {
    const authorization = `Basic ${Buffer.from(`${client}:${encodeURIComponent(secret)}`).toString("base64")}`;
    const response = await fetch(`${issuer}${path}`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams(form),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  return {
    issuer,
    requests,
    token: async (resource, scope, client = "machine") =>
      JSON.parse(await post("/token", client, { grant_type: "client_credentials", resource, scope })).access_token,
    revoke: async (token, client = "opaque") => void (await post("/token/revocation", client, { token })),
    rotate,
    get isDown() {
      return isDown;
    },
    set isDown(down) {
      isDown = down;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

const configuration = (scopes: readonly string[], key: object) => ({
  clients: [
    machine("machine"),
    machine("opaque"),
    { ...machine("introspector"), grant_types: [] },
    {
      client_id: "app",
      token_endpoint_auth_method: "none",
      application_type: "native",
      grant_types: ["authorization_code"],
      redirect_uris: ["http://127.0.0.1/callback"],
      response_types: ["code"],
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ["for tests alone"] },
  pkce: { required: () => true },
  interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_: unknown, resource: string, client: { readonly clientId: string }) => ({
        scope: scopes.join(" "),
        audience: resource,
        accessTokenFormat: client.clientId === "opaque" ? "opaque" : "jwt",
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The page of a person who is called Ada and agrees to everything. */
const agree = async (provider: Provider, scopes: readonly string[], { request, response }: Exchange): Promise<void> => {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  }
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  const wanted = params.scope?.split(" ").filter((scope) => scopes.includes(scope)) ?? [];
  grant.addResourceScope(params.resource ?? "", wanted.join(" "));
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
};

/** Redirects of a login, and some. */
const mostSteps = 12;

/** Goes to a page as a browser does, until it is sent to an address that begins with `until`; gives that. */
export const browse = async (page: URL, until: string): Promise<URL> => {
  const cookies = new Map<string, string>();
  let at = page;
  for (let step = 0; step < mostSteps && !at.href.startsWith(until); step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${at.href}: ${response.status} ${await response.text()}`);
    at = new URL(next, at);
  }
  if (!at.href.startsWith(until)) throw new Error(`sent to ${at.href} instead`);
  return at;
};
