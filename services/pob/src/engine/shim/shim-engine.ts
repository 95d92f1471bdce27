/** Path of Building driven by our own Lua shim (`lua/shim.lua`), over Fairlead's line protocol. */
import {
  type Ask,
  type Dialect,
  lineProtocol,
  type Message,
  type RequestOptions,
  SubprocessError,
} from "@fairlead/kernel/subprocess";
import * as z from "zod";
import {
  applySchema,
  candidatesSchema,
  classesSchema,
  type Engine,
  EngineError,
  layoutSchema,
  loadSchema,
  namedSchema,
  noticesSchema,
  parseAnswer,
  planSchema,
  rankSchema,
  searchSchema,
  setTreeSchema,
  statsSchema,
  toEngineCode,
  treeSchema,
  treeShapeSchema,
  whatIfSchema,
} from "../engine.ts";

/** Lua has one thread, which answers reads while copies of it are at work on a what-if or a ranking; the session sends one of those at a time. */
export const shimDialect: Dialect = lineProtocol({ protocol: "pob", versions: [1], inFlight: 8 });

const failureSchema = z.object({ code: z.string(), message: z.string(), poisoned: z.boolean().default(false) });

const itemSchema = z.object({
  slot: z.string(),
  name: z.string(),
  base: z.string(),
  rarity: z.string(),
  text: z.string(),
  active: z.boolean().optional(),
});
const gemSchema = z.object({
  name: z.string(),
  level: z.int(),
  quality: z.int(),
  enabled: z.boolean(),
  problem: z.string().optional(),
});
const groupSchema = z.object({
  group: z.int(),
  label: z.string().optional(),
  slot: z.string().optional(),
  enabled: z.boolean(),
  main: z.boolean(),
  inFullDps: z.boolean(),
  activeSkill: z.int().optional(),
  gems: z.array(gemSchema),
});
const setsSchema = z.array(z.object({ set: z.int(), title: z.string(), active: z.boolean() }));
const partsSchema = noticesSchema.extend({
  items: z.array(itemSchema),
  groups: z.array(groupSchema),
  config: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
  sets: z.object({ tree: setsSchema, items: setsSchema, skills: setsSchema }),
  notes: z.string(),
});
const xmlSchema = z.object({ xml: z.string() });

/**
 * A process that hung at another request was killed with this one, which it had not begun: the next process, which has the build as it
 * was, gets it once more.
 */
const askAgain = async (ask: () => Promise<Message>): Promise<Message> => {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SubprocessError && error.fault.kind === "unresponsive") return ask();
    throw error;
  }
};

export const createShimEngine = (ask: Ask): Engine => {
  const call = async (name: string, params: object, options?: RequestOptions): Promise<unknown> => {
    const answer: Message = await askAgain(() => ask({ call: name, params }, options));
    if (answer.ok === true) return answer.value;
    const { code, message, poisoned } = parseAnswer(failureSchema, answer.error);
    throw new EngineError(toEngineCode(code), message, poisoned);
  };
  return {
    load: async (input, options) => parseAnswer(loadSchema, await call("load", input, options)),
    stats: async (fields, options) => parseAnswer(statsSchema, await call("stats", { fields }, options)),
    tree: async (options) => parseAnswer(treeSchema, await call("tree", {}, options)),
    named: async (options) => parseAnswer(namedSchema, await call("named", {}, options)).named,
    classes: async (treeVersion, options) =>
      parseAnswer(classesSchema, await call("classes", { treeVersion }, options)),
    search: async (input, options) => parseAnswer(searchSchema, await call("search", input, options)),
    setTree: async (tree, options) => parseAnswer(setTreeSchema, await call("setTree", tree, options)),
    whatIf: async (changes, fields, options) =>
      parseAnswer(whatIfSchema, await call("whatIf", { changes, fields }, options)),
    apply: async (changes, options) => parseAnswer(applySchema, await call("apply", changes, options)),
    parts: async (options) => parseAnswer(partsSchema, await call("parts", {}, options)),
    exportXml: async (options) => parseAnswer(xmlSchema, await call("export", {}, options)).xml,
    layout: async (nodes, options) => parseAnswer(layoutSchema, await call("shape", { nodes }, options)),
    treeShape: async (options) => parseAnswer(treeShapeSchema, await call("treeShape", {}, options)),
    tryAll: async (input, options) => parseAnswer(candidatesSchema, await call("candidates", input, options)),
    plan: async (input, options) => parseAnswer(planSchema, await call("plan", input, options)),
    rank: async (input, options) => parseAnswer(rankSchema, await call("rank", input, options)),
  };
};
