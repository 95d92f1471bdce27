/**
 * The inspector contract: explore, eval and query live objects, read-only, with Dynamic LINQ. The tools and their fields are
 * those of the specification; `offset`, `groupBy`, `having`, `distinct`, `args`, `maxTokens`, `pause` and the subscription `watch` are additions.
 *
 * Values are plain JSON: enums by name, dates as ISO text, whole numbers beyond 2^53 and NaN as text.
 */
import * as z from "zod";
import { defineContract, error, query, subscription } from "./core/index.ts";

const expressionText = z.string().max(4_096);

const json = z.json().describe("Any JSON value");
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

const errors = {
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

const exploreInput = z
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

const exploreOutput = z
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

const evalInput = z
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

const queryInput = z
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

const queryOutput = z
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

const watchInput = z
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

const watchOutput = z
  .object({
    at: z.iso.datetime().describe("When it was read; UTC"),
    value: json.describe("The value, as `eval` gives it"),
    changes: z.array(change).describe("What is not as in the event before, 100 at most; empty in the first one"),
  })
  .describe("A value at a time");

export default defineContract({
  id: "inspector",
  version: "0.1.0",
  summary: "Explore, evaluate and query live objects, read-only, with Dynamic LINQ.",
  procedures: {
    explore: query({
      tool: {
        name: "explore",
        title: "Explore objects",
        description: "Browses live objects and types of a running program",
        fields: {
          target: "Path, type:Name, search:*text*, instances:Name or diff:handle; empty: the roots",
          depth: "",
          includePrivate: "",
          limit: "",
          offset: "",
          pause: "Allow stopping the program",
          maxTokens: "",
        },
        listed: "core",
      },
      summary: "Discover available data. Browse live objects, type definitions, or search by pattern.",
      input: exploreInput,
      output: exploreOutput,
      errors,
      examples: [
        { summary: "List all root objects", input: { target: "" } },
        { summary: "Browse Player", input: { target: "Player", depth: 1 } },
        { summary: "Browse Player's components", input: { target: "Player.Components", depth: 2 } },
        { summary: "A specific type", input: { target: "type:ExileCore.PoEMemory.Components.Life" } },
        { summary: "Search for types", input: { target: "search:*Monster*" } },
        { summary: "Search for members", input: { target: "search:CurHP" } },
        { summary: "A collection's item", input: { target: "Entities[0]", depth: 2 } },
        { summary: "A struct with its memory layout", input: { target: "type:ActorAnimationStageOffsets" } },
        { summary: "An enum", input: { target: "type:MonsterRarity" } },
        { summary: "Offset structures", input: { target: "search:*Offsets" } },
        { summary: "Objects of a class, and what holds them", input: { target: "instances:Monster" } },
      ],
    }),
    eval: query({
      tool: {
        name: "eval",
        title: "Evaluate expression",
        description: "Evaluates an expression on live objects: paths, indexers, pure methods, lambdas; changes nothing",
        fields: { expr: "", depth: "", args: "Values of @0, @1", maxTokens: "", pause: "" },
        listed: "core",
      },
      summary: "Evaluate an expression - read values, call methods, access nested properties.",
      description:
        "Dynamic LINQ over the roots: dot-paths, indexers, `?.`, methods that are free of effects, generic methods, comparisons, " +
        "sequence methods with lambdas. Nothing can be changed.",
      input: evalInput,
      output: json,
      errors,
      examples: [
        { summary: "A simple property", input: { expr: "Player.Position" } },
        { summary: "Nested, with a method call", input: { expr: "Player.GetComponent<Life>().CurHP" } },
        { summary: "A private field", input: { expr: "GameController._entityCache", depth: 1 } },
        { summary: "A collection's element", input: { expr: "Entities[0].RenderName" } },
        { summary: "A long chain", input: { expr: "IngameState.IngameUi.InventoryPanel.Items[0].Item.Path" } },
        { summary: "A condition", input: { expr: "Player.GetComponent<Life>().HPPercentage > 0.5" } },
      ],
    }),
    query: query({
      tool: {
        name: "query",
        title: "Query objects",
        description: "Queries collections of live objects with Dynamic LINQ",
        long: true,
        fields: {
          from: "Path, like Player.Items",
          where: "",
          select: "",
          orderBy: "Like Level desc",
          groupBy: "Then Key, Count(), Sum(x)",
          having: "Of groups, like Count() > 5",
          distinct: "",
          take: "",
          skip: "",
          args: "Values of @0, @1",
          pause: "",
        },
        listed: "core",
      },
      summary:
        "Execute Dynamic LINQ query on collections. Supports Where, Select, OrderBy, GroupBy, Any, All, Count, First, etc.",
      input: queryInput,
      output: queryOutput,
      errors,
      examples: [
        {
          summary: "All monsters",
          input: {
            from: "Entities",
            where: 'Type.ToString() == "Monster"',
            select: "new { Id, RenderName, Position }",
            take: 20,
          },
        },
        {
          summary: "Rare and unique items on the ground",
          input: {
            from: "IngameState.IngameUi.ItemsOnGroundLabels",
            where: "ItemOnGround != null && ItemOnGround.Item.Rarity >= 2",
            select: "new { ItemOnGround.Item.Path, ItemOnGround.Item.Rarity, Label.GetClientRect() }",
          },
        },
        {
          summary: "The player's buffs with the time that remains",
          input: {
            from: "Player.GetComponent<Buffs>().BuffsList",
            where: "Timer > 0",
            select: "new { Name, Timer, Charges }",
            orderBy: "Timer desc",
          },
        },
        { summary: "Count entities by type", input: { from: "Entities", select: "Type.ToString()" } },
        {
          summary: "Count entities by type, as groups",
          input: { from: "Entities", groupBy: "Type", orderBy: "Count() desc" },
        },
        {
          summary: "Entities near the player",
          input: { from: "Entities", where: "Distance < 50 && IsHostile", orderBy: "Distance", take: 10 },
        },
        { summary: "Whether any portal exists", input: { from: "Entities", where: 'Path.Contains("Portal")' } },
      ],
    }),
    watch: subscription({
      summary: "Evaluates an expression again and again, and sends its value when it has changed, or each time.",
      input: watchInput,
      output: watchOutput,
      errors,
      examples: [{ summary: "Life, when it changes", input: { expr: "Player.GetComponent<Life>().CurHP" } }],
    }),
  },
});
