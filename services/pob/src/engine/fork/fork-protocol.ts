/**
 * The requests of a fork's own protocol, each with the answer parsed: `{"action","params"}` and `{"ok",...}` as JSON lines, without
 * ids, strictly one at a time. Parameters are complete, because null ones reset the character.
 *
 * Not here: which requests belong together (`fork-change.ts`, `fork-engine.ts`).
 */
import type { Ask, Dialect, Message, RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import { statTable } from "../../stats/stat-table.ts";
import { type Engine, type EngineCode, EngineError, type EngineTree, parseAnswer, type TreeInput } from "../engine.ts";

export const forkDialect: Dialect = {
  inFlight: 1,
  ids: false,
  onTimeout: "kill",
  handshake: (message) =>
    message.ok === true && message.ready === true ? { kind: "welcome", info: message.version } : { kind: "other" },
  encode: (_id, body) => body,
  answer: (message) => ("ok" in message && message.ready !== true ? { kind: "reply" } : { kind: "other" }),
  quit: { action: "quit" },
};

const scalar = z.union([z.number(), z.string(), z.boolean()]);
/** Lua's empty table is written as a list. */
const masteries = z.union([z.record(z.string(), z.int()), z.array(z.never()).transform(() => ({}))]);
const treeReply = z.object({
  tree: z.object({
    treeVersion: z.string(),
    classId: z.int(),
    ascendClassId: z.int(),
    secondaryAscendClassId: z.int().default(0),
    nodes: z.array(z.int()),
    masteryEffects: masteries.default({}),
  }),
});
const infoReply = z.object({
  info: z.object({ level: z.int(), className: z.string().optional(), ascendClassName: z.string().nullish() }),
});
const statsReply = z.object({ stats: z.record(z.string(), z.unknown()) });
const xmlReply = z.object({ xml: z.string() });

/** Each rejects with an `EngineError` when the fork refuses or answers in another shape, with a `SubprocessError` when it dies. */
export interface ForkProtocol {
  load(build: { readonly xml: string; readonly name: string }, options?: RequestOptions): Promise<void>;
  info(options?: RequestOptions): Promise<z.infer<typeof infoReply>["info"]>;
  /** Node ids in ascending order. */
  tree(options?: RequestOptions): Promise<EngineTree>;
  setTree(tree: TreeInput, options?: RequestOptions): Promise<void>;
  readonly stats: Engine["stats"];
  exportXml(options?: RequestOptions): Promise<string>;
}

export const createForkProtocol = (ask: Ask): ForkProtocol => {
  const call = async (action: string, params: object, options?: RequestOptions): Promise<Message> => {
    const answer = await ask({ action, params }, options);
    if (answer.ok === true) return answer;
    const text = typeof answer.error === "string" ? answer.error : "it failed without a reason";
    const code = classifyForkError(text);
    throw new EngineError(code, text.slice(0, 500), code === "out_of_memory");
  };
  return {
    load: async ({ xml, name }, options) => void (await call("load_build_xml", { xml, name }, options)),
    info: async (options) => parseAnswer(infoReply, await call("get_build_info", {}, options)).info,
    tree: async (options) => {
      const { tree } = parseAnswer(treeReply, await call("get_tree", {}, options));
      return { ...tree, nodes: tree.nodes.toSorted((a, b) => a - b) };
    },
    setTree: async (tree, options) =>
      void (await call("set_tree", { secondaryAscendClassId: 0, masteryEffects: {}, ...tree }, options)),
    stats: async (fields, options) => {
      const names = fields ?? statTable.map(({ name }) => name);
      const reply = parseAnswer(statsReply, await call("get_stats", { fields: names }, options));
      const stats = Object.fromEntries(Object.entries(reply.stats).flatMap(toStat));
      return { stats, unknown: (fields ?? []).filter((name) => !(name in stats)), display: {} };
    },
    exportXml: async (options) => parseAnswer(xmlReply, await call("export_build_xml", {}, options)).xml,
  };
};

/** A number or a text; what is neither is left out. */
const toStat = ([name, value]: readonly [string, unknown]): readonly (readonly [string, number | string])[] => {
  const parsed = scalar.safeParse(value);
  if (!parsed.success) return [];
  return [[name, typeof parsed.data === "boolean" ? String(parsed.data) : parsed.data]];
};

/** The fork answers with a text alone; what it means is read off the words. */
const classifyForkError = (text: string): EngineCode => {
  if (/not enough memory/.test(text)) return "out_of_memory";
  if (/not initialized/.test(text)) return "not_loaded";
  if (/unknown action/.test(text)) return "unsupported";
  if (/missing xml|parse|XML/.test(text)) return "bad_xml";
  return "defect";
};
