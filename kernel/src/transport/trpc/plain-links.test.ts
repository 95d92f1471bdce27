/** What tRPC's own batch link sends without any option: long addresses, many calls, one key for all of them. */
import { createTRPCUntypedClient, httpBatchLink, httpBatchStreamLink } from "@trpc/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fixture, post, startFixture } from "../../testing/wire-fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.seen.paid = 0;
});

const url = () => `${fixture.url}/trpc`;
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe.each([
  ["httpBatchLink", httpBatchLink],
  ["httpBatchStreamLink", httpBatchStreamLink],
] as const)("%s({ url })", (_, link) => {
  const client = () => createTRPCUntypedClient({ links: [link({ url: url() })] });

  test("25 small calls in one tick", async () => {
    const open = client();
    expect(await Promise.all(times(25, (a) => open.query("wire.sum", { a, b: 1 })))).toEqual(times(25, (a) => a + 1));
  });

  test("15 calls of a kilobyte in one tick", async () => {
    const open = client();
    const items = times(400, () => 1);
    expect(await Promise.all(times(15, () => open.query("wire.list", { items })))).toEqual(times(15, () => 400));
  });

  test("more than a batch may have: the answer names the option", async () => {
    const open = client();
    const [first] = await Promise.allSettled(times(101, (a) => open.query("wire.sum", { a, b: 1 })));
    expect(first).toMatchObject({
      reason: { data: { code: "BAD_REQUEST", error: { hint: expect.stringContaining("maxItems: 100") } } },
    });
  });

  test("an address that is too long: the answer names the option", async () => {
    const open = client();
    const items = times(5_000, () => 1);
    const [first] = await Promise.allSettled(times(3, () => open.query("wire.list", { items })));
    expect(first).toMatchObject({
      reason: { data: { httpStatus: 414, error: { hint: expect.stringMatching(/methodOverride.+maxURLLength/) } } },
    });
  });
});

describe("keys of a batch", () => {
  const pay = (headers: Record<string, string>, inputs: readonly unknown[] = [{}, {}, {}]) =>
    post(
      fixture.port,
      `/trpc/${inputs.map(() => "wire.pay").join(",")}?batch=1`,
      JSON.stringify(Object.fromEntries(inputs.entries())),
      headers,
    );
  const values = (list: readonly unknown[]) => list.map((data) => ({ result: { data } }));

  test("one header for several operations is a key for each; the same batch again repeats none", async () => {
    const headers = { "idempotency-key": "one-header" };
    const first = await pay(headers, [{}, { note: 1 }, {}]);
    expect(first.json).toEqual(values([1, 2, 3]));
    expect((await pay(headers, [{}, { note: 1 }, {}])).json).toEqual(first.json);
    expect(fixture.seen.paid).toBe(3);
    const long = { "idempotency-key": "x".repeat(255) };
    expect((await pay(long)).json).toEqual((await pay(long)).json);
  });

  test("one header for the only keyed operation is its key, wherever it is", async () => {
    const headers = { "idempotency-key": "only" };
    const mixed = await post(fixture.port, "/trpc/wire.work,wire.pay?batch=1", '{"0":{"fail":false},"1":{}}', headers);
    expect(mixed.json).toEqual(values([42, 1]));
    expect((await post(fixture.port, "/trpc/wire.pay", "{}", headers)).json).toEqual({ result: { data: 1 } });
  });

  test("a list has one for each operation", async () => {
    const first = await pay({ "fairlead-idempotency-keys": "a,b%2Cc,d" });
    expect(first.json).toEqual(values([1, 2, 3]));
    expect((await post(fixture.port, "/trpc/wire.pay", "{}", { "idempotency-key": "b,c" })).json).toEqual({
      result: { data: 2 },
    });
    expect((await pay({ "fairlead-idempotency-keys": "a,,d" })).json).toEqual(values([1, 4, 3]));
  });

  test.each(["a,b", "a,b,c,d", "a,%zz,c", "a,b c,d"])("%s is not a list for three operations", async (list) => {
    expect(await pay({ "fairlead-idempotency-keys": list })).toMatchObject({
      status: 400,
      json: { error: { data: { error: { issues: [{ path: "fairlead-idempotency-keys" }] } } } },
    });
  });
});
