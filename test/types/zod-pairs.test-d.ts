/** A contract in Zod 3 has the types of the same one in Zod 4: what callers may send, what handlers get, and what both give. */
import {
  type CallerInput,
  type CallerOutput,
  defineContract,
  type HandlerInput,
  type HandlerOutput,
  query,
} from "@fairlead/contracts";
import * as z from "zod";
import * as z3 from "zod/v3";
import type { Same } from "./same.ts";

const three = query({
  summary: "Finds.",
  input: z3.object({
    name: z3.string(),
    times: z3.number().default(1),
    mode: z3.enum(["a", "b"]).optional(),
    size: z3.number().nullable(),
    tags: z3.array(z3.string()).default([]),
    at: z3.object({ x: z3.number().default(0) }),
    of: z3.union([z3.string(), z3.boolean()]),
  }),
  output: z3.object({ text: z3.string(), count: z3.number().default(0), rest: z3.record(z3.string(), z3.number()) }),
});
const four = query({
  summary: "Finds.",
  input: z.object({
    name: z.string(),
    times: z.number().default(1),
    mode: z.enum(["a", "b"]).optional(),
    size: z.number().nullable(),
    tags: z.array(z.string()).default([]),
    at: z.object({ x: z.number().default(0) }),
    of: z.union([z.string(), z.boolean()]),
  }),
  output: z.object({ text: z.string(), count: z.number().default(0), rest: z.record(z.string(), z.number()) }),
});

export const pairs: readonly [
  Same<CallerInput<typeof three>, CallerInput<typeof four>>,
  Same<HandlerInput<typeof three>, HandlerInput<typeof four>>,
  Same<CallerOutput<typeof three>, CallerOutput<typeof four>>,
  Same<HandlerOutput<typeof three>, HandlerOutput<typeof four>>,
] = [true, true, true, true];

const sent = { name: "x", size: null, at: {}, of: true };
export const fits: CallerInput<typeof three> = { ...sent, times: 2 };
// @ts-expect-error there is no such field
export const misspelt: CallerInput<typeof three> = { ...sent, tims: 2 };
// @ts-expect-error there is no such field in the inner object
export const misspeltInside: CallerInput<typeof three> = { ...sent, at: { y: 1 } };
// @ts-expect-error it is a number
export const wrong: CallerInput<typeof three> = { ...sent, times: "2" };

export const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: { three, four },
});
