/** Services in Effects against their contracts: what compiles and what does not. Nothing here runs: `tsc` is the test. */
import { defineContract, error, query, subscription } from "@fairlead/contracts";
import {
  Call,
  type DeclaredError,
  declaredErrors,
  defineService,
  FairleadError,
  Host,
  InfrastructureError,
  Peers,
  tracked,
} from "@fairlead/kernel/service";
import { Context, Effect, Layer, Stream } from "effect";
import * as z from "zod";
import type { Same } from "./same.ts";

const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: {
    find: query({
      summary: "Finds.",
      input: z.object({ name: z.string() }),
      output: z.array(z.string()),
      errors: {
        sold_out: error({ code: "not_found", when: "none is left", data: z.object({ until: z.int() }) }),
        closed: error({ code: "unavailable", when: "at night" }),
      },
    }),
    echo: query({ summary: "Gives back.", input: z.object({ value: z.unknown() }), output: z.unknown() }),
    watch: subscription({
      summary: "Watches.",
      input: z.object({}),
      output: z.int(),
      errors: { gone: error({ code: "not_found", when: "it was taken away" }) },
    }),
  },
});
const { sold_out, closed } = declaredErrors(shop.procedures.find);
const { gone } = declaredErrors(shop.procedures.watch);

class Stock extends Context.Service<Stock, { readonly names: Effect.Effect<readonly string[]> }>()("test/Stock") {
  static readonly layer = Layer.succeed(Stock, { names: Effect.succeed(["lamp"]) });
}
class Clerk extends Context.Service<Clerk, { readonly name: string }>()("test/Clerk") {
  static readonly layer = Layer.effect(
    Clerk,
    Effect.gen(function* () {
      const { env } = yield* Host;
      const names = yield* (yield* Stock).names;
      return { name: env.CLERK ?? names.join() };
    }),
  );
}
const names = Effect.gen(function* () {
  return [...(yield* (yield* Stock).names)];
});
const find = () => names;
const echo = ({ value }: { readonly value: unknown }) => Effect.succeed(value);
const watch = () => Stream.make(1, tracked("2", 2));
const some = () => Effect.succeed(["a"]);

defineService(shop, { layer: Stock.layer, handlers: { find, echo, watch } });
defineService(shop, { handlers: { find: some, echo, watch } });
defineService(shop, { layer: Stock.layer, handlers: async () => ({ find, echo, watch }) });
defineService(shop, { layer: Clerk.layer.pipe(Layer.provideMerge(Stock.layer)), handlers: { find, echo, watch } });

// What a handler needs.
// @ts-expect-error nothing gives the stock
defineService(shop, { handlers: { find, echo, watch } });
// @ts-expect-error the layer gives the clerk alone
defineService(shop, { layer: Clerk.layer.pipe(Layer.provide(Stock.layer)), handlers: { find, echo, watch } });
// @ts-expect-error nothing gives the stock to the clerk
defineService(shop, { layer: Clerk.layer, handlers: { find: some, echo, watch } });
// @ts-expect-error an output that may be anything hides no missing dependency
defineService(shop, { handlers: { find: some, echo: () => names, watch } });
const counted = () => Stream.fromEffect(Stock.pipe(Effect.as(1)));
// @ts-expect-error nothing gives the stock to the stream
defineService(shop, { handlers: { find: some, echo, watch: counted } });
defineService(shop, {
  handlers: {
    find: () =>
      Effect.gen(function* () {
        const { principal, deadline } = yield* Call;
        const { client } = yield* Peers;
        const found: string[] = yield* client(shop).find({ name: principal.id }, { timeoutMs: deadline });
        // @ts-expect-error the name is missing
        yield* client(shop).find({});
        return found;
      }),
    echo,
    watch,
  },
});

