/** An app of Next.js with the shipped services in its own router, built and run by Next.js itself. The app is in `test/foreign/next`. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { EventSource } from "eventsource";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @boundaries-ignore the example is what the app is made of
import type { AppRouter } from "../../examples/app/router.ts";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { repository, type Started, start, stop } from "./command.ts";
import { install, shell } from "./packed.ts";

const next = "node_modules/next/dist/bin/next";
const headers = { "x-user": "ada" };

/** In this repository the kernel's own router has the shipped services; a project plugs them in, and has a router of its own. */
const plugInRules = async (folder: string): Promise<void> => {
  const settings = {
    manifest: "./gen/manifest.ts",
    gen: { include: ["@fairlead/service-rules"], loadTimeoutMs: 60_000 },
  };
  await writeFile(join(folder, "fairlead.config.json"), JSON.stringify(settings));
  await shell("npx fairlead gen", folder);
  for (const [name, from, to] of [
    ["router.ts", '"fairlead/router"', '"../gen/router.ts"'],
    ["next.ts", "config: {", 'config: { manifest: "./gen/manifest.ts",'],
  ] as const) {
    const file = join(folder, "fairlead", name);
    await writeFile(file, (await readFile(file, "utf8")).replace(from, to));
  }
};

/** `packed` gives the files of the packages. */
export const describeNextApp = (packed: () => readonly string[]): void => {
  describe("an app of Next.js", () => {
    let app: ForeignProgram;
    let server: Started | undefined;
    let url: string;

    beforeAll(async () => {
      app = await installForeign("next");
      for (const name of ["next.ts", "router.ts"])
        await cp(join(repository, "examples/app", name), join(app.folder, "fairlead", name));
      await install(app.folder, packed());
      await plugInRules(app.folder);
      expect(await app.run(next, "build")).toMatch(/ƒ \/api\/trpc/);
      const command = { bin: next, cwd: app.folder, env: { XDG_STATE_HOME: join(app.folder, "state") } };
      server = start(command, ["start", "--port", "0", "--hostname", "127.0.0.1"]);
      [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.until(/Ready/)) ?? [];
    });
    afterAll(async () => {
      if (server !== undefined) await stop(server);
      await app.remove();
    });

    const open = () =>
      createTRPCClient<AppRouter>({
        links: [
          splitLink({
            condition: ({ type }) => type === "subscription",
            true: httpSubscriptionLink({
              url: `${url}/api/trpc`,
              transformer: superjson,
              EventSource,
              eventSourceOptions: {
                fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
              },
            }),
            false: httpBatchLink({ url: `${url}/api/trpc`, transformer: superjson, headers }),
          }),
        ],
      });

    it("answers its route: a service's procedure and the app's own, in one batch, with superjson", async () => {
      const attack = JSON.parse(await readFile(join(repository, "examples/attack.json"), "utf8"));
      const client = open();
      const [outcome, today] = await Promise.all([
        client.services.rules.resolveAttack.query(attack),
        client.today.query(),
      ]);
      expect(outcome).toMatchObject({ dice: { seed: "aria-and-the-goblin" } });
      expect(today).toEqual({ user: "ada", at: expect.any(Date) });
      // @ts-expect-error that is not an attack
      await expect(client.services.rules.resolveAttack.query({ game: 1 })).rejects.toMatchObject({
        data: { code: "BAD_REQUEST", error: { issues: expect.any(Array) } },
      });
    });

    it("streams a subscription", async () => {
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

    it("renders a page that calls a service in process", async () => {
      expect(await (await fetch(url)).text()).toContain('<p id="total">3</p>');
    });
  });
};
