/** Services against their contracts: what compiles and what does not. Nothing here runs: `tsc` is the test. */
import { defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import { defineService, FairleadError, tracked } from "@fairlead/kernel/service";
import { Effect, Stream } from "effect";
import * as z from "zod";

const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: {
    find: query({
      summary: "Finds.",
      input: z.object({ name: z.string(), most: z.int().default(5) }),
      output: z.array(z.string()),
      errors: {
        sold_out: error({ code: "not_found", when: "none is left", data: z.object({ until: z.int() }) }),
        closed: error({ code: "unavailable", when: "at night" }),
      },
    }),
    buy: mutation({ summary: "Buys.", retry: "unsafe", input: z.object({}), output: z.object({ price: z.int() }) }),
    watch: subscription({ summary: "Watches.", input: z.object({}), output: z.int() }),
  },
});

const buy = () => ({ price: 1 });
const find = ({ name, most }: { readonly name: string; readonly most: number }) => [name.repeat(most)];
const watch = async function* () {
  yield 1;
  yield tracked("2", 2);
};

// Values, promises, Effects and streams are all answers.
defineService(shop, () => ({ handlers: { buy, find, watch } }));
defineService(shop, () => ({
  handlers: {
    buy: async () => ({ price: 1 }),
    find: () => Effect.succeed(["a"]),
    watch: () => Stream.make(1, tracked("2", 2)),
  },
}));
defineService(shop, () => Effect.succeed({ handlers: { buy, find, watch } }));
defineService(shop, () => ({ handlers: async () => ({ buy, find, watch }) }));
defineService(shop, () => Effect.succeed({ handlers: async () => ({ buy, find, watch }) }));
defineService(shop, async () => ({ handlers: { buy, find, watch }, stop: () => {} }));
defineService(shop, async (host) => ({
  handlers: {
    buy,
    find: async ({ name, most }, call) => [name, most.toFixed(), call.principal.id, `${host.env.A}`],
    watch,
  },
}));
defineService(shop, async () => ({ handlers: async () => ({ buy, find, watch }), stop: async () => {} }));
// @ts-expect-error a promised start has all handlers
defineService(shop, async () => ({ handlers: { buy, find } }));
// @ts-expect-error a promised start has no others
defineService(shop, async () => ({ handlers: { buy, find, watch, sell: buy } }));
// @ts-expect-error a promised start has handlers of the contract's types
defineService(shop, async () => ({ handlers: { buy: () => ({}), find, watch } }));
// @ts-expect-error `stop` is a function
defineService(shop, () => ({ handlers: { buy, find, watch }, stop: "now" }));
// @ts-expect-error a handler is missing from those that are read late
defineService(shop, () => ({ handlers: async () => ({ buy, find }) }));
// @ts-expect-error the contract knows no `sell`, late or not
defineService(shop, () => ({ handlers: async () => ({ buy, find, watch, sell: buy }) }));
// @ts-expect-error a late handler with the wrong output
defineService(shop, () => ({ handlers: async () => ({ buy: () => ({}), find, watch }) }));
defineService(shop, () => ({
  handlers: { buy: () => Effect.fail(new FairleadError({ code: "aborted", message: "no" })), find, watch },
}));

// @ts-expect-error there is no handler for `watch`
defineService(shop, () => ({ handlers: { buy, find } }));
// @ts-expect-error the contract has no `sell`
defineService(shop, () => ({ handlers: { buy, find, watch, sell: buy } }));
// @ts-expect-error the price is missing
defineService(shop, () => ({ handlers: { buy: () => ({}), find, watch } }));
// @ts-expect-error the price is a number
defineService(shop, () => ({ handlers: { buy: async () => ({ price: "1" }), find, watch } }));
// @ts-expect-error an Effect that gives something else
defineService(shop, () => ({ handlers: { buy: () => Effect.succeed(1), find, watch } }));
// @ts-expect-error an Effect fails with a FairleadError or not at all
defineService(shop, () => ({ handlers: { buy: () => Effect.fail("no"), find, watch } }));
// @ts-expect-error a subscription gives events
defineService(shop, () => ({ handlers: { buy, find, watch: () => 1 } }));
// @ts-expect-error events are of the contract's type
defineService(shop, () => ({ handlers: { buy, find, watch: () => Stream.make("1") } }));
// @ts-expect-error the input has no such field
defineService(shop, () => ({ handlers: { buy, find: ({ size }) => [size], watch } }));
// @ts-expect-error only procedures of the contract can be off
defineService(shop, () => ({ handlers: { buy, find, watch }, off: () => ({ sell: "never" }) }));

// Declared errors, with their data.
defineService(shop, () => ({
  handlers: {
    buy: (_, call) => {
      // @ts-expect-error this procedure declares no error
      throw call.fail("sold_out", { message: "none" });
    },
    find: (_, call) => {
      const message = "none";
      if (call.deadline < 0) throw call.fail("closed", { message });
      if (call.deadline < 1) throw call.fail("sold_out", { message, hint: "wait" }, { until: 5 });
      // @ts-expect-error the data is missing
      if (call.deadline < 2) throw call.fail("sold_out", { message });
      // @ts-expect-error the data is of another type
      if (call.deadline < 3) throw call.fail("sold_out", { message }, { until: "morning" });
      // @ts-expect-error this error has no data
      if (call.deadline < 4) throw call.fail("closed", { message }, { until: 5 });
      // @ts-expect-error this error is not declared
      if (call.deadline < 5) throw call.fail("broke", { message });
      // @ts-expect-error an error has a message
      throw call.fail("closed", {});
    },
    watch,
  },
}));

// The service's section of the configuration, as its schema types it.
const config = z.strictObject({ size: z.int().default(1) });
defineService(
  shop,
  (host) => {
    const size: number = host.config.size;
    // @ts-expect-error the section has no such key
    const { colour } = host.config;
    return { handlers: { buy, find, watch }, info: () => ({ size, colour }) };
  },
  { config },
);
// @ts-expect-error without a schema there is nothing to read
defineService(shop, (host) => ({ handlers: { buy, find, watch }, info: () => ({ size: host.config.size }) }));

// Other services, as their contracts type them.
defineService(shop, (host) => {
  const peer = host.peer(shop);
  const ask = async () => {
    // @ts-expect-error the name is missing
    await peer.find({});
    // @ts-expect-error the contract has no `sell`
    await peer.sell({});
    for await (const _ of peer.watch({})) break;
    // @ts-expect-error a subscription has no one answer
    await peer.watch({}).then(() => undefined);
    return peer.find({ name: "a" });
  };
  return { handlers: { buy, find: ask, watch } };
});
