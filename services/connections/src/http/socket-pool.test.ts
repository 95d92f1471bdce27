/** The first socket: opened before there is a request, taken by it, and no fault of a request when it cannot be had. */
import { createServer as createPlain, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localhost } from "../testing/localhost.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { RequestError } from "./request-error.ts";

const before = getCACertificates("default");
const servers: Server[] = [];
let opened: number;
let web: HttpClient;

const serve = async (secure: boolean): Promise<URL> => {
  const server = secure ? createSecure(localhost) : createPlain();
  server.on("request", (_, response) => void response.end("there"));
  server.on(secure ? "secureConnection" : "connection", () => {
    opened += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return new URL(`${secure ? "https" : "http"}://localhost:${port}/mcp`);
};

beforeEach(() => {
  opened = 0;
  web = createHttpClient({ scope: "anywhere", connectMs: 60_000 });
});
afterEach(() => {
  web.close();
  setDefaultCACertificates([...before]);
  for (const server of servers.splice(0)) server.close();
});

describe("the first socket", () => {
  it.each([false, true])("is the one that the first request takes (secure: %s)", async (secure) => {
    setDefaultCACertificates([...before, localhost.cert]);
    const url = await serve(secure);
    await web.connect(url);
    expect(await (await web.fetch(url)).text()).toBe("there");
    expect(await (await web.fetch(url)).text()).toBe("there");
    expect(opened).toBe(1);
  });

  it("reports that no program listens, or that one cannot be trusted", async () => {
    const unknown = await serve(true);
    const gone = await serve(false);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await expect(web.connect(gone)).rejects.toMatchObject({ code: "ECONNREFUSED", sent: false });
    await expect(web.connect(unknown)).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT", sent: false });
    await expect(web.connect(gone)).rejects.toBeInstanceOf(RequestError);
  });

  it("is held to the rules for a caller's addresses", async () => {
    const url = await serve(false);
    const held = createHttpClient({
      scope: "loopback",
      connectMs: 60_000,
      resolve: (_, __, found) => found(null, inside),
    });
    await expect(held.connect(url)).rejects.toMatchObject({ code: "EADDRESS" });
    await expect(held.connect(new URL("http://169.254.169.254/"))).rejects.toMatchObject({ code: "EADDRESS" });
    expect(opened).toBe(0);
    held.close();
  });

  it("that broke before it was taken is replaced", async () => {
    const url = await serve(false);
    await web.connect(url);
    servers[0]?.closeAllConnections();
    await expect.poll(async () => (await web.fetch(url).catch(() => undefined))?.status).toBe(200);
  });

  it("that is being opened goes with the rest", async () => {
    const url = await serve(false);
    const reaching = web.connect(url);
    web.close();
    await expect(reaching).rejects.toBeInstanceOf(RequestError);
  });
});

const inside = [{ address: "10.0.0.1", family: 4 }];
