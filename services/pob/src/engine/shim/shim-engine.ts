/** Path of Building driven by our own Lua shim (`lua/shim.lua`), over Fairlead's line protocol. */
import { type Ask, type Dialect, lineProtocol, type Message, type RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import {
  applyShape,
  believed,
  type Engine,
  EngineError,
  engineCode,
  loadShape,
  rankShape,
  setTreeShape,
  shapeShape,
  statsShape,
  treeShape,
  whatIfShape,
} from "../engine.ts";

/** One request at a time: Lua has one thread, and copies of it are its own business. */
export const shimDialect: Dialect = lineProtocol({ protocol: "pob", versions: [1], inFlight: 1 });

const failure = z.object({ code: z.string(), message: z.string(), poisoned: z.boolean().default(false) });

const itemShape = z.object({
  slot: z.string(),
  name: z.string(),
  base: z.string(),
  rarity: z.string(),
  text: z.string(),
});
const gemShape = z.object({
  name: z.string(),
  level: z.int(),
  quality: z.int(),
  enabled: z.boolean(),
  problem: z.string().optional(),
});
const groupShape = z.object({
  group: z.int(),
  label: z.string().optional(),
  slot: z.string().optional(),
  enabled: z.boolean(),
  main: z.boolean(),
  inFullDps: z.boolean(),
  gems: z.array(gemShape),
});
const itemsShape = z.object({ items: z.array(itemShape) });
const skillsShape = z.object({ groups: z.array(groupShape) });
const configShape = z.object({ config: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])) });
const xmlShape = z.object({ xml: z.string() });

export const shimEngine = (ask: Ask): Engine => {
  const call = async (name: string, params: object, options?: RequestOptions): Promise<unknown> => {
    const answer: Message = await ask({ call: name, params }, options);
    if (answer.ok === true) return answer.value;
    const { code, message, poisoned } = believed(failure, answer.error);
    throw new EngineError(engineCode(code), message, poisoned);
  };
  return {
    load: async (input, options) => believed(loadShape, await call("load", input, options)),
    stats: async (fields, options) => believed(statsShape, await call("stats", { fields }, options)),
    tree: async (options) => believed(treeShape, await call("tree", {}, options)),
    setTree: async (tree, options) => believed(setTreeShape, await call("setTree", tree, options)),
    whatIf: async (changes, options) => believed(whatIfShape, await call("whatIf", changes, options)),
    apply: async (changes, options) => believed(applyShape, await call("apply", changes, options)),
    parts: async (options) => ({
      ...believed(itemsShape, await call("items", {}, options)),
      ...believed(skillsShape, await call("skills", {}, options)),
      ...believed(configShape, await call("config", {}, options)),
    }),
    exportXml: async (options) => believed(xmlShape, await call("export", {}, options)).xml,
    shape: async (nodes, options) => believed(shapeShape, await call("shape", { nodes }, options)),
    rank: async (input, options) => believed(rankShape, await call("rank", input, options)),
  };
};
