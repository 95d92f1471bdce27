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
  /** No token is taken any more, as if all had run out; refresh tokens are. */
  expire(): void;
  /** Nothing is taken any more. */
  revoke(): void;
  close(): Promise<void>;
}

export const serveGuarded = async (): Promise<GuardedPeer> => {
  const behind: ServedPeer = await serveV1();
  const given: string[] = [];
  const valid = new Set<string>();
  const refreshable = new Set<string>();
  const codes = new Map<string, string>();
  let clients = 0;
  let origin = "";

  const json = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };

  const grant = (response: ServerResponse): void => {
    const token = randomUUID();
    const refresh = randomUUID();
    given.push(token);
    valid.add(token);
    refreshable.add(refresh);
    json(response, 200, { access_token: token, token_type: "Bearer", expires_in: 3_600, refresh_token: refresh });
  };

  const token = (form: URLSearchParams, response: ServerResponse): void => {
    if (form.get("grant_type") === "refresh_token") {
      if (refreshable.delete(form.get("refresh_token") ?? "")) grant(response);
      else json(response, 400, { error: "invalid_grant" });
      return;
    }
    const challenge = codes.get(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    codes.delete(form.get("code") ?? "");
    if (challenge === proof) grant(response);
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
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
        });
      case "/register": {
        clients += 1;
        const asked = JSON.parse(await textOf(request));
        return json(response, 201, { ...asked, client_id: `client-${clients}` });
      }
      case "/authorize": {
        const code = randomUUID();
        codes.set(code, url.searchParams.get("code_challenge") ?? "");
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        back.searchParams.set("iss", origin);
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case "/token":
        return token(new URLSearchParams(await textOf(request)), response);
      case "/mcp":
        if (!valid.has((request.headers.authorization ?? "").replace(/^Bearer /, ""))) {
          const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
          request.resume();
          response.writeHead(401, { "www-authenticate": where }).end();
          return;
        }
        return pass(request, response);
      default:
        json(response, 404, {});
    }
  };

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, headers } = request;
    const onwards = httpRequest(behind.url, { ...(method !== undefined && { method }), headers });
    onwards.on("error", () => response.destroy());
    onwards.on("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    response.on("close", () => onwards.destroy());
    request.pipe(onwards);
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    given,
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
