/** What a heap snapshot says: how many objects of each class there are, what they keep alive, and by what the objects of one class are held. */
import { findDominators } from "./dominators.ts";
import type { HeapGraph } from "./heap-graph.ts";

export interface ClassShare {
  readonly name: string;
  readonly count: number;
  /** Bytes of the objects themselves. */
  readonly bytes: number;
  /** Bytes that would be free without them. */
  readonly retained: number;
}

interface HeapHolder {
  /** Way from a root of the heap, with * for any element. */
  readonly path: string;
  readonly count: number;
}

export interface HeapReport {
  readonly classes: readonly ClassShare[];
  /** Of the class that was asked for, those with most objects first. */
  readonly holders: readonly HeapHolder[];
}

/** Steps of a path that are shown, the last ones. */
const mostSteps = 12;
const mostHolders = 20;

export const reportHeap = (graph: HeapGraph, wanted: string | undefined): HeapReport => ({
  classes: shareOut(graph),
  holders: wanted === undefined ? [] : findHolders(graph, wanted),
});

const shareOut = (graph: HeapGraph): readonly ClassShare[] => {
  const { bytes, classAt, classes, size } = graph;
  const { of, order } = findDominators(graph);
  const retained = bytes.slice();
  for (let at = order.length - 1; at > 0; at--) {
    const node = order[at] ?? 0;
    const above = of[node] ?? 0;
    retained[above] = (retained[above] ?? 0) + (retained[node] ?? 0);
  }
  const shares = classes.map((name) => ({ name, count: 0, bytes: 0, retained: 0 }));
  /** The nearest node above of the same class; what that one retains has this one in it. */
  const isInside = insideOwnClass(graph, of, order);
  for (let node = 1; node < size; node++) {
    const share = shares[classAt[node] ?? 0];
    if (share === undefined) continue;
    share.count++;
    share.bytes += bytes[node] ?? 0;
    if (isInside[node] === 0) share.retained += retained[node] ?? 0;
  }
  return shares.filter(({ count }) => count > 0);
};

/** 1 for each node that a node of its own class dominates. */
const insideOwnClass = ({ size, classAt }: HeapGraph, of: Int32Array, order: Int32Array): Uint8Array => {
  const inside = new Uint8Array(size);
  const children = new Map<number, number[]>();
  for (let at = 1; at < order.length; at++) {
    const node = order[at] ?? 0;
    const above = of[node] ?? 0;
    const list = children.get(above);
    if (list === undefined) children.set(above, [node]);
    else list.push(node);
  }
  const open = new Map<number, number>();
  const stack: { readonly node: number; isLeft: boolean }[] = [{ node: 0, isLeft: false }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const kind = classAt[top.node] ?? 0;
    const before = open.get(kind) ?? 0;
    if (top.isLeft) {
      open.set(kind, before - 1);
      stack.pop();
      continue;
    }
    top.isLeft = true;
    inside[top.node] = before > 0 ? 1 : 0;
    open.set(kind, before + 1);
    for (const node of children.get(top.node) ?? []) stack.push({ node, isLeft: false });
  }
  return inside;
};

/** The shortest ways from the root to the objects of a class, by their form. */
const findHolders = (graph: HeapGraph, wanted: string): readonly HeapHolder[] => {
  const kind = graph.classes.indexOf(wanted);
  const { parent, by } = shortestWays(graph);
  const counts = new Map<string, number>();
  for (let node = 1; node < graph.size; node++) {
    if (graph.classAt[node] !== kind || parent[node] === -1) continue;
    const path = writePath(graph, node, { parent, by });
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts]
    .map(([path, count]) => ({ path, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, mostHolders);
};

interface Ways {
  /** The node before each node; -1 where there is no way. */
  readonly parent: Int32Array;
  /** The edge from there. */
  readonly by: Int32Array;
}

const shortestWays = ({ size, first, to }: HeapGraph): Ways => {
  const parent = new Int32Array(size).fill(-1);
  const by = new Int32Array(size);
  const queue = new Int32Array(size);
  let end = 1;
  for (let at = 0; at < end; at++) {
    const node = queue[at] ?? 0;
    for (let edge = first[node] ?? 0; edge < (first[node + 1] ?? 0); edge++) {
      const target = to[edge] ?? 0;
      if (target === 0 || parent[target] !== -1) continue;
      parent[target] = node;
      by[target] = edge;
      queue[end++] = target;
    }
  }
  return { parent, by };
};

const writePath = (graph: HeapGraph, node: number, { parent, by }: Ways): string => {
  const steps: string[] = [];
  for (let at = node; at > 0 && steps.length < mostSteps; at = parent[at] ?? 0) {
    const label = graph.label(by[at] ?? 0);
    if (label !== "") steps.unshift(label);
  }
  return steps.join("").replace(/^\./, "");
};
