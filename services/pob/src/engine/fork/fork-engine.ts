/**
 * Path of Building in a fork that speaks JSON lines by itself (`fork-protocol.ts`), one request of ours after the other.
 *
 * Its known weaknesses are worked around: a tree with masteries goes in as XML, because its own request loses them; changes go in as
 * XML too (`fork-change.ts`). It says yes to builds that it cannot compute, so every load computes a stat.
 */
import type { Ask, RequestOptions } from "@fairlead/kernel/subprocess";
import { parseXml } from "../../build/xml.ts";
import { type BuildParts, type Engine, EngineError, type LoadInput, type TreeInput } from "../engine.ts";
import { createTurnQueue } from "../turn-queue.ts";
import { withTree } from "./changed-build.ts";
import { changeBuild, compareNodes, type ForkProcess, loadXml, requireXml, retryInNewProcess } from "./fork-change.ts";
import { createForkProtocol, type ForkProtocol, type LoadedXml } from "./fork-protocol.ts";
import { notChecked, readParts } from "./parts.ts";

/**
 * @param renew ends the process and gives another one the build as it was before the request
 * @param loaded what the process has loaded; the same for all processes of a session
 */
export const createForkEngine = (ask: Ask, renew: () => Promise<void>, loaded: LoadedXml): Engine => {
  const protocol = createForkProtocol(ask, loaded);
  const fork: ForkProcess = { protocol, renew };
  /** The requests of one call belong together: those of another do not come in between. */
  const inTurn = createTurnQueue();
  return {
    load: (input, options) => inTurn(() => loadBuild(fork, input, options)),
    stats: (fields, options) => inTurn(() => protocol.stats(fields, options)),
    tree: (options) => inTurn(() => protocol.tree(options)),
    setTree: (tree, options) =>
      inTurn(async () => {
        const result = await replaceTree(protocol, tree, options);
        if (loaded.xml !== undefined) loaded.xml = requireXml(withTree(loaded.xml, result.tree));
        return result;
      }),
    whatIf: (changes, fields, options) =>
      inTurn(async () => {
        const { undo, changes: predicted, dropped, computed } = await changeBuild(fork, { changes, fields }, options);
        await undo();
        const unknown = (fields ?? []).filter((name) => !computed.has(name));
        return { changes: predicted, unknown, dropped, notices: [notChecked] };
      }),
    apply: (changes, options) =>
      inTurn(async () => {
        const { dropped, added } = await changeBuild(fork, { changes }, options);
        return { dropped, added, notices: [notChecked] };
      }),
    parts: (options) => inTurn(() => exportParts(protocol, options)),
    exportXml: (options) => inTurn(() => protocol.exportXml(options)),
    named: async () => undefined,
    classes: failUnsupported,
    search: failUnsupported,
    tryAll: failUnsupported,
    plan: failUnsupported,
    rank: failUnsupported,
    layout: failUnsupported,
    treeShape: failUnsupported,
  };
};

const loadBuild = async (
  fork: ForkProcess,
  input: LoadInput,
  options?: RequestOptions,
): Promise<Awaited<ReturnType<Engine["load"]>>> => {
  try {
    return await retryInNewProcess(fork, () => loadAndCompute(fork.protocol, input, options));
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "defect") throw error;
    // The build before it is lost by then: the process cannot be trusted any more.
    throw new EngineError("bad_xml", `Path of Building cannot compute it: ${error.message}`, true);
  }
};

const loadAndCompute = async (
  protocol: ForkProtocol,
  { xml, name, nodes }: LoadInput,
  options?: RequestOptions,
): Promise<Awaited<ReturnType<Engine["load"]>>> => {
  await protocol.load({ xml, name }, options);
  const info = await protocol.info(options);
  const loaded = await protocol.tree(options);
  await protocol.stats(["Life"], options);
  const missing = nodes.filter((id) => !loaded.nodes.includes(id)).length;
  return {
    level: info.level,
    className: info.className ?? "",
    ascendancy: info.ascendClassName,
    treeVersion: loaded.treeVersion,
    nodes: loaded.nodes.length,
    warnings: missing === 0 ? [] : [`${missing} of the build's nodes do not exist in this tree or are not connected`],
    notices: [notChecked],
  };
};

const replaceTree = async (
  protocol: ForkProtocol,
  tree: TreeInput,
  options?: RequestOptions,
): Promise<Awaited<ReturnType<Engine["setTree"]>>> => {
  if (Object.keys(tree.masteryEffects ?? {}).length > 0) {
    await loadXml(protocol, requireXml(withTree((await protocol.readXml(options)).xml, tree)), options);
  } else await protocol.setTree(tree, options);
  const now = await protocol.tree(options);
  return { tree: now, ...compareNodes(tree.nodes, now.nodes), notices: [] };
};

const exportParts = async (protocol: ForkProtocol, options?: RequestOptions): Promise<BuildParts> => {
  const parsed = parseXml((await protocol.readXml(options)).xml);
  if (!parsed.ok) throw new EngineError("defect", `its export cannot be read: ${parsed.why}`);
  return readParts(parsed.root);
};

const failUnsupported = (): Promise<never> =>
  Promise.reject(
    new EngineError(
      "unsupported",
      "the fork's protocol cannot do this: it does not copy its process, and does not say what there is and what is connected",
    ),
  );
