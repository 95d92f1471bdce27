/**
 * The inspector contract: explore, eval and query live objects, read-only, with Dynamic LINQ. The tools and their fields are
 * those of the specification; `offset`, `groupBy`, `having`, `distinct`, `args`, `maxTokens`, `pause` and the subscription `watch` are additions.
 *
 * Values are plain JSON: enums by name, dates as ISO text, whole numbers beyond 2^53 and NaN as text.
 */
import { defineContract, query, subscription } from "./core/index.ts";
import { processProcedures, verbs } from "./inspector/processes.ts";
import {
  errors,
  evalInput,
  exploreInput,
  exploreOutput,
  json,
  queryInput,
  queryOutput,
  watchInput,
  watchOutput,
} from "./inspector/tools.ts";

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
    ...processProcedures,
  },
  verbs,
  resources: {
    roots: {
      title: "Roots",
      summary: "The live objects that expressions begin with.",
      path: "roots",
      read: "explore",
      input: { target: "" },
      changes: { everyMs: 2_000 },
    },
    value: {
      title: "Value",
      summary: "The value of an expression over the roots, as it is now.",
      path: "values/{expr}",
      read: "eval",
      fields: { expr: { about: "An expression, like Player.Position" } },
      changes: { subscription: "watch" },
    },
  },
});
