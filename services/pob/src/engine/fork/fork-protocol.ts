/**
 * The requests of a fork's own protocol, each with the answer parsed: `{"action","params"}` and `{"ok",...}` as JSON lines, without
 * ids, strictly one at a time. Parameters are complete, because null ones reset the character. A fork may lack what the bridge's
 * specification does not name: what the build is called then comes from its XML, which is kept here.
 *
 * Not here: which requests belong together (`fork-change.ts`, `fork-engine.ts`).
 */
import type { Ask, Dialect, Message, RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import { summarizeBuild } from "../../build/summary.ts";
import { parseXml } from "../../build/xml.ts";
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

type BuildInfo = z.infer<typeof infoReply>["info"];

/**
 * The XML of the build that is in the process: what was last loaded, and the tree that was set since. It outlives the process, as the
 * journal does, and every load replaces it.
 */
export interface LoadedXml {
  xml: string | undefined;
}

/** Each rejects with an `EngineError` when the fork refuses or answers in another shape, with a `SubprocessError` when it dies. */
export interface ForkProtocol {
  load(build: { readonly xml: string; readonly name: string }, options?: RequestOptions): Promise<void>;
  /** Of the loaded build; read from its XML where the fork has no request for it. */
  info(options?: RequestOptions): Promise<BuildInfo>;
  /** Node ids in ascending order. */
  tree(options?: RequestOptions): Promise<EngineTree>;
  setTree(tree: TreeInput, options?: RequestOptions): Promise<void>;
  /** Without names, the fork's own choice and the curated stats. */
  readonly stats: Engine["stats"];
  /** Names of the stats that are answered without names, as far as the loaded build has them. */
  statNames(options?: RequestOptions): Promise<readonly string[]>;
  /** Rejects with `unsupported` where the fork has no request for it. */
  exportXml(options?: RequestOptions): Promise<string>;
  /** The same; the XML that is kept where the fork has no request for it. */
  readXml(options?: RequestOptions): Promise<BuildXml>;
}

interface BuildXml {
  readonly xml: string;
  /** Whether the fork wrote it, and so shows what it made of the build. */
  readonly exported: boolean;
}

export const createForkProtocol = (ask: Ask, loaded: LoadedXml): ForkProtocol => {
  const call = async (action: string, params: object, options?: RequestOptions): Promise<Message> => {
    const answer = await ask({ action, params }, options);
    if (answer.ok === true) return answer;
    const text = typeof answer.error === "string" ? answer.error : "it failed without a reason";
    const code = classifyForkError(text);
    throw new EngineError(code, firstLine(text), code === "out_of_memory");
  };
  const readStats = async (params: object, options?: RequestOptions): Promise<Record<string, number | string>> => {
    const reply = parseAnswer(statsReply, await call("get_stats", params, options));
    return Object.fromEntries(Object.entries(reply.stats).flatMap(toStat));
  };
  let ownNames: readonly string[] | undefined;
  const exportXml: ForkProtocol["exportXml"] = async (options) =>
    parseAnswer(xmlReply, await call("export_build_xml", {}, options)).xml;
  return {
    load: async ({ xml, name }, options) => {
      await call("load_build_xml", { xml, name }, options);
      loaded.xml = xml;
    },
    info: async (options) => {
      const answer = call("get_build_info", {}, options).then((reply) => parseAnswer(infoReply, reply).info);
      return whereUnsupported(answer, () => readInfo(loaded));
    },
    tree: async (options) => {
      const { tree } = parseAnswer(treeReply, await call("get_tree", {}, options));
      return { ...tree, nodes: tree.nodes.toSorted((a, b) => a - b) };
    },
    setTree: async (tree, options) =>
      void (await call("set_tree", { secondaryAscendClassId: 0, masteryEffects: {}, ...tree }, options)),
    stats: async (fields, options) => {
      const stats = {
        ...(fields === undefined && (await readStats({}, options))),
        ...(await readStats({ fields: fields ?? statTable.map(({ name }) => name) }, options)),
      };
      return { stats, unknown: (fields ?? []).filter((name) => !(name in stats)), display: {} };
    },
    statNames: async (options) => {
      ownNames ??= Object.keys(await readStats({}, options));
      return [...new Set([...statTable.map(({ name }) => name), ...ownNames])];
    },
    exportXml,
    readXml: async (options) =>
      whereUnsupported(
        exportXml(options).then((xml) => ({ xml, exported: true })),
        () => ({ xml: requireLoaded(loaded), exported: false }),
      ),
  };
};

/** The answer; what is read otherwise where the fork does not know the request. */
const whereUnsupported = async <A>(answer: Promise<A>, otherwise: () => A): Promise<A> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof EngineError && error.code === "unsupported") return otherwise();
    throw error;
  }
};

const requireLoaded = ({ xml }: LoadedXml): string => {
  if (xml === undefined) throw new EngineError("not_loaded", "no build is loaded");
  return xml;
};

const readInfo = (loaded: LoadedXml): BuildInfo => {
  const parsed = parseXml(requireLoaded(loaded));
  if (!parsed.ok) throw new EngineError("bad_xml", parsed.why);
  const { level, className, ascendancy } = summarizeBuild(parsed.root);
  return { level, className, ascendClassName: ascendancy };
};

/** Of a Lua error: what follows is the traceback. */
const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").trim().slice(0, 500);

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
