/**
 * Path of Building in a fork that speaks JSON lines by itself: `{"action","params"}` and `{"ok",...}`, without ids, strictly one at
 * a time.
 *
 * Its known weaknesses are worked around here: parameters are complete (null ones reset the character), a tree with masteries goes
 * in as XML because its own way loses them, and damage is asked for by name. Its own what-if ends the process on builds with items
 * and its own edits answer from an old cache, so neither is used: a change is put into the exported XML, which is loaded; a what-if
 * loads the build as it was again. No request of others comes in between. What its cache kept of one build can spoil the next, which
 * shows when it is computed: then a new process is asked.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type Ask,
  type Dialect,
  type Message,
  type RequestOptions,
  SubprocessError,
} from "@fairlead/kernel/subprocess";
import * as z from "zod";
import { summarise, treeOf } from "../../build/build.ts";
import { parseXml } from "../../build/xml.ts";
import { differences } from "../../stats/stat-change.ts";
import { statTable } from "../../stats/stat-table.ts";
import { believed, type Changes, type Engine, type EngineCode, EngineError, type Tree } from "../engine.ts";
import { type Changed, refused, withChanges, withTree } from "./changed-build.ts";
import { partsOf } from "./parts.ts";

export const forkDialect: Dialect = {
  inFlight: 1,
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

/** `renew` ends the process and gives another one the build as it was before the request. */
export const forkEngine = (ask: Ask, renew: () => Promise<void>): Engine => {
  const call = async (action: string, params: object, options?: RequestOptions): Promise<Message> => {
    const answer = await ask({ action, params }, options);
    if (answer.ok === true) return answer;
    const text = typeof answer.error === "string" ? answer.error : "it failed without a reason";
    const code = codeOf(text);
    throw new EngineError(code, text.slice(0, 500), code === "out_of_memory");
  };
  const tree = async (options?: RequestOptions): Promise<Tree> => {
    const found = believed(treeReply, await call("get_tree", {}, options)).tree;
    return { ...found, nodes: found.nodes.toSorted((a, b) => a - b) };
  };
  const exported = async (options?: RequestOptions): Promise<string> =>
    believed(xmlReply, await call("export_build_xml", {}, options)).xml;

  const stats: Engine["stats"] = async (fields, options) => {
    const wanted = fields ?? statTable.map(({ name }) => name);
    const reply = believed(statsReply, await call("get_stats", { fields: wanted }, options));
    const plain = Object.entries(reply.stats).flatMap(([name, value]) => {
      const parsed = scalar.safeParse(value);
      return parsed.success
        ? [[name, typeof parsed.data === "boolean" ? String(parsed.data) : parsed.data] as const]
        : [];
    });
    const found = Object.fromEntries(plain);
    return { stats: found, unknown: (fields ?? []).filter((name) => !(name in found)), display: {} };
  };

  const reload = async (xml: string, options?: RequestOptions): Promise<void> => {
    await call("load_build_xml", { xml, name: "Fairlead" }, options);
  };

  /** Does it once more in a new process when this one cannot compute it. */
  const afresh = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "defect") throw error;
      await renew();
      return await work();
    }
  };

  /** Loads the build as it was, and believes it when the stats are as they were. */
  const restore = async (xml: string, { stats: old }: Awaited<ReturnType<Engine["stats"]>>): Promise<void> => {
    try {
      await reload(xml);
      if (isDeepStrictEqual((await stats(Object.keys(old))).stats, old)) return;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
    await renew();
  };

  /** Loads the build with the changes in it, and computes it. */
  const change = async (before: string, changes: Changes, options?: RequestOptions) => {
    const fields = [...new Set([...statTable.map(({ name }) => name), ...storedNames(before)])];
    const old = await stats(fields, options);
    const changed = textOf(withChanges(before, changes));
    const undo = (): Promise<void> => restore(before, old);
    try {
      return await afresh(async () => {
        await reload(changed, options);
        const now = await stats(fields, options);
        const why = refused(await exported(options), changes);
        if (why !== undefined) throw new EngineError("bad_change", why);
        const { nodes } = await tree(options);
        const wanted = nodesIn(changed);
        const added = nodes.filter((id) => !wanted.includes(id));
        return { changes: differences(old.stats, now.stats), dropped: droppedOf(wanted, nodes), added, undo };
      });
    } catch (error) {
      if (survived(error)) await undo();
      throw error;
    }
  };

  const load: Engine["load"] = async ({ xml, name, nodes }, options) => {
    await call("load_build_xml", { xml, name }, options);
    const { info } = believed(infoReply, await call("get_build_info", {}, options));
    const loaded = await tree(options);
    await stats(["Life"], options);
    const missing = nodes.filter((id) => !loaded.nodes.includes(id)).length;
    return {
      level: info.level,
      className: info.className ?? "",
      ascendancy: info.ascendClassName,
      treeVersion: loaded.treeVersion,
      nodes: loaded.nodes.length,
      warnings: missing === 0 ? [] : [`${missing} of the build's nodes do not exist in this tree or are not connected`],
    };
  };

  let last: Promise<unknown> = Promise.resolve();
  /** Several requests that belong together, with nobody in between. */
  const together = <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const cannot = async (): Promise<never> => {
    throw new EngineError("unsupported", "the fork's protocol does not say where nodes are and which are connected");
  };

  return {
    load: (input, options) => together(() => afresh(() => load(input, options)).catch(notLoaded)),
    stats: (fields, options) => together(() => stats(fields, options)),
    tree: (options) => together(() => tree(options)),
    setTree: (wanted, options) =>
      together(async () => {
        if (Object.keys(wanted.masteryEffects ?? {}).length > 0) {
          await reload(textOf(withTree(await exported(options), wanted)), options);
        } else await call("set_tree", { secondaryAscendClassId: 0, masteryEffects: {}, ...wanted }, options);
        const now = await tree(options);
        return {
          tree: now,
          dropped: droppedOf(wanted.nodes, now.nodes),
          added: now.nodes.filter((id) => !wanted.nodes.includes(id)),
        };
      }),
    whatIf: (changes, options) =>
      together(async () => {
        const { undo, changes: predicted, dropped } = await change(await exported(options), changes, options);
        await undo();
        return { changes: predicted, dropped };
      }),
    apply: (changes, options) =>
      together(async () => {
        const { dropped, added } = await change(await exported(options), changes, options);
        return { dropped, added };
      }),
    parts: (options) =>
      together(async () => {
        const parsed = parseXml(await exported(options));
        if (!parsed.ok) throw new EngineError("defect", `its export cannot be read: ${parsed.why}`);
        return partsOf(parsed.root);
      }),
    exportXml: (options) => together(() => exported(options)),
    rank: cannot,
    shape: cannot,
  };
};

