/** Tokens of an identity provider in the first message of a WebSocket: the provider is waited for there. */
import { createTRPCUntypedClient, createWSClient, wsLink } from "@trpc/client";
import { expect, test } from "vitest";
import type { Principal } from "../../call/call.ts";
import type { IdentityRules } from "../../server/guard.ts";
import { startFixture } from "../../testing/wire-fixture.ts";

const down = { code: "unavailable" as const, message: "down", hint: "later", retryable: true };

test("a token of an identity provider that comes with the first message is found out about there", async () => {
  const identified = new Map<string, Principal>();
  const identity: IdentityRules = {
    challenge: () => "Bearer",
    isPublic: () => false,
    identify: (authorization = "") => {
      if (identified.has(authorization) || authorization === "Bearer wrong") return undefined;
      return new Promise((resolve) =>
        setImmediate(() => {
          if (authorization === "Bearer down") return resolve(down);
          identified.set(authorization, { id: "oauth:ada", access: ["read"] });
          resolve(undefined);
        }),
      );
    },
  };
  const { port, close } = await startFixture({
    rules: { authenticate: (sent) => identified.get(sent ?? ""), identity },
  });
  const clients: { close(): unknown }[] = [];
  const query = (sent: string) => {
    const url = `ws://127.0.0.1:${port}/trpc`;
    const client = createWSClient({ url, connectionParams: { token: sent }, retryDelayMs: () => 10 });
    clients.push(client);
    return createTRPCUntypedClient({ links: [wsLink({ client })] }).query("wire.sum", { a: 1, b: 2 });
  };
  expect(await query("ada")).toBe(3);
  await expect(query("wrong")).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });
  await expect(query("down")).rejects.toMatchObject({ data: { code: "SERVICE_UNAVAILABLE", error: down } });
  for (const client of clients) await client.close();
  await close();
});