// What a handler answers.
// @ts-expect-error there is no handler for `watch`
defineService(shop, { layer: Stock.layer, handlers: { find, echo } });
// @ts-expect-error the contract has no `sell`
defineService(shop, { layer: Stock.layer, handlers: { find, echo, watch, sell: echo } });
// @ts-expect-error an Effect that gives something else
defineService(shop, { handlers: { find: () => Effect.succeed(1), echo, watch } });
// @ts-expect-error a plain value belongs to the plain shape
defineService(shop, { handlers: { find: () => ["a"], echo, watch } });
// @ts-expect-error events are of the contract's type
defineService(shop, { handlers: { find: some, echo, watch: () => Stream.make("1") } });
const off = Effect.succeed({ off: () => ({ sell: "never" }) });
// @ts-expect-error only procedures of the contract can be off
defineService(shop, { layer: Stock.layer, handlers: { find, echo, watch }, details: off });
defineService(shop, {
  layer: Stock.layer,
  handlers: { find, echo, watch },
  details: Effect.map(names, (all) => ({ info: () => ({ all }), off: () => ({ echo: "not today" }) })),
});

// What a handler fails with.
defineService(shop, {
  handlers: {
    find: ({ name }) =>
      Effect.gen(function* () {
        if (name === "a") return yield* sold_out({ message: "none", hint: "try b" }, { until: 5 });
        if (name === "b") return yield* closed({ message: "it is night" });
        return yield* new InfrastructureError("unavailable", { message: "no stock", retryAfterMs: 5 });
      }),
    echo: () => Effect.fail(new InfrastructureError("aborted", { message: "no" })),
    watch: () => Stream.fail(gone({ message: "taken" })),
  },
});
// @ts-expect-error `find` does not declare it
defineService(shop, { handlers: { find: () => gone({ message: "taken" }), echo, watch } });
const lost = () => Effect.fail(sold_out({ message: "none" }, { until: 1 }));
// @ts-expect-error `echo` declares none
defineService(shop, { handlers: { find: some, echo: lost, watch } });
const closing = () => Stream.fail(closed({ message: "it is night" }));
// @ts-expect-error the stream does not declare it
defineService(shop, { handlers: { find: some, echo, watch: closing } });
const untyped = () => Effect.fail(new FairleadError({ code: "aborted", message: "no", reason: "any" }));
// @ts-expect-error its reason could be any
defineService(shop, { handlers: { find: untyped, echo, watch } });
// @ts-expect-error an error of nobody's is a defect, and defects are not in E
defineService(shop, { handlers: { find: () => Effect.fail(new TypeError("no")), echo, watch } });
// @ts-expect-error a text is not an error
defineService(shop, { handlers: { find: () => Effect.fail("no"), echo, watch } });
// @ts-expect-error the data is missing
sold_out({ message: "none" });
// @ts-expect-error the data is of another shape
sold_out({ message: "none" }, { since: 5 });
// @ts-expect-error this one has no data
closed({ message: "none" }, { until: 5 });
// @ts-expect-error an error says what failed
closed({});
// @ts-expect-error `find` declares no such error
declaredErrors(shop.procedures.find).lost({ message: "" });
// @ts-expect-error the codes are a closed set
new InfrastructureError("missing", { message: "" });

// Tags tell errors apart, and a caught one is not in the type any more.
export const caught: Effect.Effect<string[], DeclaredError<"closed", undefined>> = Effect.gen(function* () {
  if (Math.random() > 0.5) return yield* sold_out({ message: "none" }, { until: 5 });
  return yield* closed({ message: "it is night" });
}).pipe(Effect.catchTag("sold_out", ({ data }) => Effect.succeed([data.until.toFixed()])));

// Settings.
const config = z.object({ size: z.int().default(3) });
defineService(shop, {
  config,
  layer: (host) => {
    const size: number = host.config.size;
    // @ts-expect-error the section has no such key
    const { colour } = host.config;
    return Layer.succeed(Stock, { names: Effect.succeed([size.toFixed(), String(colour)]) });
  },
  handlers: { find, echo, watch },
});

// A layer fails with the one error model.
// @ts-expect-error a text is not an error
defineService(shop, { layer: Layer.effect(Stock, Effect.fail("no")), handlers: { find, echo, watch } });

export const agreements: readonly [Same<ReturnType<typeof sold_out>["data"], { until: number }>] = [true];
