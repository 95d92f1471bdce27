/** Inputs that are hard on a decoder, and procedures that show whose answer came back. */
import { defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
import * as z3 from "zod/v3";

interface Tree {
  readonly value: number;
  readonly left?: Tree | undefined;
  readonly right?: Tree | undefined;
}

const tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({
    value: z.int().describe("Any whole number."),
    left: tree.optional().describe("What is less."),
    right: tree.optional().describe("What is more."),
  }),
);

/** No discriminator that a decoder could go by: each of the thirty is tried. */
const inner = z.union(
  Array.from({ length: 30 }, (_, index) =>
    z.object({
      [`a${index}`]: z.int().describe("A number."),
      [`b${index}`]: z.string().min(1).describe("A text."),
      size: z.int().min(index).describe("A size."),
    }),
  ),
);

const outer = z.union(
  Array.from({ length: 30 }, (_, index) =>
    z.object({
      [`c${index}`]: z.int().describe("A number."),
      of: z.array(inner.describe("One of thirty.")).describe("Each one of thirty."),
    }),
  ),
);

const elder = z3.union([
  z3.object({ kind: z3.literal("text").describe("Its kind."), text: z3.string().describe("A text.") }),
  z3.object({ kind: z3.literal("number").describe("Its kind."), number: z3.number().describe("A number.") }),
]);

const canary = z.string().min(1).max(200).describe("What nobody else sends.");

export const target = defineContract({
  id: "target",
  version: "1.0.0",
  summary: "Takes what a test throws at it.",
  procedures: {
    sum: query({
      tool: "sum",
      summary: "Adds two numbers, in the URL.",
      input: z.object({ a: z.int().describe("First."), b: z.int().default(1).describe("Second.") }),
      output: z.int().describe("The sum."),
      examples: [{ summary: "Both", input: { a: 1, b: 2 } }],
    }),
    rows: query({
      tool: "rows",
      summary: "Counts rows.",
      input: z.object({
        rows: z
          .array(
            z.object({
              id: z.int().positive().describe("Its number."),
              name: z.string().min(1).max(80).describe("Its name."),
              tags: z
                .array(z.enum(["red", "green", "blue"]).describe("A colour."))
                .default([])
                .describe("Its colours."),
            }),
          )
          .describe("The rows."),
        extra: z.record(z.string(), z.number().describe("A number.")).default({}).describe("Numbers by name."),
      }),
      output: z.int().describe("How many."),
      examples: [
        {
          summary: "Two rows",
          input: {
            rows: [
              { id: 1, name: "one", tags: ["red"] },
              { id: 2, name: "two" },
            ],
            extra: { x: 1 },
          },
        },
      ],
    }),
    pick: query({
      tool: "pick",
      summary: "Takes one of thirty, which hold one of thirty.",
      input: z.object({ picks: z.array(outer.describe("One of thirty.")).describe("What was picked.") }),
      output: z.int().describe("How many."),
      examples: [{ summary: "The first", input: { picks: [{ c0: 1, of: [{ a0: 1, b0: "b", size: 1 }] }] } }],
    }),
    grow: query({
      tool: "grow",
      summary: "Takes a tree.",
      input: z.object({ tree: tree.describe("A tree.") }),
      output: z.int().describe("The value at its root."),
      examples: [{ summary: "A small one", input: { tree: { value: 1, left: { value: 0 } } } }],
    }),
    elder: query({
      tool: "elder",
      summary: "Takes a union in Zod 3.",
      input: z3.object({ items: z3.array(elder).describe("Texts and numbers.") }),
      output: z3.number().int().describe("How many."),
      examples: [
        {
          summary: "One each",
          input: {
            items: [
              { kind: "text", text: "a" },
              { kind: "number", number: 1 },
            ],
          },
        },
      ],
    }),
    set: mutation({
      tool: "set",
      summary: "Keeps a number.",
      retry: "idempotent",
      input: z.object({ value: z.int().min(0).max(9).describe("The number.") }),
      output: z.int().describe("The number."),
      examples: [{ summary: "Five", input: { value: 5 } }],
    }),
    ticks: subscription({
      summary: "Counts to a small number.",
      input: z.object({ to: z.int().min(0).max(3).describe("The last number.") }),
      output: z.int().describe("The count."),
      examples: [{ summary: "Three", input: { to: 3 } }],
    }),
    echo: query({
      tool: "echo",
      summary: "Gives back what only this caller sent, later.",
      input: z.object({ canary, turns: z.int().min(0).max(20).default(0).describe("How often others go first.") }),
      output: z.object({ canary, turns: z.int().describe("How often others went first.") }),
      examples: [{ summary: "At once", input: { canary: "x" } }],
    }),
    refuse: query({
      tool: "refuse",
      summary: "Refuses with what only this caller sent, later.",
      input: z.object({ canary, turns: z.int().min(0).max(20).default(0).describe("How often others go first.") }),
      output: z.int().describe("Never."),
      errors: {
        unwanted: error({ code: "aborted", when: "always", data: z.object({ canary }) }),
      },
      examples: [{ summary: "At once", input: { canary: "x" } }],
    }),
    follow: subscription({
      summary: "Sends what only this caller sent, thrice.",
      input: z.object({ canary }),
      output: z.object({ canary, count: z.int().describe("The count, from 1 to 3.") }),
      examples: [{ summary: "Any", input: { canary: "x" } }],
    }),
    wait: query({
      tool: "wait",
      summary: "Answers when it is told to stop, or after its deadline.",
      input: z.object({}),
      output: z.int().describe("Never."),
      policy: { concurrency: 1_000, deadlineMs: 60_000 },
    }),
  },
});
