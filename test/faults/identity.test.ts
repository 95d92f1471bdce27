/** The kernel as an OAuth 2.1 resource server, with a real provider: tokens of both kinds, scopes, rotation, revocation, and an MCP client that logs in. */
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { createTRPCUntypedClient, createWSClient, wsLink } from "@trpc/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import { browse, type IdentityProvider, introspector, serveIdentityProvider } from "./peers/identity-provider.ts";

const scopes = {
  "probe:read": { access: ["read"], services: ["probe"] },
  "kernel:all": { access: ["read", "call", "admin"], services: ["kernel"] },
};
let provider: IdentityProvider;
let project: RunningProject;

beforeAll(async () => {
  provider = await serveIdentityProvider(Object.keys(scopes));
  project = await startProject({
    identity: { issuer: provider.issuer, scopes, client: introspector, recheckS: 3_600 },
  });
});
afterAll(async () => {
  await project.kernel.close();
  await provider.close();
});

const call = (token: string | undefined, path = "/api/probe/sum?a=1&b=2"): Promise<Response> =>
  fetch(`${project.url}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
const status = async (token: string | undefined, path?: string): Promise<number> => (await call(token, path)).status;

it("challenges who has no token, and says where tokens come from", async () => {
  const refused = await call(undefined);
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  expect(challenge).toContain('scope="probe:read kernel:all"');
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
  expect(metadata).toBe(`${project.url}/.well-known/oauth-protected-resource/api`);
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: `${project.url}/api`,
    authorization_servers: [provider.issuer],
    scopes_supported: Object.keys(scopes),
    bearer_methods_supported: ["header"],
  });
  expect(await status(undefined, "/.well-known/oauth-protected-resource/other")).toBe(404);
});

it.each(["machine", "opaque"])("takes tokens of a machine: %s", async (client) => {
  const token = await provider.token(project.url, "probe:read", client);
  expect(token.split(".")).toHaveLength(client === "machine" ? 3 : 1);
  const answer = await call(token);
  expect([answer.status, await answer.json()]).toEqual([200, 3]);
  const before = provider.requests.length;
  expect(await status(token)).toBe(200);
  expect(provider.requests.length).toBe(before);
});

it("takes no token for another resource, of another key, or that is none", async () => {
  const elsewhere = await provider.token("https://elsewhere.example", "probe:read");
  const [head, body = "", signature] = (await provider.token(project.url, "probe:read")).split(".");
  const claims = { ...JSON.parse(Buffer.from(body, "base64url").toString()), sub: "root" };
  const forged = [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  const unsigned = [Buffer.from('{"alg":"none"}').toString("base64url"), forged.split(".")[1], ""].join(".");
  const wrong = { elsewhere, forged, unsigned, nonsense: "nonsense", dots: "a.b.c" };
  const found = await Promise.all(Object.values(wrong).map((token) => status(token)));
  expect(Object.fromEntries(Object.keys(wrong).map((name, at) => [name, found[at]]))).toEqual(
    Object.fromEntries(Object.keys(wrong).map((name) => [name, 401])),
  );
});

it("gives each scope its own access to its own services", async () => {
  const token = await provider.token(project.url, "probe:read kernel:all");
  expect(await status(token)).toBe(200);
  expect(await status(token, "/api/kernel/services")).toBe(200);
  const reader = await provider.token(project.url, "probe:read");
  const refused = await call(reader, "/api/kernel/services");
  expect(refused.status).toBe(403);
  expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
  expect(await status(await provider.token(project.url, ""))).toBe(403);
});

it("knows a rotated key", async () => {
  await provider.rotate();
  const token = await provider.token(project.url, "probe:read");
  await expect.poll(() => status(token)).toBe(200);
});

it("says that it cannot know while the provider is down, and goes on with who is known", async () => {
  const known = await provider.token(project.url, "probe:read", "opaque");
  expect(await status(known)).toBe(200);
  const unknown = await provider.token(project.url, "probe:read", "opaque");
  provider.isDown = true;
  expect([await status(known), await status(unknown)]).toEqual([200, 503]);
  provider.isDown = false;
  expect(await status(unknown)).toBe(200);
});

it("finds out about a token that comes first in a WebSocket's first message, or with a shutdown", async () => {
  const stopping = await startProject({
    identity: { issuer: provider.issuer, scopes: { "kernel:all": { access: ["read", "admin"] } } },
    admin: { port: 0 },
  });
  const token = () => provider.token(stopping.url, "kernel:all");
  const client = createWSClient({
    url: `${stopping.url.replace("http", "ws")}/trpc`,
    connectionParams: { token: await token() },
  });
  const trpc = createTRPCUntypedClient({ links: [wsLink({ client })] });
  expect(await trpc.query("probe.sum", { a: 1, b: 2 })).toBe(3);
  await client.close();
  const { admin } = await stopping.kernel.serve();
  const shutdown = async (sent: string) =>
    (
      await fetch(`http://127.0.0.1:${admin.port}/shutdown`, {
        method: "POST",
        headers: { authorization: `Bearer ${sent}` },
      })
    ).status;
  expect(await shutdown(await provider.token("https://elsewhere.example", "kernel:all"))).toBe(403);
  expect(await shutdown(await token())).toBe(202);
  await stopping.kernel.stopRequested;
  await stopping.kernel.close();
});

it("takes a token back that was revoked", async () => {
  const short = await startProject({
    identity: { issuer: provider.issuer, scopes, client: introspector, introspection: "always", recheckS: 0.05 },
  });
  const token = await provider.token(short.url, "probe:read", "opaque");
  const look = async () =>
    (await fetch(`${short.url}/api/probe/sum?a=1&b=2`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await look()).toBe(200);
  await provider.revoke(token);
  await expect.poll(look).toBe(401);
  await short.kernel.close();
});

/** What a client keeps between its steps; a person's browser is `browse`. */
class Login implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1/callback";
  readonly clientMetadata = { redirect_uris: [this.redirectUrl], token_endpoint_auth_method: "none" };
  page: URL | undefined;
  #tokens: ReturnType<OAuthClientProvider["tokens"]>;
  #verifier = "";
  clientInformation = () => ({ client_id: "app" });
  tokens = () => this.#tokens;
  saveTokens: OAuthClientProvider["saveTokens"] = (tokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (page: URL) => {
    this.page = page;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

it("lets an MCP client log in, and lists the tools that its scopes allow", async () => {
  const login = new Login();
  const open = () => new StreamableHTTPClientTransport(new URL(`${project.url}/mcp`), { authProvider: login });
  const first = open();
  const client = () => new Client({ name: "identity", version: "1.0.0" });
  await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);
  const page = login.page ?? new URL("about:blank");
  expect(page.searchParams.get("resource")).toBe(`${project.url}/mcp`);
  page.searchParams.set("scope", "probe:read");
  const back = await browse(page, login.redirectUrl);
  await first.finishAuth(back.searchParams);
  const connected = client();
  await connected.connect(open());
  const { tools } = await connected.listTools();
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.filter(({ name }) => name.startsWith("kernel_"))).toEqual([]);
  const response = await fetch(`${project.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await login.tokens())?.access_token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "kernel_services", arguments: {} },
    }),
  });
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([
    403,
    expect.stringContaining("insufficient_scope"),
  ]);
  await connected.close();
});
