/** The generated router inside of an app's own: nested, merged, with the app's context, middlewares, formatter and transformer, and in process. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { errorData, type ProcedureMeta } from "@fairlead/kernel/trpc";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { initTRPC, TRPCError } from "@trpc/server";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import { createRouter } from "../conformance/project/gen/router.ts";

let project: RunningProject;
beforeAll(async () => {
  project = await startProject();
});
afterAll(() => project.kernel.close());

interface Context {
  readonly user: string | undefined;
}
interface Meta extends Partial<ProcedureMeta> {
  readonly audited?: boolean;
}

/** Values in an envelope: what superjson does, in two lines. */
const transformer = {
  serialize: (value: unknown) => ({ wrapped: value }),
  deserialize: (value: unknown) => (value as { wrapped: unknown }).wrapped,
};

/** An app with a router, procedures and middlewares of its own. */
const openApp = () => {
  const seen: Meta[] = [];
  const app = randomUUID();
  const t = initTRPC
    .context<Context>()
    .meta<Meta>()
    .create({
      transformer,
      errorFormatter: ({ shape, error }) => ({ ...shape, data: { ...shape.data, app: "mine", ...errorData(error) } }),
    });
  const known = t.procedure.use(({ ctx, meta, next }) => {
    seen.push(meta ?? {});
    if (ctx.user === undefined) throw new TRPCError({ code: "UNAUTHORIZED", message: "log in first" });
    return next({ ctx: { user: ctx.user } });
  });
  const fairlead = createRouter({
    t,
    dispatch: project.kernel.dispatch,
    procedure: known,
    principal: (ctx) => ({ id: ctx.user.toUpperCase(), access: ctx.user === "ada" ? ["read", "call"] : ["read"] }),
    terms: (_, { batchIndex }) => ({ timeoutMs: 5_000, idempotencyKey: `${app}-${batchIndex}` }),
  });
  const own = t.router({ hello: t.procedure.query(({ ctx }) => `hello ${ctx.user}`) });
  return { t, seen, own, fairlead, router: t.router({ own, deep: t.router({ fairlead }) }) };
};

describe("in process", () => {
  it("a caller calls services and the app's own procedures, typed", async () => {
    const { t, router } = openApp();
    const caller = t.createCallerFactory(router)({ user: "ada" });
    const sum: number = await caller.deep.fairlead.probe.sum({ a: 1, b: 2 });
    expect(sum).toBe(3);
    expect(await caller.own.hello()).toBe("hello ada");
    const paid = await caller.deep.fairlead.probe.pay({ amount: 5 });
    expect(await caller.deep.fairlead.probe.pay({ amount: 5 })).toEqual(paid);
    const values: number[] = [];
    for await (const [, { value }] of (await caller.deep.fairlead.probe.count({ to: 3 })) as AsyncIterable<
      [string, { value: number }]
    >)
      values.push(value);
    expect(values).toEqual([1, 2, 3]);
  });

  it("merged instead of nested", async () => {
    const { t, fairlead, own } = openApp();
    const caller = t.createCallerFactory(t.mergeRouters(own, fairlead))({ user: "ada" });
    expect(await caller.probe.sum({ a: 1, b: 2 })).toBe(3);
    expect(await caller.hello()).toBe("hello ada");
  });

  it("a principal has just its rights; the app's middleware comes first", async () => {
    const { t, router } = openApp();
    const as = (user: string | undefined) => t.createCallerFactory(router)({ user }).deep.fairlead.probe;
    await expect(as("bob").pay({ amount: 1 })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(as(undefined).sum({ a: 1 })).rejects.toMatchObject({ code: "UNAUTHORIZED", message: "log in first" });
  });

  it("middlewares read the contract as meta", async () => {
    const { t, router, seen } = openApp();
    await t.createCallerFactory(router)({ user: "ada" }).deep.fairlead.probe.pay({ amount: 1 });
    expect(seen).toEqual([{ procedure: "probe.pay", access: "call", retry: "keyed", tool: "pay" }]);
  });
});

describe("over the app's own server", () => {
  const serve = async () => {
    const { router, t } = openApp();
    const server = createHTTPServer({
      router,
      createContext: ({ req }) => ({ user: req.headers["x-user"]?.toString() ?? "ada" }),
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createTRPCClient<typeof router>({
      links: [
        splitLink({
          condition: ({ type }) => type === "subscription",
          true: httpSubscriptionLink({ url, EventSource, transformer }),
          false: httpBatchLink({ url, transformer }),
        }),
      ],
    });
    return { client, t, [Symbol.dispose]: () => void server.close().closeAllConnections() };
  };

  it("calls, with the app's transformer and formatter", async () => {
    using app = await serve();
    expect(await app.client.deep.fairlead.probe.sum.query({ a: 1, b: 2 })).toBe(3);
    await expect(app.client.deep.fairlead.probe.sum.query({ a: 999, b: 999 })).rejects.toMatchObject({
      data: { app: "mine", path: "deep.fairlead.probe.sum", error: { reason: "too_big", data: { limit: 1_000 } } },
    });
    // @ts-expect-error `a` is a number
    await expect(app.client.deep.fairlead.probe.sum.query({ a: "x" })).rejects.toMatchObject({
      data: {
        code: "BAD_REQUEST",
        error: { issues: [{ path: "a" }] },
        zodError: { fieldErrors: { a: [expect.any(String)] } },
      },
    });
    const paid = await Promise.all([1, 2].map((amount) => app.client.deep.fairlead.probe.pay.mutate({ amount })));
    expect(paid.map(({ amount }) => amount)).toEqual([1, 2]);
  });

  it("subscriptions", async () => {
    using app = await serve();
    const values = await new Promise<unknown[]>((resolve, reject) => {
      const seen: unknown[] = [];
      app.client.deep.fairlead.probe.count.subscribe(
        { to: 3 },
        { onData: ({ id, data }) => seen.push([id, data.value]), onComplete: () => resolve(seen), onError: reject },
      );
    });
    expect(values).toEqual([
      ["1", 1],
      ["2", 2],
      ["3", 3],
    ]);
  });
});
