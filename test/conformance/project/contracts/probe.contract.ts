/** Every shape of procedure that the conformance suite runs over every transport. */
import { defineContract, download, error, mutation, paginated, query, subscription, upload } from "@fairlead/contracts";
import * as z from "zod";
import * as z3 from "zod/v3";

const nested: z.ZodType<Nested> = z.lazy(() =>
  z.object({ value: z.int().describe("Any whole number."), next: nested.optional().describe("The next one.") }),
);

interface Nested {
  readonly value: number;
  readonly next?: Nested | undefined;
}

export const probe = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Does what a test asks for.",
  procedures: {
    sum: query({
      placement: "stateless",
      tool: "sum",
      summary: "Adds two numbers.",
      input: z.object({ a: z.int().describe("First."), b: z.int().default(10).describe("Second.") }),
      output: z.int().describe("The sum."),
      errors: {
        too_big: error({
          code: "out_of_range",
          when: "the sum is over 1,000",
          data: z.object({ limit: z.int().describe("Largest sum.") }),
          hint: "use smaller numbers",
        }),
      },
      examples: [
        { summary: "Both given", input: { a: 1, b: 2 } },
        { summary: "The default", input: { a: 1 } },
      ],
    }),
    echo: query({
      placement: "stateless",
      tool: "echo",
      summary: "Gives back a nested value.",
      input: z.object({
        text: z.string().max(200_000).describe("Any text."),
        tags: z.array(z.string().describe("A tag.")).default([]).describe("Tags."),
        maybe: z.number().nullable().default(null).describe("A number or nothing."),
        chain: nested.optional().describe("A chain."),
      }),
      output: z.object({
        text: z.string().describe("The text."),
        tags: z.array(z.string().describe("A tag.")).describe("Tags."),
        maybe: z.number().nullable().describe("A number or nothing."),
        chain: nested.optional().describe("The chain."),
      }),
      examples: [
        { summary: "Unicode", input: { text: 'Ärger \u{1F600} \u2028 "quoted"', tags: ["a", "b"], maybe: 1.5 } },
        { summary: "A chain", input: { text: "", chain: { value: 1, next: { value: 2 } } } },
      ],
    }),
    elder: query({
      placement: "stateless",
      tool: "elder",
      summary: "Speaks Zod 3.",
      input: z3.object({ name: z3.string().min(1).describe("A name.") }),
      output: z3.object({ greeting: z3.string().describe("A greeting.") }),
      examples: [{ summary: "A name", input: { name: "Ada" } }],
    }),
    list: query({
      placement: "stateless",
      tool: "list",
      summary: "Gives a list, which is not an object.",
      input: z.object({ count: z.int().min(0).max(5).describe("How many.") }),
      output: z.array(z.int().describe("A number.")).describe("Numbers from 1."),
      examples: [{ summary: "Three", input: { count: 3 } }],
    }),
    pages: query({
      placement: "stateless",
      tool: "pages",
      summary: "Gives the numbers below 10, a page at a time.",
      input: z.object({
        size: z.int().min(1).max(10).describe("How many a page."),
        cursor: z.int().min(0).max(10).default(0).describe("The first of the page."),
      }),
      output: z.object({
        items: z.array(z.int().describe("A number.")).describe("The page."),
        next: z.int().optional().describe("The cursor of the next page."),
      }),
      examples: [{ summary: "The first page", input: { size: 3 } }],
    }),
    squares: paginated({
      placement: "stateless",
      tool: "squares",
      summary: "Gives square numbers.",
      input: z.object({ below: z.int().min(0).max(10_000).describe("All are smaller than that.") }),
      item: z.object({ root: z.int().describe("The number."), square: z.int().describe("Times itself.") }),
      pageSize: { default: 3, most: 10 },
      examples: [{ summary: "Two pages", input: { below: 20 } }],
    }),
    hang: query({
      placement: "stateless",
      tool: "hang",
      summary: "Never answers.",
      input: z.object({ name: z.string().default("x").describe("Tells calls apart.") }),
      output: z.int().describe("Nothing ever."),
      policy: { deadlineMs: 200 },
    }),
    wait: query({
      placement: { keyedBy: "name" },
      tool: "wait",
      summary: "Never answers, and would wait for long.",
      input: z.object({ name: z.string().describe("Tells calls apart.") }),
      output: z.int().describe("Nothing ever."),
    }),
    ended: query({
      placement: { keyedBy: "name" },
      tool: "ended",
      summary: "Tells how often a waiting call was interrupted.",
      input: z.object({ name: z.string().describe("The call's name.") }),
      output: z.object({ started: z.int().describe("Begun."), ended: z.int().describe("Interrupted.") }),
    }),
    crash: query({
      placement: "stateless",
      tool: "crash",
      summary: "Throws.",
      input: z.object({}),
      output: z.int().describe("Never."),
    }),
    small: query({
      placement: "stateless",
      tool: "small",
      summary: "Takes at most 64 bytes.",
      input: z.object({ text: z.string().describe("Any text.") }),
      output: z.int().describe("Its length in characters."),
      policy: { limits: { bytes: 64 } },
    }),
    large: query({
      placement: "stateless",
      tool: "large",
      summary: "Takes up to 2 MiB.",
      input: z.object({ text: z.string().describe("Any text.") }),
      output: z.int().describe("Its length in characters."),
      policy: { limits: { bytes: 2_097_152, string: 2_097_152 } },
    }),
    progress: query({
      placement: "stateless",
      tool: "progress",
      summary: "Tells how far it is.",
      input: z.object({ steps: z.int().min(1).max(5).describe("How many steps.") }),
      output: z.int().describe("The steps taken."),
    }),
    pay: mutation({
      tool: "pay",
      summary: "Counts once for each key.",
      retry: "keyed",
      input: z.object({ amount: z.int().describe("Cents.") }),
      output: z.object({ amount: z.int().describe("Cents."), count: z.int().describe("How often it ran.") }),
    }),
    wipe: mutation({
      placement: "stateless",
      tool: "wipe",
      summary: "For administrators only.",
      retry: "unsafe",
      access: "admin",
      hints: { destructive: true },
      input: z.object({}),
      output: z.int().describe("Nothing left."),
    }),
    off: query({
      placement: "stateless",
      tool: "off",
      summary: "Is switched off.",
      input: z.object({}),
      output: z.int().describe("Never."),
    }),
    keep: upload({
      summary: "Keeps a file in memory, and says what came.",
      retry: "idempotent",
      input: z.object({ as: z.string().min(1).max(40).describe("The name that it is kept under.") }),
      file: { maxBytes: 8_000_000, types: ["text/plain", "application/octet-stream"] },
      output: z.object({
        bytes: z.int().describe("How many came."),
        digest: z.string().describe("SHA-256 of them, in hexadecimal."),
        name: z.string().nullable().describe("The file's name."),
        type: z.string().describe("Its media type."),
      }),
    }),
    kept: download({
      summary: "Gives a file that was kept.",
      input: z.object({ as: z.string().describe("The name that it is kept under.") }),
      errors: { not_kept: error({ code: "not_found", when: "no file is kept under that name" }) },
    }),
    count: subscription({
      placement: "stateless",
      summary: "Counts up to a number.",
      input: z.object({ to: z.int().min(0).max(100).describe("The last number.") }),
      output: z.object({ value: z.int().describe("The number.") }),
    }),
    endless: subscription({
      placement: { keyedBy: "name" },
      summary: "Sends one event and then waits.",
      input: z.object({ name: z.string().describe("Tells streams apart.") }),
      output: z.object({ value: z.int().describe("Always 1.") }),
    }),
  },
});
