/** The console's files and sessions, over the wire of a kernel that has tokens and of one that has none. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Kernel, openKernel } from "../../boot/kernel.ts";
import { sha256 } from "../../config/tokens/token.ts";
import { raw, send, type WireAnswer } from "../../testing/wire-fixture.ts";

const opened: Kernel[] = [];
afterAll(async () => {
  for (const kernel of opened.splice(0)) await kernel.close();
});

const script = "console.log('a page');".repeat(40);

const builtPages = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "fl-pages-"));
  mkdirSync(join(folder, "dist", "assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "not a page");
  writeFileSync(join(folder, "dist", "index.html"), '<!doctype html><style nonce="__CSP_NONCE__"></style>');
  writeFileSync(join(folder, "dist", "assets", "main-1a2b.js"), script);
  writeFileSync(join(folder, "dist", "assets", "main-1a2b.js.gz"), gzipSync(script));
  return join(folder, "dist");
};

const start = async (options: { readonly console?: string; readonly tokens?: readonly object[] } = {}) => {
  const stateDir = mkdtempSync(join(tmpdir(), "fl-console-"));
  const kernel = await openKernel({
    services: [],
    config: { tokens: options.tokens ?? [] },
    flags: { port: 0, lagMs: 60_000, stateDir },
    env: {},
    log: () => {},
    ...(options.console !== undefined && { console: options.console }),
  });
  opened.push(kernel);
  const { port } = await kernel.serve();
  return { port, host: `127.0.0.1:${port}` };
};

const tokens = [
  { name: "reader", sha256: sha256("reader"), access: ["read"] },
  { name: "chief", sha256: sha256("chief"), access: ["read", "call", "admin"] },
];

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const ask = (port: number, path: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<WireAnswer> =>
  send(port, {
    path,
    method: body === undefined ? method : "POST",
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

describe("the files", () => {
  let port = 0;
  beforeAll(async () => {
    ({ port } = await start({ console: builtPages(), tokens }));
  });

  test("come without a token, each page with a nonce of its own and a policy that allows no inline script", async () => {
    const pages = await Promise.all(
      ["/console", "/console/", "/console/contracts/kernel.services"].map((path) => ask(port, path)),
    );
    const nonces = pages.map(({ text }) => /nonce="([^"]+)"/.exec(text)?.[1] ?? "");
    expect(new Set(nonces).size).toBe(3);
    for (const [at, { status, headers }] of pages.entries()) {
      expect(status).toBe(200);
      expect(headers["content-security-policy"]).toContain(
        `default-src 'self'; style-src 'self' 'nonce-${nonces[at]}'`,
      );
      expect(headers["content-security-policy"]).not.toContain("unsafe");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  test("are compressed where that is taken, and known by a strong tag", async () => {
    const path = "/console/assets/main-1a2b.js";
    const plain = await ask(port, path);
    expect(plain.text).toBe(script);
    expect(plain.headers["cache-control"]).toContain("immutable");
    const small = await ask(port, path, { headers: { "accept-encoding": "br;q=0, gzip, deflate" } });
    expect(small.headers["content-encoding"]).toBe("gzip");
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    expect((await ask(port, path, { headers: { "accept-encoding": "gzip;q=0" } })).headers["content-encoding"]).toBe(
      undefined,
    );
    const again = await ask(port, path, { headers: { "if-none-match": String(plain.headers.etag) } });
    expect([again.status, again.text, String(plain.headers.etag).startsWith("W/")]).toEqual([304, "", false]);
    const head = await ask(port, path, { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", String(script.length)]);
  });

  test.each([
    "/console/../secret.txt",
    "/console/%2e%2e/secret.txt",
    "/console/..%2fsecret.txt",
    "/console/assets/../../secret.txt",
    "/console/..\\secret.txt",
    "/console/%5c..%5csecret.txt",
    "/console/index.html",
    "/console/assets/main-1a2b.js.gz",
    "/console/assets/none.js",
    "/console/.%00/secret.txt",
  ])("nothing else does: %s", async (path) => {
    const answer = raw(port, `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
    const text = await answer.ended;
    expect(text).not.toContain("not a page");
    expect(text).not.toContain(script.slice(0, 20));
    expect(text).not.toContain("__CSP_NONCE__");
  });

  test("are only read, by pages of this server and under its own name", async () => {
    expect((await ask(port, "/console", { method: "DELETE" })).status).toBe(405);
    expect((await ask(port, "/console", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask(port, "/console", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await ask(port, "/consolex")).status).toBe(401);
  });

  test("that were not built are missed in a sentence that says what to run", async () => {
    const unbuilt = await start({ console: join(tmpdir(), "no-pages-here") });
    const { status, text } = await ask(unbuilt.port, "/console");
    expect([status, text]).toEqual([503, expect.stringContaining("npm run build -w @fairlead/console")]);
    const without = await ask((await start()).port, "/console");
    expect([without.status, without.text]).toEqual([503, expect.stringContaining("`fairlead up`")]);
  });
});

describe("a session", () => {
  let port = 0;
  let host = "";
  beforeAll(async () => {
    ({ port, host } = await start({ console: builtPages(), tokens }));
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const stats = "/api/kernel/stats";
  const page = { "fairlead-console": "1" };

  const makeLink = async (token: string): Promise<string> => {
    const { text } = await ask(port, "/console/session", { headers: bearer(token), body: { link: true } });
    return String(JSON.parse(text).path.split("#link=")[1]);
  };
  const signIn = async (code: string) => {
    const answer = await ask(port, "/console/session", { body: { code } });
    const [cookie = ""] = String(answer.headers["set-cookie"]).split(";");
    return { ...answer, cookie };
  };

  test("opens with a link, once", async () => {
    const code = await makeLink("chief");
    const { status, headers, cookie } = await signIn(code);
    expect(status).toBe(200);
    expect(String(headers["set-cookie"])).toMatch(
      /^fairlead-console-\d+=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(cookie).toContain(`-${port}=`);
    expect((await ask(port, stats, { headers: { cookie, ...page } })).status).toBe(200);
    expect((await signIn(code)).status).toBe(401);
  });

  test("counts only with the header that pages of this server send", async () => {
    const { cookie } = await signIn(await makeLink("chief"));
    expect((await ask(port, stats, { headers: { cookie } })).status).toBe(401);
    const foreign = { cookie, ...page, origin: "http://evil.example", host };
    expect((await ask(port, stats, { headers: foreign })).status).toBe(403);
    expect((await ask(port, stats, { headers: { cookie: "fairlead-console-1=x", ...page } })).status).toBe(401);
  });

  test("of a token that reads may not act", async () => {
    const { cookie } = await signIn(await makeLink("reader"));
    const headers = { cookie, ...page };
    expect((await ask(port, "/api/kernel/services", { headers })).status).toBe(200);
    expect((await ask(port, "/api/kernel/restart", { headers, body: { service: "kernel" } })).status).toBe(403);
  });

  test("ends when it is asked to, and takes its cookie along", async () => {
    const { cookie } = await signIn(await makeLink("chief"));
    const ended = await ask(port, "/console/session", { headers: { cookie, ...page }, body: { end: true } });
    expect(String(ended.headers["set-cookie"])).toContain("Max-Age=0");
    expect((await ask(port, stats, { headers: { cookie, ...page } })).status).toBe(401);
  });

  test.each([
    ["there is no token", {}, { link: true }, 401],
    ["the token is unknown", { authorization: "Bearer other" }, { open: true }, 401],
    ["the code is made up", {}, { code: "x".repeat(43) }, 401],
    ["the body says nothing", { authorization: "Bearer chief" }, {}, 400],
  ])("does not open where %s", async (_, headers, body, status) => {
    expect((await ask(port, "/console/session", { headers, body })).status).toBe(status);
  });

  test("cannot be asked for by a form of another page", async () => {
    const form = { "content-type": "text/plain", ...bearer("chief") };
    const answer = await send(port, { path: "/console/session", method: "POST", headers: form, body: '{"link":true}' });
    expect(answer.status).toBe(415);
    expect((await ask(port, "/console/session")).status).toBe(405);
  });
});

test("without tokens everybody on loopback is let in", async () => {
  const { port } = await start({ console: builtPages() });
  expect((await ask(port, "/api/kernel/services")).status).toBe(200);
  expect((await ask(port, "/console/session", { body: { open: true } })).status).toBe(200);
  // The cookie of a kernel that was here before, with tokens or a link.
  const headers = { cookie: `fairlead-console-${port}=${"x".repeat(43)}`, "fairlead-console": "1" };
  expect((await ask(port, "/api/kernel/services", { headers })).status).toBe(200);
});
