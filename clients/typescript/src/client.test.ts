import { describe, expect, test } from "vitest";
import { type ClientOptions, type Clock, createClient } from "./client.ts";
import { ClientError, isReason, type WireError } from "./error.ts";
import { type DiceTypes, dice } from "./testing/fixture.ts";
import type { Attempt, StreamItem, Transport } from "./transport.ts";

type Step =
  | WireError
  | { readonly value: unknown }
  | { readonly items: readonly StreamItem[]; readonly broke?: WireError };

const down: WireError = { code: "unavailable", message: "down", retryable: true };

/** A transport that plays a list of steps, and a clock whose pauses take no time. */
const stage = (...steps: Step[]) => {
  const attempts: Attempt[] = [];
  const pauses: number[] = [];
  let time = 0;
  const next = (attempt: Attempt): Step => {
    attempts.push(attempt);
    return steps[attempts.length - 1] ?? down;
  };
  const fail = (wire: WireError, attempt: Attempt): ClientError => new ClientError(wire, attempt.procedure.name);
  const transport: Transport = {
    async call(attempt) {
      const step = next(attempt);
      if ("code" in step) throw fail(step, attempt);
      return "value" in step ? step.value : undefined;
    },
    async *subscribe(attempt) {
      const step = next(attempt);
      if ("code" in step) throw fail(step, attempt);
      if ("items" in step) {
        yield* step.items;
        if (step.broke !== undefined) throw fail(step.broke, attempt);
      }
    },
  };
  const clock: Clock = {
    now: () => time,
    sleep: async (ms) => {
      pauses.push(ms);
      time += ms;
    },
    random: () => 0.5,
  };
  const client = (options: ClientOptions = {}) => createClient<DiceTypes>(dice, transport, { clock, ...options });
  return { attempts, pauses, client };
};

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("a call", () => {
  test("gives the output, and an empty input where none is needed", async () => {
    const { client, attempts } = stage({ value: { seen: "x" } });
    expect(await client().look()).toEqual({ seen: "x" });
    expect(attempts[0]?.input).toEqual({});
  });

  test("sends null as null", async () => {
    const { client, attempts } = stage({ value: {} });
    await Reflect.apply(client().look, undefined, [null]);
    expect(attempts[0]?.input).toBeNull();
  });

  test("is repeated after what can pass, with growing pauses", async () => {
    const { client, pauses } = stage(down, down, { value: { total: 3 } });
    expect(await client().roll({ sides: 6 })).toEqual({ total: 3 });
    expect(pauses).toEqual([50, 100]);
  });

  test("waits as long as the server asks", async () => {
    const { client, pauses } = stage({ ...down, retryAfterMs: 1_500 }, { value: { total: 3 } });
    await client().roll({ sides: 6 });
    expect(pauses).toEqual([1_500]);
  });

  test("gives up after the last attempt", async () => {
    const { client, attempts } = stage();
    await expect(client().roll({ sides: 6 })).rejects.toMatchObject({ code: "unavailable", procedure: "dice.roll" });
    expect(attempts).toHaveLength(3);
  });

  test.each<[string, ClientOptions | undefined]>([
    ["an unsafe procedure", undefined],
    ["an unsafe procedure, whatever the options", { retry: { attempts: 5 } }],
  ])("is never repeated for %s", async (_, options) => {
    const { client, attempts } = stage();
    await expect(client(options).spend({ coins: 1 })).rejects.toMatchObject({ code: "unavailable" });
    expect(attempts).toHaveLength(1);
  });

  test("is not repeated where the error says so, nor when switched off", async () => {
    const broken = stage({ ...down, retryable: false });
    await expect(broken.client().roll({ sides: 6 })).rejects.toThrow("down");
    expect(broken.attempts).toHaveLength(1);
    const off = stage();
    await expect(off.client().roll({ sides: 6 }, { retry: false })).rejects.toThrow("down");
    expect(off.attempts).toHaveLength(1);
  });

  test("keeps one idempotency key over all attempts of a keyed procedure", async () => {
    const { client, attempts } = stage(down, { value: { booking: "b" } });
    await client().book({ table: "t" });
    expect(attempts[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(attempts[1]?.idempotencyKey).toBe(attempts[0]?.idempotencyKey);
    const own = stage({ value: { booking: "b" } });
    await own.client().book({ table: "t" }, { idempotencyKey: "mine" });
    expect(own.attempts[0]?.idempotencyKey).toBe("mine");
  });

  test("sends no key where none is needed", async () => {
    const { client, attempts } = stage({ value: null });
    await client().spend({ coins: 1 });
    expect(attempts[0]).not.toHaveProperty("idempotencyKey");
  });

  test("spends one deadline on all attempts and does not wait past it", async () => {
    const { client, attempts, pauses } = stage({ ...down, retryAfterMs: 60 });
    await expect(client({ timeoutMs: 100 }).roll({ sides: 6 })).rejects.toMatchObject({ code: "unavailable" });
    expect(attempts.map(({ timeoutMs }) => timeoutMs)).toEqual([100, 40]);
    expect(pauses).toEqual([60]);
  });

  test("ends when it is canceled between attempts", async () => {
    const { client, attempts } = stage();
    const controller = new AbortController();
    controller.abort("enough");
    await expect(client().roll({ sides: 6 }, { signal: controller.signal })).rejects.toMatchObject({
      code: "canceled",
    });
    expect(attempts).toHaveLength(1);
  });

  test("types the data of a declared error", async () => {
    const { client } = stage({
      code: "not_found",
      reason: "no_such_die",
      message: "no d7",
      data: { known: [4, 6] },
      retryable: false,
    });
    const { roll, look } = client();
    const error = await roll({ sides: 7 }).catch((cause: unknown) => cause);
    expect(isReason(error, roll, "no_such_die") && error.data.known).toEqual([4, 6]);
    expect(isReason(error, roll, "out_of_dice")).toBe(false);
    expect(isReason(error, { ...look, procedure: look.procedure }, "no_such_die" as never)).toBe(false);
  });
});

describe("a subscription", () => {
  const item = (id: string, total: number): StreamItem => ({ id, value: { total } });

  test("ends when the server ends it", async () => {
    const { client, attempts } = stage({ items: [item("1", 2), item("2", 5)] });
    expect(await collect(client().rolls())).toEqual([{ total: 2 }, { total: 5 }]);
    expect(attempts).toHaveLength(1);
  });

  test("goes on after the last event when it broke", async () => {
    const { client, attempts } = stage({ items: [item("1", 2)], broke: down }, down, { items: [item("2", 5)] });
    const seen: string[] = [];
    expect(await collect(client().rolls({}, { onEventId: (id) => seen.push(id) }))).toEqual([
      { total: 2 },
      { total: 5 },
    ]);
    expect(attempts.map(({ lastEventId }) => lastEventId)).toEqual([undefined, "1", "1"]);
    expect(seen).toEqual(["1", "2"]);
  });

  test("starts where an earlier life ended", async () => {
    const { client, attempts } = stage({ items: [] });
    await collect(client().rolls({}, { lastEventId: "9" }));
    expect(attempts[0]?.lastEventId).toBe("9");
  });

  test("reports a break instead of a gap when its events have no id", async () => {
    const { client, attempts } = stage({ items: [{ value: { total: 1 } }], broke: down });
    await expect(collect(client().rolls())).rejects.toThrow("down");
    expect(attempts).toHaveLength(1);
  });

  test("counts attempts again after every event", async () => {
    const steps = Array.from({ length: 12 }, (_, at): Step => ({ items: [item(String(at), at)], broke: down }));
    const { client } = stage(...steps, { items: [] });
    expect(await collect(client().rolls())).toHaveLength(12);
  });

  test("gives up when nothing comes any more", async () => {
    const { client, attempts } = stage();
    await expect(collect(client().rolls())).rejects.toThrow("down");
    expect(attempts).toHaveLength(8);
  });
});
