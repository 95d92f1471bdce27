/** Which tokens are valid, by a provider that answers what a test says. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { openIdentity } from "./open-identity.ts";
import { openProvider } from "./provider.ts";

const audience = "http://127.0.0.1:1/api";
const client = { id: "introspector", secret: "a secret of the introspector" };
const keys = await generateKeyPair("ES256", { extractable: true });
const documents: Record<string, unknown> = {};
let requests: (string | undefined)[] = [];
let server: Server;
let issuer = "";

beforeAll(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256" };
  server = createServer(({ url }, response) => {
    requests.push(url);
    const document = documents[url ?? ""];
    response.writeHead(document === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(document));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  issuer = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  documents["/keys"] = { keys: [jwk] };
  documents["/.well-known/openid-configuration"] = {
    issuer,
    jwks_uri: `${issuer}/keys`,
    introspection_endpoint: `${issuer}/introspection`,
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const open = (introspection: "opaque" | "always" = "opaque") => {
  const { identity } = readConfig({ flags: { identity: { issuer, scopes: {}, client, introspection } } });
  if (identity === undefined) throw new Error("no identity");
  return { config: identity, ...openProvider({ ...identity, audiences: () => [audience] }) };
};
const sign = (claims: JWTPayload = {}, kid = "one"): Promise<string> =>
  new SignJWT({ iss: issuer, aud: audience, sub: "ada", ...claims })
    .setProtectedHeader({ alg: "ES256", kid })
    .setExpirationTime("1h")
    .sign(keys.privateKey);
const introspected = (answer: object): void => {
  documents["/introspection"] = answer;
};

it("refuses tokens that are bound to a key of their sender", async () => {
  const { verify } = open();
  expect(await verify(await sign())).toBeDefined();
  expect(await verify(await sign({ cnf: { jkt: "x" } }))).toBeUndefined();
  const active = { active: true, aud: audience, sub: "ada" };
  introspected({ ...active, token_type: "Bearer" });
  expect(await verify("opaque")).toBeDefined();
  for (const bound of [{ token_type: "DPoP" }, { cnf: { "x5t#S256": "x" } }]) {
    introspected({ ...active, ...bound });
    expect(await verify("opaque")).toBeUndefined();
  }
});

it.each([
  ["says no audience", { active: true }, true],
  ["says the same", { active: true, sub: "ada", aud: ["other", audience] }, true],
  ["says another subject", { active: true, sub: "bob" }, false],
  ["says another issuer", { active: true, iss: "https://other.example" }, false],
  ["says another audience", { active: true, aud: "other" }, false],
  ["says that it was revoked", { active: false }, false],
])("where the answer about a JWT %s", async (_, answer, isValid) => {
  introspected(answer);
  expect((await open("always").verify(await sign())) !== undefined).toBe(isValid);
});

it("takes no opaque token for no audience", async () => {
  introspected({ active: true, sub: "ada" });
  expect(await open().verify("opaque")).toBeUndefined();
});

it("knows for which tokens it sends no request", async () => {
  const { verify, isLocal } = open();
  const token = await sign();
  expect(isLocal(token)).toBe(false);
  await verify(token);
  expect([isLocal(token), isLocal(await sign({}, "two")), isLocal("opaque"), isLocal("a.b.c")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  requests = [];
  expect(await verify(await sign({ sub: "bob" }))).toBeDefined();
  expect(requests).toEqual([]);
  const always = open("always");
  introspected({ active: true });
  await always.verify(token);
  expect(always.isLocal(token)).toBe(false);
});

it("says in the log why the provider could not be asked, once, and nothing secret", async () => {
  introspected({ is: "no answer", about: "ada" });
  const logged: unknown[] = [];
  const identity = openIdentity(open().config, (...line) => void logged.push(line));
  identity.listensAt("http://127.0.0.1:1");
  for (const token of ["first", "second"]) {
    expect(await identity.identify(`Bearer ${token}`)).toMatchObject({ code: "unavailable" });
  }
  expect(logged).toEqual([
    [
      "warn",
      "the identity provider could not be asked",
      { issuer, cause: [expect.stringContaining('"active" property must be a boolean')] },
    ],
  ]);
  introspected({ active: false });
  expect(await identity.identify("Bearer third")).toBeUndefined();
  expect(logged.at(-1)).toEqual(["info", "the identity provider answers again", { issuer }]);
});

it("accepts no token while it is not known where the server listens", async () => {
  const identity = openIdentity(open().config, () => undefined);
  introspected({ active: true, sub: "ada", aud: ["", "/", "/api"] });
  await identity.identify("Bearer early");
  expect(identity.known("Bearer early")).toBeUndefined();
});
