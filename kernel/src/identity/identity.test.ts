import { FairleadError } from "@fairlead/contracts";
import { expect, it } from "vitest";
import { isGranted } from "../call/call.ts";
import { toPrincipal } from "./grants.ts";
import { Identity } from "./identity.ts";
import type { VerifiedToken } from "./provider.ts";

const limits = { perSecond: 10, concurrent: 2 };
const scopes = {
  read: { access: ["read" as const], services: ["rules"] },
  run: { access: ["call" as const], services: ["loop"] },
  all: { access: ["admin" as const] },
};

/** A clock and a provider of the test's own: each verification waits until it is answered. */
const open = (recheckMs = 1_000) => {
  let now = 0;
  const asked: PromiseWithResolvers<VerifiedToken | undefined>[] = [];
  const failures: unknown[] = [];
  const identity = new Identity({
    verify: () => {
      const answer = Promise.withResolvers<VerifiedToken | undefined>();
      asked.push(answer);
      return answer.promise;
    },
    principal: ({ claims }) => toPrincipal(claims, { scopes, ...limits }),
    now: () => now,
    recheckMs,
    failed: (cause) => void failures.push(cause),
  });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { identity, asked, failures, pass };
};
const ada = (expiresAt = 1_000_000): VerifiedToken => ({ claims: { sub: "ada", scope: "read" }, expiresAt });
const down = () => new FairleadError({ code: "unavailable", message: "down" });

it("verifies a token once for all who wait, and keeps the verdict until the token expires", async () => {
  const { identity, asked, pass } = open(60_000);
  const waiting = [identity.identify("Bearer t"), identity.identify("bearer t")];
  asked[0]?.resolve(ada(30_000));
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  expect(asked).toHaveLength(1);
  expect(identity.identify("Bearer t")).toBeUndefined();
  expect(identity.known("Bearer t")).toMatchObject({ id: "oauth:ada", services: ["rules"] });
  pass(30_000);
  expect(identity.known("Bearer t")).toBeUndefined();
});

it("does not verify a wrong token again at once", async () => {
  const { identity, asked, pass } = open();
  const verified = identity.identify("Bearer wrong");
  asked[0]?.resolve(undefined);
  await verified;
  expect([identity.known("Bearer wrong"), identity.identify("Bearer wrong")]).toEqual([undefined, undefined]);
  pass(5_000);
  expect(identity.identify("Bearer wrong")).toBeDefined();
});

it("looks again, and ends what was revoked or could not be looked at for long", async () => {
  const { identity, asked, failures, pass } = open(1_000);
  const first = identity.identify("Bearer t");
  asked[0]?.resolve(ada());
  await first;
  pass(1_000);
  expect(identity.known("Bearer t")).toBeDefined();
  asked[1]?.reject(down());
  await expect.poll(() => failures).toHaveLength(1);
  pass(8_999);
  expect(identity.known("Bearer t")).toBeDefined();
  pass(1);
  expect(identity.known("Bearer t")).toBeUndefined();
  const again = identity.identify("Bearer t");
  asked[2]?.resolve(undefined);
  expect(await again).toBeUndefined();
  expect(identity.known("Bearer t")).toBeUndefined();
});

it("says that it cannot know, and bounds what it asks the provider at once", async () => {
  const { identity, asked } = open();
  const verified = identity.identify("Bearer t");
  asked[0]?.reject(down());
  expect(await verified).toMatchObject({ code: "unavailable", message: "down" });
  for (let at = 0; at < 64; at += 1) void identity.identify(`Bearer t${at}`);
  expect(await identity.identify("Bearer one-more")).toMatchObject({ code: "unavailable" });
  expect(asked).toHaveLength(65);
});

it("gives each scope what it allows and no sum of them", () => {
  const principal = toPrincipal({ sub: "ada", scope: "read run unknown" }, { scopes, ...limits });
  if (principal === undefined) throw new Error("no principal");
  const may = (level: "read" | "call" | "admin", service?: string) => isGranted(principal, level, service);
  expect([may("read", "rules"), may("call", "loop"), may("call", "rules"), may("read", "loop")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const both = toPrincipal({ sub: "ada", scp: ["read", "all"] }, { scopes, ...limits });
  expect(both).toMatchObject({ access: ["read", "admin"] });
  expect(both).not.toHaveProperty("services");
  expect(toPrincipal({ client_id: "m" }, { scopes, ...limits })).toMatchObject({
    id: "oauth:m",
    access: [],
    services: [],
  });
  expect(toPrincipal({ scope: "read" }, { scopes, ...limits })).toBeUndefined();
  expect(toPrincipal({ sub: "local line\n" }, { scopes, ...limits })?.id).toMatch(/^oauth:[\w-]{43}$/);
});
