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
const open = (recheckMs = 1_000, isLocal: (token: string) => boolean = () => false) => {
  let now = 0;
  let recoveries = 0;
  const asked: PromiseWithResolvers<VerifiedToken | undefined>[] = [];
  const failures: unknown[] = [];
  const identity = new Identity({
    verify: () => {
      const answer = Promise.withResolvers<VerifiedToken | undefined>();
      asked.push(answer);
      return answer.promise;
    },
    isLocal,
    principal: ({ claims }) => toPrincipal(claims, { scopes, ...limits }),
    now: () => now,
    recheckMs,
    failed: (cause) => void failures.push(cause),
    recovered: () => {
      recoveries += 1;
    },
  });
  const pass = (ms: number): void => {
    now += ms;
  };
  /** Has a token verified, with that result. */
  const settle = async (token: string, verified: VerifiedToken | undefined): Promise<void> => {
    const identified = identity.identify(`Bearer ${token}`);
    asked.at(-1)?.resolve(verified);
    await identified;
  };
  return { identity, asked, failures, pass, settle, recoveries: () => recoveries };
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

it("forgets no valid token for tokens that are refused, and the one last used last", async () => {
  const { identity, asked, settle } = open();
  await settle("idle", ada());
  await settle("used", ada());
  for (let at = 0; at < 10_001; at += 1) await settle(`wrong${at}`, undefined);
  expect(identity.known("Bearer idle")).toBeDefined();
  for (let at = 0; at < 9_999; at += 1) {
    expect(identity.known("Bearer used")).toBeDefined();
    await settle(`right${at}`, ada());
  }
  expect(identity.known("Bearer used")).toBeDefined();
  expect(identity.known("Bearer idle")).toBeUndefined();
  const before = asked.length;
  expect(identity.identify("Bearer idle")).toBeDefined();
  expect(asked).toHaveLength(before + 1);
});

it("knows that a token is over, without the provider", async () => {
  const { identity, asked, pass, settle } = open(60_000);
  await settle("t", ada(30_000));
  pass(30_000);
  expect([identity.known("Bearer t"), identity.identify("Bearer t")]).toEqual([undefined, undefined]);
  expect(asked).toHaveLength(1);
});

it("waits longer after each failure before it verifies again, and reports an outage once", async () => {
  const { identity, asked, failures, pass, settle, recoveries } = open(20_000);
  await settle("t", ada());
  pass(20_000);
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    expect(identity.known("Bearer t")).toBeDefined();
    const before = asked.length;
    asked.at(-1)?.reject(new Error("down"));
    // Whoever identifies meanwhile waits for no verification; the failure is taken in by then.
    await new Promise((resolve) => setImmediate(resolve));
    pass(pauseMs - 1);
    expect(identity.known("Bearer t")).toBeDefined();
    expect(asked).toHaveLength(before);
    pass(1);
  }
  expect([failures.length, recoveries()]).toEqual([1, 0]);
  expect(identity.known("Bearer t")).toBeDefined();
  asked.at(-1)?.resolve(ada());
  await expect.poll(recoveries).toBe(1);
});

it("says that the provider is unreachable where it failed, whatever with, and keeps the cause for the log", async () => {
  const { identity, asked, failures } = open();
  const identified = identity.identify("Bearer t");
  const cause = new TypeError("fetch failed");
  asked[0]?.reject(cause);
  expect(await identified).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("identity provider"),
  });
  expect(failures).toEqual([cause]);
});

it("verifies known tokens again, and those it needs no request for, while unknown ones take all places", async () => {
  const { identity, asked, pass, settle } = open(1_000, (token) => token.startsWith("local"));
  await settle("t", ada());
  for (let at = 0; at < 64; at += 1) void identity.identify(`Bearer t${at}`);
  expect(await identity.identify("Bearer one-more")).toMatchObject({ code: "unavailable" });
  const full = asked.length;
  pass(1_000);
  expect(identity.known("Bearer t")).toBeDefined();
  expect(asked).toHaveLength(full + 1);
  void identity.identify("Bearer local");
  expect(asked).toHaveLength(full + 2);
});

it("leaves places for others where one address takes many", async () => {
  const { identity, asked } = open();
  for (let at = 0; at < 33; at += 1) void identity.identify(`Bearer t${at}`, "192.0.2.1");
  expect(asked).toHaveLength(32);
  void identity.identify("Bearer other", "192.0.2.2");
  expect(asked).toHaveLength(33);
  asked[0]?.resolve(undefined);
  await expect.poll(() => identity.identify("Bearer t0")).toBeUndefined();
  void identity.identify("Bearer again", "192.0.2.1");
  expect(asked).toHaveLength(34);
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
