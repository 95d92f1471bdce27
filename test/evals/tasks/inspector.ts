/** Tasks for the inspector: questions about the objects of a running program, here its demonstration of a game. */
import { type EvalTask, single } from "../task.ts";

const monsters = 'Type.ToString() == "Monster"';

export const inspectorTasks: readonly EvalTask[] = [
  single("inspector", "roots", {
    ask: "Which objects can be looked at in the running program?",
    call: { tool: "explore", input: {} },
    answer: [/GameController/, /Entities/],
  }),
  single("inspector", "life", {
    ask: "How much life has the player in the running program now? It is a component of the player object (Life, CurHP).",
    expect: [{ tool: ["eval", "explore"] }],
    call: {
      tool: "eval",
      input: { expr: "Player.GetComponent<Life>().CurHP" },
      seek: "life of the player in the running program",
    },
    answer: [/4,?523/],
  }),
  single("inspector", "position", {
    ask: "Where is the player in the running program?",
    expect: [{ tool: ["eval", "explore"] }],
    call: { tool: "eval", input: { expr: "Player.Position" } },
    answer: [/100\.5/, /200\.3/],
  }),
  single("inspector", "share-of-life", {
    ask: "Has the player of the running program more than half of its life? Its Life component knows (HPPercentage).",
    expect: [{ tool: ["eval", "explore", "query"] }],
    call: {
      tool: "eval",
      input: { expr: "Player.GetComponent<Life>().HPPercentage > 0.5" },
      seek: "compute an expression on objects of the running program",
    },
    answer: [/true|yes|0\.88|88/i],
  }),
  single("inspector", "constants", {
    ask: "Which values has the type MonsterRarity in the running program?",
    call: { tool: "explore", input: { target: "type:MonsterRarity" }, seek: "values of a type in the running program" },
    expect: [{ tool: "explore", where: { target: /MonsterRarity/ } }],
    answer: [/Unique/, /Magic/],
  }),
  single("inspector", "find-member", {
    ask: "Which type of the running program has a member CurHP?",
    call: { tool: "explore", input: { target: "search:CurHP" }, seek: "find a member of the running program's types" },
    expect: [{ tool: "explore", where: { target: /CurHP/ } }],
    answer: [/Life/],
  }),
  single("inspector", "kinds", {
    ask: "How many things of each kind are among the program's live Entities, by their Type?",
    call: {
      tool: "query",
      input: { from: "Entities", groupBy: "Type", select: "new { Key, Count() as N }" },
      seek: "live objects of a collection, grouped by kind",
    },
    expect: [{ tool: "query", where: { from: /Entities/, groupBy: /Type/ } }],
    answer: [/971/, /Chest/],
  }),
  single("inspector", "monsters", {
    ask: `Name three of the monsters among the program's live Entities (those with ${monsters}) by their RenderName.`,
    call: {
      tool: "query",
      input: { from: "Entities", where: monsters, select: "RenderName", take: 3 },
      seek: "which monsters are there among the live objects",
    },
    expect: [{ tool: "query", where: { from: /Entities/, where: /Monster/ } }],
    answer: [/Hillock/],
  }),
  single("inspector", "how-many", {
    ask: "How many Entities does the running program hold altogether?",
    expect: [{ tool: ["eval", "explore", "query"] }],
    call: {
      tool: "eval",
      input: { expr: "Entities.Count()" },
      seek: "compute an expression on objects of the running program",
    },
    answer: [/1,?523/],
  }),
];
