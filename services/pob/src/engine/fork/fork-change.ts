/**
 * A change of the loaded build in a fork. Its own what-if ends the process on builds with items, and its own edits answer from an old
 * cache, so neither is used: the change is put into the exported XML, which is loaded and computed. A what-if loads the build as it was
 * again. What the fork's cache kept of one build can spoil the next, which shows when it is computed: then a new process is used.
 */
import { isDeepStrictEqual } from "node:util";
import { type RequestOptions, SubprocessError } from "@fairlead/kernel/subprocess";
import { readTree, summarizeBuild } from "../../build/summary.ts";
import { parseXml } from "../../build/xml.ts";
import { diffStats, type StatDifferences } from "../../stats/stat-change.ts";
import { type BuildChanges, EngineError } from "../engine.ts";
import { type ChangedBuild, findRefusedChange, withChanges } from "./changed-build.ts";
import type { ForkProtocol } from "./fork-protocol.ts";

export interface ForkProcess {
  readonly protocol: ForkProtocol;
  /** Ends the process and gives another one the build as it was before the request. */
  renew(): Promise<void>;
}

interface RequestedChange {
  readonly changes: BuildChanges;
  /** Stats to compare beside those that Path of Building shows. */
  readonly fields?: readonly string[] | undefined;
}

interface DroppedNode {
  readonly node: number;
  readonly why: "not_connected";
}

interface ForkChange {
  readonly changes: StatDifferences;
  /** Names of the stats that the fork has, before or afterwards. */
  readonly computed: ReadonlySet<string>;
  readonly dropped: DroppedNode[];
  /** Nodes that are there now and were not requested. */
  readonly added: number[];
  /** Loads the build as it was before the change. */
  undo(): Promise<void>;
}

/** Loads the build with the changes in it, and computes it. Rejects with `bad_change`, and the build as it was, when one is refused. */
export const changeBuild = async (
  fork: ForkProcess,
  { changes, fields: wanted = [] }: RequestedChange,
  options?: RequestOptions,
): Promise<ForkChange> => {
  const { protocol } = fork;
  const left = shimOnly.filter((name) => changes[name] !== undefined);
  if (left.length > 0) throw new EngineError("unsupported", `the fork's protocol cannot change ${left.join(", ")}`);
  const { xml: before, exported } = await protocol.readXml(options);
  if (!exported && needsLook(changes)) throw new EngineError("unsupported", cannotLook);
  const fields = [...new Set([...(await protocol.statNames(options)), ...readStoredStatNames(before), ...wanted])];
  const old = await protocol.stats(fields, options);
  const changed = requireXml(withChanges(before, changes));
  const undo = (): Promise<void> => restoreBuild(fork, before, old.stats);
  try {
    return await retryInNewProcess(fork, async () => {
      await loadXml(protocol, changed, options);
      const now = await protocol.stats(fields, options);
      const why = exported ? findRefusedChange(await protocol.exportXml(options), changes) : undefined;
      if (why !== undefined) throw new EngineError("bad_change", why);
      const { nodes } = await protocol.tree(options);
      const computed = new Set([...Object.keys(old.stats), ...Object.keys(now.stats)]);
      return { changes: diffStats(old.stats, now.stats), computed, ...compareNodes(readNodeIds(changed), nodes), undo };
    });
  } catch (error) {
    if (processSurvived(error)) await undo();
    throw error;
  }
};

const shimOnly = ["anoints", "sets", "groups", "flasks", "notes"] as const satisfies readonly (keyof BuildChanges)[];

/** Changes that Path of Building may leave out without a word: what it made of them is only seen in its export. */
const needsLook = ({ items = [], gems = [] }: BuildChanges): boolean =>
  items.length > 0 || gems.some(({ name }) => name !== undefined);

const cannotLook = "the fork does not export its build, so it cannot be checked whether it took the item or the gem";

/** Loads a build under a name of ours: its own is not in its XML. */
export const loadXml = (protocol: ForkProtocol, xml: string, options?: RequestOptions): Promise<void> =>
  protocol.load({ xml, name: "Fairlead" }, options);

/** Tries once more in a new process when this one cannot compute it. */
export const retryInNewProcess = async <A>({ renew }: ForkProcess, work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "defect") throw error;
    await renew();
    return await work();
  }
};

/** Which of the requested nodes are missing, and which others are there. */
export const compareNodes = (
  requested: readonly number[],
  loaded: readonly number[],
): Pick<ForkChange, "dropped" | "added"> => ({
  dropped: requested.filter((id) => !loaded.includes(id)).map((node) => ({ node, why: "not_connected" })),
  added: loaded.filter((id) => !requested.includes(id)),
});

export const requireXml = (changed: ChangedBuild): string => {
  if (!changed.ok) throw new EngineError("bad_change", changed.why);
  return changed.xml;
};

type Stats = Awaited<ReturnType<ForkProtocol["stats"]>>["stats"];

/** Loads the build as it was, and believes it when the stats are as they were; a new process otherwise. */
const restoreBuild = async ({ protocol, renew }: ForkProcess, xml: string, old: Stats): Promise<void> => {
  try {
    await loadXml(protocol, xml);
    if (isDeepStrictEqual((await protocol.stats(Object.keys(old))).stats, old)) return;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  await renew();
};

/** Whether the process is still there after this error. */
const processSurvived = (error: unknown): boolean =>
  error instanceof EngineError || (error instanceof SubprocessError && error.fault.kind === "canceled");

const readNodeIds = (xml: string): readonly number[] => {
  const parsed = parseXml(xml);
  return parsed.ok ? (readTree(parsed.root)?.nodes ?? []) : [];
};

/** The stats that an export has stored, which are those that Path of Building shows for this build. */
const readStoredStatNames = (xml: string): readonly string[] => {
  const parsed = parseXml(xml);
  return parsed.ok ? Object.keys(summarizeBuild(parsed.root).storedStats) : [];
};
