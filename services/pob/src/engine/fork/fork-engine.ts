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
import { readTree, summarizeBuild } from "../../build/summary.ts";
import { parseXml } from "../../build/xml.ts";
import { diffStats } from "../../stats/stat-change.ts";
import { statTable } from "../../stats/stat-table.ts";
import {
  type BuildChanges,
  type Engine,
  type EngineCode,
  EngineError,
  type EngineTree,
  parseAnswer,
} from "../engine.ts";
import { type ChangedBuild, findRefusedChange, withChanges, withTree } from "./changed-build.ts";
import { readParts } from "./parts.ts";

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
export const createForkEngine = (ask: Ask, renew: () => Promise<void>): Engine => {
  const call = async (action: string, params: object, options?: RequestOptions): Promise<Message> => {
    const answer = await ask({ action, params }, options);
    if (answer.ok === true) return answer;
    const text = typeof answer.error === "string" ? answer.error : "it failed without a reason";
    const code = classifyForkError(text);
    throw new EngineError(code, text.slice(0, 500), code === "out_of_memory");
  };
  const tree = async (options?: RequestOptions): Promise<EngineTree> => {
    const found = parseAnswer(treeReply, await call("get_tree", {}, options)).tree;
    return { ...found, nodes: found.nodes.toSorted((a, b) => a - b) };
  };
  const exportXml = async (options?: RequestOptions): Promise<string> =>
    parseAnswer(xmlReply, await call("export_build_xml", {}, options)).xml;

  const stats: Engine["stats"] = async (fields, options) => {
    const wanted = fields ?? statTable.map(({ name }) => name);
    const reply = parseAnswer(statsReply, await call("get_stats", { fields: wanted }, options));
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
  const retryInNewProcess = async <A>(work: () => Promise<A>): Promise<A> => {
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
  const change = async (before: string, changes: BuildChanges, options?: RequestOptions) => {
    const fields = [...new Set([...statTable.map(({ name }) => name), ...readStoredStatNames(before)])];
    const old = await stats(fields, options);
    const changed = requireXml(withChanges(before, changes));
    const undo = (): Promise<void> => restore(before, old);
    try {
      return await retryInNewProcess(async () => {
        await reload(changed, options);
        const now = await stats(fields, options);
        const why = findRefusedChange(await exportXml(options), changes);
        if (why !== undefined) throw new EngineError("bad_change", why);
        const { nodes } = await tree(options);
        const wanted = readNodeIds(changed);
        const added = nodes.filter((id) => !wanted.includes(id));
        return { changes: diffStats(old.stats, now.stats), dropped: findDroppedNodes(wanted, nodes), added, undo };
      });
    } catch (error) {
      if (processSurvived(error)) await undo();
      throw error;
    }
  };

  const load: Engine["load"] = async ({ xml, name, nodes }, options) => {
    await call("load_build_xml", { xml, name }, options);
    const { info } = parseAnswer(infoReply, await call("get_build_info", {}, options));
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
  const runInTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const failUnsupported = async (): Promise<never> => {
    throw new EngineError("unsupported", "the fork's protocol does not say where nodes are and which are connected");
  };

  return {
    load: (input, options) => runInTurn(() => retryInNewProcess(() => load(input, options)).catch(failLoad)),
    stats: (fields, options) => runInTurn(() => stats(fields, options)),
    tree: (options) => runInTurn(() => tree(options)),
    setTree: (wanted, options) =>
      runInTurn(async () => {
        if (Object.keys(wanted.masteryEffects ?? {}).length > 0) {
          await reload(requireXml(withTree(await exportXml(options), wanted)), options);
        } else await call("set_tree", { secondaryAscendClassId: 0, masteryEffects: {}, ...wanted }, options);
        const now = await tree(options);
        return {
          tree: now,
          dropped: findDroppedNodes(wanted.nodes, now.nodes),
          added: now.nodes.filter((id) => !wanted.nodes.includes(id)),
        };
      }),
    whatIf: (changes, options) =>
      runInTurn(async () => {
        const { undo, changes: predicted, dropped } = await change(await exportXml(options), changes, options);
        await undo();
        return { changes: predicted, dropped };
      }),
    apply: (changes, options) =>
      runInTurn(async () => {
        const { dropped, added } = await change(await exportXml(options), changes, options);
        return { dropped, added };
      }),
    parts: (options) =>
      runInTurn(async () => {
        const parsed = parseXml(await exportXml(options));
        if (!parsed.ok) throw new EngineError("defect", `its export cannot be read: ${parsed.why}`);
        return readParts(parsed.root);
      }),
    exportXml: (options) => runInTurn(() => exportXml(options)),
    rank: failUnsupported,
    layout: failUnsupported,
  };
};

/** A fork says yes to builds that it cannot compute, and has lost the one before by then. */
const failLoad = (error: unknown): never => {
  if (!(error instanceof EngineError) || error.code !== "defect") throw error;
  throw new EngineError("bad_xml", `Path of Building cannot compute it: ${error.message}`, true);
};

/** Whether the process is still there after this error. */
const processSurvived = (error: unknown): boolean =>
  error instanceof EngineError || (error instanceof SubprocessError && error.fault.kind === "canceled");

const requireXml = (changed: ChangedBuild): string => {
  if (!changed.ok) throw new EngineError("bad_change", changed.why);
  return changed.xml;
};

const findDroppedNodes = (wanted: readonly number[], nodes: readonly number[]) =>
  wanted.filter((id) => !nodes.includes(id)).map((node) => ({ node, why: "not_connected" as const }));

const readNodeIds = (xml: string): readonly number[] => {
  const parsed = parseXml(xml);
  return parsed.ok ? (readTree(parsed.root)?.nodes ?? []) : [];
};

/** The stats that an export has stored, which are those that Path of Building shows for this build. */
const readStoredStatNames = (xml: string): readonly string[] => {
  const parsed = parseXml(xml);
  return parsed.ok ? Object.keys(summarizeBuild(parsed.root).storedStats) : [];
};

const classifyForkError = (text: string): EngineCode => {
  if (/not enough memory/.test(text)) return "out_of_memory";
  if (/not initialized/.test(text)) return "not_loaded";
  if (/unknown action/.test(text)) return "unsupported";
  if (/missing xml|parse|XML/.test(text)) return "bad_xml";
  return "defect";
};
