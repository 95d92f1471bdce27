/**
 * Path of Building in a fork that speaks JSON lines by itself: `{"action","params"}` and `{"ok",...}`, without ids, strictly one at
 * a time.
 *
 * Its known weaknesses are worked around here: parameters are complete (null ones reset the character), a tree with masteries goes
 * in as XML because its own way loses them, damage is asked for by name, and its own what-if, which ends the process on builds with
 * items, is never used.
 */
import type { Ask, Dialect, Message, RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import { believed, type Engine, type EngineCode, EngineError, type Tree } from "./engine.ts";
import { withTree } from "./spec-text.ts";
import { statTable } from "./stat-table.ts";

export const forkDialect: Dialect = {
  inFlight: 1,
  onTimeout: "kill",
  greeting: (message) =>
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

export const forkEngine = (ask: Ask): Engine => {
  const call = async (action: string, params: object, options?: RequestOptions): Promise<Message> => {
    const answer = await ask({ action, params }, options);
    if (answer.ok === true) return answer;
    const text = typeof answer.error === "string" ? answer.error : "it failed without a reason";
    throw new EngineError(codeOf(text), text.slice(0, 500));
  };
  const tree = async (options?: RequestOptions): Promise<Tree> => {
    const found = believed(treeReply, await call("get_tree", {}, options)).tree;
    return { ...found, nodes: found.nodes.toSorted((a, b) => a - b) };
  };
  const cannot = async (): Promise<never> => {
    throw new EngineError("unsupported", "the fork's protocol cannot do this safely");
  };
  return {
    load: async ({ xml, name, nodes }, options) => {
      await call("load_build_xml", { xml, name }, options);
      const { info } = believed(infoReply, await call("get_build_info", {}, options));
      const loaded = await tree(options);
      const missing = nodes.filter((id) => !loaded.nodes.includes(id)).length;
      return {
        level: info.level,
        className: info.className ?? "",
        ascendancy: info.ascendClassName,
        treeVersion: loaded.treeVersion,
        nodes: loaded.nodes.length,
        warnings:
          missing === 0 ? [] : [`${missing} of the build's nodes do not exist in this tree or are not connected`],
      };
    },
    stats: async (fields, options) => {
      const wanted = fields ?? statTable.map(({ name }) => name);
      const { stats } = believed(statsReply, await call("get_stats", { fields: wanted }, options));
      const plain = Object.entries(stats).flatMap(([name, value]) => {
        const parsed = scalar.safeParse(value);
        return parsed.success
          ? [[name, typeof parsed.data === "boolean" ? String(parsed.data) : parsed.data] as const]
          : [];
      });
      const found = Object.fromEntries(plain);
      return { stats: found, unknown: (fields ?? []).filter((name) => !(name in found)), display: {} };
    },
    tree,
    setTree: async (wanted, options) => {
      if (Object.keys(wanted.masteryEffects ?? {}).length > 0) {
        const { xml } = believed(xmlReply, await call("export_build_xml", {}, options));
        await call("load_build_xml", { xml: withTree(xml, wanted), name: "Fairlead" }, options);
      } else await call("set_tree", { secondaryAscendClassId: 0, masteryEffects: {}, ...wanted }, options);
      const now = await tree(options);
      return {
        tree: now,
        dropped: wanted.nodes
          .filter((id) => !now.nodes.includes(id))
          .map((node) => ({ node, why: "not_connected" as const })),
        added: now.nodes.filter((id) => !wanted.nodes.includes(id)),
      };
    },
    whatIf: cannot,
    apply: cannot,
    parts: cannot,
    exportXml: async (options) => believed(xmlReply, await call("export_build_xml", {}, options)).xml,
    rank: cannot,
    shape: cannot,
  };
};

const codeOf = (text: string): EngineCode => {
  if (/not initialized/.test(text)) return "not_loaded";
  if (/unknown action/.test(text)) return "unsupported";
  if (/missing xml|parse|XML/.test(text)) return "bad_xml";
  return "defect";
};
