/** Inputs, outputs and declared errors of the inspector's tools, as the specification has them, and of `watch`. Programs to attach to are in `processes.ts`. */
import * as z from "zod";
import { error } from "../core/index.ts";

const expressionText = z.string().max(4_096);

export const json = z.json().describe("Any JSON value");
const scalar = z.union([z.string().max(65_536), z.number(), z.boolean(), z.null()]);

const args = z
  .array(z.union([scalar, z.array(scalar).max(10_000)]))
  .max(100)
  .optional()
  .describe("Values that the text names as @0, @1 …, so that they need no quoting");

const pause = z
  .boolean()
  .optional()
  .describe("Allow what stops the program for a while, like listing a million names of one object");

const pauseInfo = z
  .object({
    estimatedMs: z.number().describe("Milliseconds that were expected; 0 where nothing stops the program"),
    measuredMs: z.number().describe("Longest time that the question held the program's thread, in milliseconds"),
  })
  .optional()
  .describe("With `pause`: for how long the program was stopped");

const maxTokens = z
  .int()
  .min(100)
  .max(1_000_000)
  .optional()
  .describe("About how many tokens the answer may have; cut after whole rows, elements or members");

const cut = z
  .object({
    shown: z.int().describe("Rows, elements or members in this answer"),
    of: z.int().describe("Those there are, as far as they were counted"),
    next: z.record(z.string(), z.union([z.string(), z.number()])).describe("Input fields that ask for the rest"),
  })
  .optional()
  .describe("What the bound in tokens left out");

const handle = z.string().optional().describe("`explore` with `diff:` and this shows what has changed since");

const change = z.object({
  path: z.string().describe("Where in the answer, like `.members[Health].value`"),
  before: json.optional().describe("Absent where there was nothing"),
  after: json.optional().describe("Absent where there is nothing now"),
});

export const errors = {
  bad_expression: error({
    code: "invalid_argument",
    when: "an expression can not be read, names something that does not exist, has the wrong type, or fails on a value",
    data: z.object({
      part: z
        .enum(["target", "expr", "from", "where", "select", "orderBy", "groupBy", "having"])
        .describe("The input field that is meant"),
      problem: z.string().describe("Stable code of the problem, like `unknown_member` or `null_reference`"),
      position: z.int().describe("First character that is meant, counted from 0; the text's length for its end"),
      length: z.int().describe("How many characters are meant"),
      caret: z.string().describe("The line of text with a caret below the character"),
    }),
    hint: "look at the caret; `explore` shows which members there are",
  }),
  too_expensive: error({
    code: "invalid_argument",
    when: "the question needs more steps, time, text or result than is allowed",
    data: z.object({
      problem: z
        .string()
        .describe(
          "Which limit: `fuel_exhausted`, `deadline`, `text_too_long`, `too_many_items`, `result_too_large`, or `pause_needed` where it would stop the program",
        ),
      part: z.string().describe("The input field that was running"),
    }),
    hint: "narrow `where`, take fewer rows, select fewer members, or explore less deep",
  }),
  not_reachable: error({
    code: "unavailable",
    when: "the inspected process can not be reached, or did not answer in time",
    hint: "see whether it is running, and whether the configured address is right",
  }),
  too_busy: error({
    code: "resource_exhausted",
    when: "so many long questions came before that it was not this one's turn in time",
    hint: "try again in a few seconds, or make the long questions shorter",
  }),
};

export const exploreInput = z
  .strictObject({
    target: expressionText
      .default("")
      .describe(
        "What to explore: path like 'Player.Components', type like 'type:Life', or search like 'search:*Monster*' (whole names of declared types and their members, any case; * and ? are wild), or 'instances:Monster' (its objects that roots lead to, and what holds them), or 'diff:' and the handle of an answer, for what has changed since; empty for the roots",
      ),
    depth: z.int().min(0).max(6).default(1).describe("How deep to expand (0=summary, 1=members, 2+=nested)"),
    includePrivate: z.boolean().default(true).describe("Also private members"),
    limit: z.int().min(1).max(1_000).default(50).describe("Max items for collections/search results"),
    offset: z.int().min(0).default(0).describe("Items to leave out at the start of the target's collection"),
    pause,
    maxTokens,
  })
  .describe("What to look at, and how closely");

const attribute = z.object({
  name: z.string().describe("Name without 'Attribute'"),
  args: z.record(z.string(), json).describe("Arguments by name"),
});

const method = z.object({
  name: z.string().describe("Name, with type parameters"),
  signature: z.string().describe("Result, name, parameters"),
  access: z.string().describe("public, protected, internal or private"),
  callable: z.boolean().optional().describe("True when `eval` may call it"),
  attributes: z.array(attribute).optional().describe("Its attributes"),
});

