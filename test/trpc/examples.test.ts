/** The app of `examples/app` behind each of tRPC's adapters, called by tRPC's own client. */
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { EventSource } from "eventsource";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @boundaries-ignore the examples are what is tested
import { createApp as createExpress } from "../../examples/app/express.ts";
// @boundaries-ignore the examples are what is tested
import { createApp as createFastify } from "../../examples/app/fastify.ts";
// @boundaries-ignore the examples are what is tested
import { createRoute } from "../../examples/app/next.ts";
// @boundaries-ignore the examples are what is tested
import { type AppRouter, createAppRouter } from "../../examples/app/router.ts";
// @boundaries-ignore the examples are what is tested
import { createServer } from "../../examples/app/standalone.ts";

const attack = JSON.parse(readFileSync(new URL("../../examples/attack.json", import.meta.url), "utf8"));
let kernel: Kernel;
let router: AppRouter;
beforeAll(async () => {
  kernel = await openKernel({
    env: {},
    config: { only: ["rules"] },
    flags: { lagMs: 60_000, stateDir: mkdtempSync(join(tmpdir(), "fairlead-trpc-app-")) },
    log: makeLog({ level: "error" }),
  });
  router = createAppRouter(kernel);
});
afterAll(() => kernel.close());

interface Served {
  readonly url: string;
  readonly fetch?: typeof fetch;
  close(): unknown;
}

const listening = async (server: Server): Promise<Served> => {
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/trpc`, close: () => server.close().closeAllConnections() };
};

const adapters: Readonly<Record<string, () => Promise<Served>>> = {
  standalone: () => listening(createServer(router).listen(0, "127.0.0.1")),
  Express: () => listening(createExpress(router).listen(0, "127.0.0.1")),
  Fastify: async () => {
    const app = createFastify(router);
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    return { url: `${url}/trpc`, close: () => app.close() };
  },
  "Next.js": async () => {
    const route = createRoute(async () => router);
    return {
      url: "http://app.test/api/trpc",
      fetch: (input, init) => {
        const request = new Request(input, init);
        return request.method === "GET" ? route.GET(request) : route.POST(request);
      },
      close: () => undefined,
    };
  },
};

describe.each(Object.entries(adapters))("in %s", (_, serve) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  const open = (headers: Record<string, string> = { "x-user": "ada" }) => {
    const { url, fetch: request = fetch } = served;
    const authorized = (input: string | URL | Request, init: RequestInit): Promise<Response> =>
      request(input, { ...init, headers: { ...init.headers, ...headers } });
    return createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: ({ type }) => type === "subscription",
          true: httpSubscriptionLink({
            url,
            transformer: superjson,
            EventSource,
            eventSourceOptions: { fetch: authorized },
          }),
          false: httpLink({
            url,
            transformer: superjson,
            fetch: (input, init) => authorized(input, { ...init, signal: init?.signal ?? null }),
          }),
        }),
      ],
    });
  };

  it("a service's procedure and the app's own", async () => {
    const client = open();
    const [outcome, today] = await Promise.all([
      client.services.rules.resolveAttack.query(attack),
      client.today.query(),
    ]);
    expect({ ok: true, value: outcome }).toEqual(await kernel.connect().call("rules.resolveAttack", attack));
    expect(today).toEqual({ user: "ada", at: expect.any(Date) });
  });

  it("errors of both, in one shape", async () => {
    // @ts-expect-error that is not an attack
    await expect(open().services.rules.resolveAttack.query({ game: 1 })).rejects.toMatchObject({
      data: {
        code: "BAD_REQUEST",
        error: { issues: expect.any(Array) },
        zodError: { fieldErrors: expect.any(Object) },
      },
    });
    await expect(open({}).services.rules.resolveAttack.query(attack)).rejects.toMatchObject({
      data: { code: "UNAUTHORIZED" },
    });
  });

  it("a subscription", async () => {
    const first = await new Promise((resolve, reject) => {
      const running = open().services.kernel.events.subscribe(
        { after: 0 },
        {
          onData: ({ data }) => {
            running.unsubscribe();
            resolve(data);
          },
          onError: reject,
        },
      );
    });
    expect(first).toBeDefined();
  });
});
