/** What the contract language takes and what it does not. Nothing here runs: `tsc` is the test. */
import {
  type CallerInput,
  type CallerOutput,
  codecs,
  type DeclaredErrors,
  defineContract,
  error,
  type HandlerInput,
  type HandlerOutput,
  mutation,
  query,
  subscription,
} from "@fairlead/contracts";
import type { ValueTypes } from "@fairlead/contracts/values";
import * as z from "zod";
import * as z3 from "zod/v3";
import type { Same } from "./same.ts";

const input = z.object({ name: z.string(), times: z.int().default(1) });
const output = z.object({ text: z.string() });
const common = { summary: "Does something.", input, output };
const attempts = { attempts: 2 };

// Policies: repeats only where a repeat is harmless.
mutation({ ...common, retry: "idempotent", policy: { retry: attempts } });
mutation({ ...common, retry: "keyed", policy: { retry: attempts, deadlineMs: 1_000 } });
mutation({ ...common, retry: "unsafe", policy: { deadlineMs: 1_000 } });
query({ ...common, policy: { retry: attempts, concurrency: 2 } });
// @ts-expect-error an unsafe mutation is never repeated
mutation({ ...common, retry: "unsafe", policy: { retry: attempts } });
// @ts-expect-error a mutation says how a repeat behaves
mutation({ ...common });
// @ts-expect-error only queries and subscriptions are safe
mutation({ ...common, retry: "safe" });
// @ts-expect-error there is no such retry safety
mutation({ ...common, retry: "sometimes" });
// @ts-expect-error a query's retry safety is not its own to say
query({ ...common, retry: "unsafe" });
// @ts-expect-error a subscription has no deadline
subscription({ ...common, policy: { deadlineMs: 1_000 } });
// @ts-expect-error a subscription is resumed, not retried
subscription({ ...common, policy: { retry: attempts } });
// @ts-expect-error there is no such policy
query({ ...common, policy: { timeout: 5 } });

// Hints and tools.
mutation({ ...common, retry: "unsafe", hints: { destructive: true, openWorld: true } });
query({ ...common, hints: { openWorld: true }, tool: "greet" });
subscription({ ...common, tool: false });
// @ts-expect-error a query destroys nothing
query({ ...common, hints: { destructive: true } });
// @ts-expect-error a subscription is not a tool
subscription({ ...common, tool: "follow" });

// Examples fit the input, as a caller sends it.
query({ ...common, examples: [{ summary: "The default", input: { name: "Ada" } }] });
query({ ...common, examples: [{ summary: "Both", input: { name: "Ada", times: 2 } }] });
// @ts-expect-error the name is a text
query({ ...common, examples: [{ summary: "Wrong", input: { name: 5 } }] });
// @ts-expect-error the name is missing
query({ ...common, examples: [{ summary: "Wrong", input: { times: 5 } }] });
// @ts-expect-error an example says what it shows
query({ ...common, examples: [{ input: { name: "Ada" } }] });

// What every procedure says.
// @ts-expect-error a procedure has a summary
query({ input, output });
// @ts-expect-error a procedure has an input
query({ summary: "Does something.", output });
// @ts-expect-error a procedure has an output
query({ summary: "Does something.", input });
// @ts-expect-error a schema is Zod's
query({ ...common, input: { name: "string" } });
// @ts-expect-error there is no such access
query({ ...common, access: "write" });

// Errors.
error({ code: "not_found", when: "there is none" });
// @ts-expect-error the codes are a closed set
error({ code: "missing", when: "there is none" });
// @ts-expect-error an error says when it happens
error({ code: "not_found" });

const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: {
    find: query({
      ...common,
      errors: {
        sold_out: error({ code: "not_found", when: "none is left", data: z.object({ until: z.int().default(0) }) }),
        closed: error({ code: "unavailable", when: "at night" }),
      },
    }),
    buy: mutation({ ...common, retry: "keyed" }),
    watch: subscription({ ...common }),
    when: query({
      summary: "Both sides.",
      input: z.object({ at: codecs.date().default(new Date(0)) }),
      output: z.object({ at: codecs.date(), many: codecs.map(z.string(), codecs.bigint()) }),
    }),
    elder: query({
      summary: "Zod 3.",
      input: z3.object({ name: z3.string().default("x") }),
      output: z3.object({ size: z3.number() }),
    }),
  },
});
type Procedures = (typeof shop)["procedures"];

// @ts-expect-error a contract has a version
defineContract({ id: "shop", summary: "Sells.", procedures: {} });
// @ts-expect-error a procedure is made by query, mutation or subscription
defineContract({ id: "shop", version: "1.0.0", summary: "Sells.", procedures: { find: common } });

export const inferred: readonly [
  Same<(typeof shop)["id"], "shop">,
  Same<CallerInput<Procedures["find"]>, { name: string; times?: number | undefined }>,
  Same<HandlerInput<Procedures["find"]>, { name: string; times: number }>,
  Same<CallerOutput<Procedures["find"]>, { text: string }>,
  Same<HandlerOutput<Procedures["find"]>, { text: string }>,
  Same<DeclaredErrors<Procedures["find"]>, { readonly sold_out: { until: number }; readonly closed: undefined }>,
  Same<keyof DeclaredErrors<Procedures["buy"]>, never>,
  Same<CallerInput<Procedures["when"]>, { at?: string | undefined }>,
  Same<HandlerInput<Procedures["when"]>, { at: Date }>,
  Same<HandlerOutput<Procedures["when"]>, { at: Date; many: Map<string, bigint> }>,
  Same<CallerOutput<Procedures["when"]>, { at: string; many: { key: string; value: string }[] }>,
  Same<CallerInput<Procedures["elder"]>, { name?: string | undefined }>,
  Same<HandlerInput<Procedures["elder"]>, { name: string }>,
  Same<Procedures["buy"]["retry"], "keyed">,
  Same<Procedures["watch"]["kind"], "subscription">,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];

/** A brand has no words on the wire; a caller with the contract has it in what it gives and gets. */
const branded = defineContract({
  id: "branded",
  version: "1.0.0",
  summary: "Finds by a branded id.",
  procedures: {
    find: query({ ...common, input: z.object({ id: z.string().brand("Id") }), output: z.string().brand("Id") }),
  },
});
type Branded = ValueTypes<typeof branded>["find"];
type Id = string & z.$brand<"Id">;
export const brands: readonly [Same<Branded["input"], { id: Id }>, Same<Branded["output"], Id>] = [true, true];
