/** Redirects that lead on, round in circles, and inside: the corpus of what may be followed. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { closeHttpClients, createHttpClients, fetchByOrigin, type HttpClients } from "./http-clients.ts";
import { maxRedirects } from "./redirects.ts";

let server: Server;
let origin: string;
let asked: string[] = [];
let webs: HttpClients;

/** `/hops/2` leads to `/hops/1`; `/to?status=302&where=…` leads there. */
beforeAll(async () => {
  server = createServer(({ method, url = "" }, response) => {
    asked.push(`${method} ${url}`);
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const hops = Number(pathname.split("/")[2] ?? 0);
    const where = searchParams.get("where") ?? (hops > 0 ? `/hops/${hops - 1}` : undefined);
    if (where === undefined) response.end("here");
    else response.writeHead(Number(searchParams.get("status") ?? 307), { location: where }).end("elsewhere");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  webs = createHttpClients(new URL(origin), { trusted: true, connectMs: 60_000 });
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  closeHttpClients(webs);
  server.close();
});

const send = (path: string, method = "POST"): Promise<Response> =>
  Promise.resolve(fetchByOrigin(origin, webs)(`${origin}${path}`, { method, redirect: "manual" }));

it("are followed within the origin, three of them", async () => {
  expect(await (await send(`/hops/${maxRedirects}`)).text()).toBe("here");
  expect(asked).toEqual(["POST /hops/3", "POST /hops/2", "POST /hops/1", "POST /hops/0"]);
});

it.each(["/hops/4", "/hops/50", "/to?where=/to%3Fwhere=/hops/9"])("are too many: %s", async (path) => {
  await expect(send(path)).rejects.toMatchObject({ code: "EREDIRECT", sent: true });
  expect(asked).toHaveLength(maxRedirects + 1);
});

const elsewhere = [
  "http://169.254.169.254/latest/meta-data/",
  "//169.254.169.254/",
  "\\\\169.254.169.254/",
  "http://10.0.0.1/",
  "http://[::ffff:10.0.0.1]/",
  "http://0x7f000001:1/",
  "http://localhost:1/",
  "https://127.0.0.1/",
  "https://metadata.example/",
  "file:///etc/passwd",
  "javascript:alert(1)",
];

it.each(elsewhere.flatMap((where) => [301, 302, 303, 307, 308].map((status) => ({ where, status }))))(
  "are not followed to $where ($status)",
  async ({ where, status }) => {
    for (const method of ["GET", "POST"]) {
      const answer = await send(`/to?status=${status}&where=${encodeURIComponent(where)}`, method);
      expect(answer.status).toBe(status);
    }
    expect(asked).toHaveLength(2);
  },
);

it.each([301, 302, 303])("are not followed when the method would be lost: %i", async (status) => {
  expect((await send(`/to?status=${status}&where=/hops/0`)).status).toBe(status);
  expect(await (await send(`/to?status=${status}&where=/hops/0`, "GET")).text()).toBe("here");
});

it("are not followed to a place that wants a password", async () => {
  const where = encodeURIComponent(`${origin.replace("//", "//me:secret@")}/hops/0`);
  expect((await send(`/to?where=${where}`)).status).toBe(307);
  expect(asked).toHaveLength(1);
});

it("what an upstream on this machine names may be here, too; what one from outside names may not", async () => {
  const neighbour = new URL("http://localhost:1/");
  const near = createHttpClients(neighbour, { trusted: false, connectMs: 60_000 });
  expect(await (await fetchByOrigin(neighbour.origin, near)(`${origin}/hops/0`)).text()).toBe("here");
  const outside = new URL("https://mcp.example/");
  const far = createHttpClients(outside, { trusted: true, connectMs: 60_000 });
  const refused = Promise.resolve(fetchByOrigin(outside.origin, far)(`${origin}/hops/0`));
  await expect(refused).rejects.toMatchObject({ code: "EADDRESS", sent: false });
  expect(asked).toHaveLength(1);
  closeHttpClients(near);
  closeHttpClients(far);
});