export const exploreOutput = z
  .object({
    path: z.string().optional().describe("Live objects: the expression that leads there"),
    type: z.string().optional().describe("Full name of the type"),
    kind: z.string().optional().describe("Types: class, struct, enum or interface"),
    base: z.string().optional().describe("Types: the base class"),
    value: json.optional().describe("The value, or an object's text"),
    count: z.int().optional().describe("Elements of a collection, or hits of a search"),
    members: z
      .array(z.record(z.string(), json))
      .optional()
      .describe(
        "Members: name, kind, type, access; value or count; expr to go on with; attributes, offset and size; `members` or `items` when nested",
      ),
    items: z
      .array(z.record(z.string(), json))
      .optional()
      .describe("Elements: index or key, type, value or count, expr; `members` or `items` when nested"),
    methods: z.array(method).optional().describe("Methods with their signatures"),
    attributes: z.array(attribute).optional().describe("Types: StructLayout, Flags, Obsolete and others"),
    size: z.int().optional().describe("Structs: bytes"),
    underlying: z.string().optional().describe("Enums: type of the number below"),
    values: z.record(z.string(), z.number()).optional().describe("Enums: numbers by name"),
    search: z.string().optional().describe("Searches: the pattern"),
    types: z
      .array(
        z.object({
          type: z.string().describe("Full name"),
          kind: z.string().describe("class, struct, enum"),
          target: z.string().describe("Target for explore"),
        }),
      )
      .optional()
      .describe("Searches: types that match"),
    instances: z.string().optional().describe("Instances: the class; `items` are its objects that roots lead to"),
    holders: z
      .array(
        z.object({
          path: z.string().describe("Way from a root, with * for any index or key"),
          count: z.int().describe("How many of them are reached first by it"),
          expr: z.string().describe("Expression of the first one"),
        }),
      )
      .optional()
      .describe("Instances: through what they are reached, the 20 ways with most of them"),
    more: z.int().optional().describe("What was left out at the end"),
    hint: z.string().optional().describe("What to do next"),
    since: z.iso.datetime().optional().describe("Differences: when the answer was given that is compared"),
    changes: z.array(change).optional().describe("Differences: what is not as it was; `count` says how many there are"),
    handle,
    cut,
    pause: pauseInfo,
  })
  .describe("A live object, a type, or hits of a search");

export const evalInput = z
  .strictObject({
    expr: expressionText.describe(
      "Expression to evaluate. Supports: dot-paths, indexers [], method calls (), generic methods <T>",
    ),
    depth: z.int().min(0).max(6).default(2).describe("Serialization depth for result"),
    args,
    maxTokens: maxTokens.describe("The same as in `explore`; what was cut is said in `cut` or `$cut` of the answer"),
    pause: pause.describe("The same as in `explore`; the answer is then an object of `value` and `pause`"),
  })
  .describe("An expression over the roots");

export const queryInput = z
  .strictObject({
    from: expressionText.describe("Source collection path (e.g., 'Entities', 'Player.Components.Values')"),
    where: expressionText.optional().describe("Filter predicate"),
    select: expressionText.optional().describe("Projection expression"),
    orderBy: expressionText.optional().describe("Sort expression: keys with asc or desc, like 'Level desc, Name'"),
    groupBy: expressionText
      .optional()
      .describe("Group key; select and orderBy then see groups: Key, Count(), Sum(x), Average(x), Min(x), Max(x)"),
    having: expressionText.optional().describe("Which groups, like 'Count() > 5'; with groupBy"),
    distinct: z.boolean().default(false).describe("Only results that differ"),
    take: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(100)
      .describe("Most rows to give; the server's own limit is 1,000 by default"),
    skip: z.int().min(0).max(1_000_000_000).default(0).describe("Rows to leave out at the start"),
    args,
    maxTokens,
    pause,
  })
  .describe("A Dynamic LINQ query");

export const queryOutput = z
  .object({
    rows: z.array(json).describe("The rows"),
    count: z.int().describe("Rows in this answer"),
    matched: z.int().describe("Rows or groups that matched, as far as they were counted"),
    counted: z.boolean().describe("True when `matched` is all there are"),
    more: z.boolean().describe("True when rows were cut off by take or a limit"),
    type: z.string().describe("Type of a row"),
    path: z
      .enum(["generated", "careful"])
      .describe("How the rows were read: as plain properties by a generated loop, or one property at a time"),
    counts: z
      .array(z.object({ value: json, count: z.int().describe("How often") }))
      .optional()
      .describe(
        "For a select of one scalar: how often each value occurs over all matches, the 50 most frequent; absent where more than 10,000 differ",
      ),
    different: z.int().optional().describe("With `counts`: how many different values there are"),
    note: z.string().optional().describe("What was cut, and how to get the rest"),
    handle,
    cut,
    pause: pauseInfo,
  })
  .describe("What the query found");

export const watchInput = z
  .strictObject({
    expr: expressionText.describe("Expression to evaluate again and again"),
    depth: z.int().min(0).max(6).default(2).describe("Serialization depth for result"),
    args,
    everyMs: z.int().min(100).max(3_600_000).default(1_000).describe("Milliseconds between two evaluations"),
    on: z
      .enum(["change", "interval"])
      .default("change")
      .describe("When to send an event: when the value has changed, or after each evaluation"),
  })
  .describe("A value to watch");

export const watchOutput = z
  .object({
    at: z.iso.datetime().describe("When it was read; UTC"),
    value: json.describe("The value, as `eval` gives it"),
    changes: z.array(change).describe("What is not as in the event before, 100 at most; empty in the first one"),
  })
  .describe("A value at a time");
