/**
 * An MCP server that wants tokens, and the authorization server that gives them: metadata, registration, a page that agrees at once,
 * codes with PKCE, and tokens that can be made to run out.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServedPeer, serveV1 } from "./v1.ts";

export interface GuardedPeer {
  readonly url: string;
  /** Tokens given so far, the latest last. */
  readonly given: readonly string[];
  /** Clients that have registered. */
  readonly clients: () => number;
  /** Scopes that logins have asked for, the latest last. */
  readonly asked: readonly string[];
  /** What has come as `authorization` of requests for tokens. */
  readonly proofs: readonly string[];
  /** No token is taken any more, as if all had run out; refresh tokens are. */
  expire(): void;
  /** Nothing is taken any more. */
  revoke(): void;
  close(): Promise<void>;
}

export interface GuardedOptions {
  /** The scope that a call of `count` wants. */
  readonly wider?: string;
  /** The only client there is; nobody can register. */
  readonly known?: { readonly id: string; readonly secret: string };
}

export const serveGuarded = async ({ wider, known }: GuardedOptions = {}): Promise<GuardedPeer> => {
  const behind: ServedPeer = await serveV1();
  const given: string[] = [];
  const asked: string[] = [];
  const proofs: string[] = [];
  /** Tokens, with the scopes they give. */
  const valid = new Map<string, string>();
  const refreshable = new Set<string>();
  const codes = new Map<string, string>();
  let clients = 0;
  let origin = "";

  const json = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };

  const grant = (response: ServerResponse, scope: string): void => {
    const token = randomUUID();
    const refresh = randomUUID();
    given.push(token);
    valid.set(token, scope);
    refreshable.add(refresh);
    json(response, 200, { access_token: token, token_type: "Bearer", expires_in: 3_600, refresh_token: refresh });
  };

  const token = (form: URLSearchParams, response: ServerResponse, client: string | undefined): void => {
    if (client !== undefined) proofs.push(client);
    if (known !== undefined && client !== `Basic ${btoa(`${known.id}:${known.secret}`)}`) {
      json(response, 401, { error: "invalid_client" });
      return;
    }
    if (form.get("grant_type") === "refresh_token") {
      if (refreshable.delete(form.get("refresh_token") ?? "")) grant(response, asked.at(-1) ?? "");
      else json(response, 400, { error: "invalid_grant" });
      return;
    }
    const challenge = codes.get(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    codes.delete(form.get("code") ?? "");
    if (challenge === proof) grant(response, asked.at(-1) ?? "");
    else json(response, 400, { error: "invalid_grant" });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", origin);
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource":
      case "/.well-known/oauth-protected-resource/mcp":
        return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      case "/.well-known/oauth-authorization-server":
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(known === undefined && { registration_endpoint: `${origin}/register` }),
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: [known === undefined ? "none" : "client_secret_basic"],
          authorization_response_iss_parameter_supported: true,
        });
      case "/register": {
        clients += 1;
        const asked = JSON.parse(await textOf(request));
        return json(response, 201, { ...asked, client_id: `client-${clients}` });
      }
      case "/authorize": {
        const code = randomUUID();
        asked.push(url.searchParams.get("scope") ?? "");
        codes.set(code, url.searchParams.get("code_challenge") ?? "");
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        back.searchParams.set("iss", origin);
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case "/token":
        return token(new URLSearchParams(await textOf(request)), response, request.headers.authorization);
      case "/mcp":
        return guard(request, response, valid.get((request.headers.authorization ?? "").replace(/^Bearer /, "")));
      default:
        json(response, 404, {});
    }
  };

  const guard = async (
    request: IncomingMessage,
    response: ServerResponse,
    scope: string | undefined,
  ): Promise<void> => {
    const where = `resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
    const body = await textOf(request);
    if (scope === undefined) {
      response.writeHead(401, { "www-authenticate": `Bearer ${where}, scope="basic"` }).end();
    } else if (wider !== undefined && body.includes('"count"') && !scope.split(" ").includes(wider)) {
      const want = `Bearer error="insufficient_scope", scope="${wider}", ${where}`;
      response.writeHead(403, { "www-authenticate": want }).end();
    } else pass(request, response, body);
  };

  const pass = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { method, headers } = request;
    const onwards = httpRequest(behind.url, { ...(method !== undefined && { method }), headers });
    onwards.on("error", () => response.destroy());
    onwards.on("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    response.on("close", () => onwards.destroy());
    onwards.end(body);
  };

  const server = createServer((request, response) => void answer(request, response));
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    given,
    asked,
    proofs,
    clients: () => clients,
    expire: () => valid.clear(),
    revoke: () => {
      valid.clear();
      refreshable.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await behind.close();
    },
  };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
};