/** A fork says yes to builds that it cannot compute, and has lost the one before by then. */
const notLoaded = (error: unknown): never => {
  if (!(error instanceof EngineError) || error.code !== "defect") throw error;
  throw new EngineError("bad_xml", `Path of Building cannot compute it: ${error.message}`, true);
};

/** Whether the process is still there after this error. */
const survived = (error: unknown): boolean =>
  error instanceof EngineError || (error instanceof SubprocessError && error.fault.kind === "canceled");

const textOf = (changed: Changed): string => {
  if (!changed.ok) throw new EngineError("bad_change", changed.why);
  return changed.xml;
};

const droppedOf = (wanted: readonly number[], nodes: readonly number[]) =>
  wanted.filter((id) => !nodes.includes(id)).map((node) => ({ node, why: "not_connected" as const }));

const nodesIn = (xml: string): readonly number[] => {
  const parsed = parseXml(xml);
  return parsed.ok ? (treeOf(parsed.root)?.nodes ?? []) : [];
};

/** The stats that an export has stored, which are those that Path of Building shows for this build. */
const storedNames = (xml: string): readonly string[] => {
  const parsed = parseXml(xml);
  return parsed.ok ? Object.keys(summarise(parsed.root).storedStats) : [];
};

const codeOf = (text: string): EngineCode => {
  if (/not enough memory/.test(text)) return "out_of_memory";
  if (/not initialized/.test(text)) return "not_loaded";
  if (/unknown action/.test(text)) return "unsupported";
  if (/missing xml|parse|XML/.test(text)) return "bad_xml";
  return "defect";
};
