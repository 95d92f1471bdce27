/** Handlers take and give values; callers send and get what is on the wire, and what has no form there is a defect with its place. */
import { codecs, defineContract, error, query, subscription } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const day = 86_400_000;
const contract = defineContract({
  id: "clock",
  version: "1.0.0",
  summary: "Counts days.",
  procedures: {
    next: query({
      summary: "The day after.",
      input: z.object({ at: codecs.date(), days: codecs.bigint().default(1n) }),
      output: z.object({
        at: codecs.date(),
        days: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
      }),
      errors: {
        too_late: error({ code: "out_of_range", when: "no day follows", data: z.object({ last: codecs.date() }) }),
      },
    }),
    days: subscription({ summary: "Each day.", input: z.object({}), output: codecs.date() }),
    few: query({
      summary: "Some of what it has.",
      input: z.object({}),
      output: z.object({ a: z.int(), rows: z.array(z.object({ b: z.int() })), open: z.looseObject({ c: z.int() }) }),
    }),
    anything: query({ summary: "What it is given.", input: z.object({ kind: z.string() }), output: z.unknown() }),
  },
});

const odd: Readonly<Record<string, unknown>> = {
  NaN: Number.NaN,
  Infinity: Number.NEGATIVE_INFINITY,
  Date: new Date(0),
  "invalid Date": new Date(Number.NaN),
  Map: new Map(),
  Set: new Set(),
  function: () => 1,
  bigint: 1n,
  symbol: Symbol("s"),
  undefined,
  bytes: new Uint8Array(1),
  URL: new URL("a:b"),
};

/** More than the contract of `few` names, as a row of a table often has. */
const stored = { a: 1, password: "secret" };

const open = () => {
  const logged: string[] = [];
  const service = defineService(contract, () => ({
    handlers: {
      next: ({ at, days }, call) => {
        if (at.getTime() > 10 * day) throw call.fail("too_late", { message: "too late" }, { last: new Date(10 * day) });
        return { at: new Date(at.getTime() + Number(days) * day), days: Number(days) };
      },
      days: async function* () {
        yield new Date(0);
      },
      few: () => ({ ...stored, rows: [{ ...stored, b: 2 }], open: { ...stored, c: 3 } }),
      anything: ({ kind }) => ({ rows: [1, { it: kind in odd ? [odd[kind]] : kind, none: undefined }] }),
    },
  }));
  const composition = compose({
    config: readConfig({}),
    services: [service],
    env: {},
    events: makeEvents(),
    log: (level, _, fields) => void (level === "error" && logged.push(String(fields?.error))),
    schema: async () => undefined,
  });
  return { kernel: { ...connect(composition.dispatch), close: composition.close }, logged };
};

it("decodes inputs, and encodes outputs, events and the data of errors", async () => {
  const { kernel } = open();
  const [at, after] = [new Date(0).toISOString(), new Date(2 * day).toISOString()];
  expect(await kernel.call("clock.next", { at, days: "2" })).toMatchObject({
    ok: true,
    value: { at: after, days: "2" },
  });
  expect(await kernel.call("clock.next", { at: 0 })).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
  expect(await kernel.call("clock.next", { at: new Date(11 * day).toISOString() })).toMatchObject({
    ok: false,
    error: { reason: "too_late", data: { last: new Date(10 * day).toISOString() } },
  });
  const reply = await kernel.subscribe("clock.days", {});
  if (!reply.ok) throw new Error(reply.error.message);
  for await (const { value } of reply.items) expect(value).toBe(at);
  await kernel.close();
});

it("leaves out what the schema of an output does not name, at every depth, but for objects that are open", async () => {
  const { kernel } = open();
  expect(await kernel.call("clock.few", {})).toEqual({
    ok: true,
    value: { a: 1, rows: [{ b: 2 }], open: { a: 1, password: "secret", c: 3 } },
  });
  await kernel.close();
});

it("refuses what JSON has no form for, as a defect that names the place", async () => {
  const { kernel, logged } = open();
  for (const kind of Object.keys(odd)) {
    expect(await kernel.call("clock.anything", { kind })).toMatchObject({ ok: false, error: { code: "internal" } });
    expect(logged.pop()).toContain("at `rows[1].it[0]`, which JSON has no form for");
  }
  const value = { rows: [1, { it: "x" }] };
  expect(await kernel.call("clock.anything", { kind: "x" })).toMatchObject({ ok: true, value });
  await kernel.close();
});
