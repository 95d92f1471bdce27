/** Tasks for Path of Building: what a build file says, and, with LuaJIT, what a stand-in for Path of Building makes of it. */
import { readFileSync } from "node:fs";
import { type EvalTask, type ExpectedCall, type Step, single } from "../task.ts";

const xml = readFileSync(new URL("../../e2e/tiny-witch.xml", import.meta.url), "utf8");
const file = `It is:\n${xml}`;

const read = (id: string, ask: string, answer: readonly RegExp[]): EvalTask =>
  single("pob", id, {
    ask: `${ask} ${file}`,
    call: {
      tool: "parse_build",
      input: { source: { build: xml } },
      seek: "read a Path of Exile build's file: class and level",
    },
    where: { source: /PathOfBuilding/ },
    forbid: ["lua_apply"],
    answer,
  });

const load: Step = {
  tool: "lua_load_build",
  input: { build_xml: xml },
  seek: "open this Path of Exile character to compute it",
};

interface Loaded {
  readonly ask: string;
  readonly next: Step;
  readonly where?: ExpectedCall["where"];
  readonly forbid?: readonly string[];
  readonly answer: readonly RegExp[];
}

const loaded = (id: string, { ask, next, where, forbid, answer }: Loaded): EvalTask => ({
  group: "pob",
  id,
  needs: "luajit",
  ask: `Open this Path of Exile character in Path of Building. ${ask} ${file}`,
  expect: [{ tool: "lua_load_build" }, { tool: next.tool, ...(where !== undefined && { where }) }],
  ...(forbid !== undefined && { forbid }),
  answer,
  script: [load, next],
});

export const pobTasks: readonly EvalTask[] = [
  read("class-and-level", "Which class and level has this Path of Exile character?", [/Witch/, /\b20\b/]),
  read("main-skill", "What is this Path of Exile character's main skill?", [/Arc/]),
  read("weapon", "What does this Path of Exile character have in its hand?", [/Test Wand/]),
  single("pob", "saved", {
    ask: "Which Path of Exile characters did I save?",
    call: { tool: "list_builds", input: {} },
    answer: [/none|no |nothing|\[\]/i],
  }),
  loaded("numbers", {
    ask: "How much Life does it compute?",
    next: { tool: "lua_get_stats", input: { fields: ["Life"] }, seek: "which stats does the loaded build have" },
    forbid: ["lua_apply"],
    answer: [/\b298\b/],
  }),
  loaded("what-if", {
    ask: "How much Life would it have more at level 40? Leave it as it is.",
    next: {
      tool: "lua_calc_with",
      input: { level: 40 },
      seek: "what would happen to the build's life if its level were another",
    },
    where: { level: /^40$/ },
    forbid: ["lua_apply"],
    answer: [/240|538/],
  }),
  loaded("level-up", {
    ask: "Make it level 30, and say how much Life that gives.",
    next: { tool: "lua_apply", input: { level: 30 }, seek: "change the level of the loaded build" },
    where: { level: /^30$/ },
    answer: [/120|418/],
  }),
  loaded("allocated", {
    ask: "Which version of the passive skills does it use?",
    next: { tool: "lua_get_tree", input: {}, seek: "which passive nodes are allocated" },
    answer: [/3_28|3\.28/],
  }),
  loaded("gear", {
    ask: "Which gems are in its body armour?",
    next: { tool: "lua_get_parts", input: {}, seek: "which gems and items does the loaded build have" },
    answer: [/Arc/, /Added Lightning/],
  }),
];
