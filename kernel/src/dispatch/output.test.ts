/** Answers and events that are more than their policy allows: a defect of the service, reported as one, and no trouble for others. */
import { defineContract, query, subscription } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const large = { output: z.json(), policy: { outputLimits: { bytes: 1_000, depth: 8 } } };
const input = z.object({ levels: z.int(), letters: z.int() });
const growing = defineContract({
  id: "growing",
  version: "1.0.0",
  summary: "Gives too much.",
  procedures: {
    give: query({ summary: "Gives once.", input, ...large }),
    stream: subscription({ summary: "Gives twice.", input, ...large }),
    table: query({
      summary: "Gives what it must not.",
      input: z.object({}),
      output: z.object({ name: z.string(), rows: z.array(z.object({ n: z.int() })) }),
    }),
  },
});

interface Asked {
  readonly levels: number;
  readonly letters: number;
}

const answer = ({ levels, letters }: Asked): z.core.util.JSONType => {
  let value: z.core.util.JSONType = "x".repeat(letters);
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

const open = () => {
  const logged: unknown[] = [];
  const service = defineService(growing, () => ({
    handlers: {
      give: answer,
      table: () => JSON.parse('{"rows":[{"n":1},{"n":"a secret"}]}'),
      stream: async function* (asked) {
        yield 1;
        yield answer(asked);
      },
    },
  }));
  const composition = compose({
    config: readConfig({}),
    services: [service],
    env: {},
    events: makeEvents(),
    log: (level, message, fields) => {
      if (level === "error") logged.push({ message, error: String(fields?.error) });
    },
    schema: async () => undefined,
  });
  return { kernel: { ...connect(composition.dispatch), close: composition.close }, logged };
};

it("that does not fit its contract is logged with path, expectation and kind, and without its value", async () => {
  const { kernel, logged } = open();
  const reply = await kernel.call("growing.table", {});
  expect(reply).toMatchObject({ ok: false, error: { code: "internal", id: expect.any(String) } });
  const why =
    "growing.table gave what its contract does not allow: `name`: expected a string, got nothing; `rows[1].n`: expected a number, got a text of 8 characters";
  expect(logged).toEqual([{ message: "defect", error: `Error: ${why}` }]);
  expect(JSON.stringify(reply)).not.toContain("rows");
  await kernel.close();
});

it.each([
  ["deep", { levels: 9, letters: 1 }, /over 8 levels/],
  ["deep without end", { levels: 200_000, letters: 1 }, /stack|levels/],
  ["large", { levels: 1, letters: 1_000 }, /over 1000 bytes/],
])("too %s", async (_, asked, why) => {
  const { kernel, logged } = open();
  expect(await kernel.call("growing.give", asked)).toMatchObject({ ok: false, error: { code: "internal" } });
  expect(logged).toEqual([{ message: "defect", error: expect.stringMatching(why) }]);
  const reply = await kernel.subscribe("growing.stream", asked);
  if (!reply.ok) throw new Error(reply.error.message);
  const seen: unknown[] = [];
  await expect(async () => {
    for await (const { value } of reply.items) seen.push(value);
  }).rejects.toMatchObject({ code: "internal" });
  expect(seen).toEqual([1]);
  expect(await kernel.call("growing.give", { levels: 8, letters: 900 })).toMatchObject({ ok: true });
  await kernel.close();
});
