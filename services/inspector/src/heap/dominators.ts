/**
 * Which node each node of a heap depends on: without its dominator it would be garbage. So what a node keeps alive is what it dominates. The algorithm is
 * that of Cooper, Harvey and Kennedy, over the nodes in reverse postorder.
 */
import type { HeapGraph } from "./heap-graph.ts";

interface Dominators {
  /** The dominator of each node; -1 for the root and for what it does not reach. */
  readonly of: Int32Array;
  /** Nodes that the root reaches, each after its dominator. */
  readonly order: Int32Array;
}

const unknown = -1;

export const findDominators = (graph: HeapGraph): Dominators => {
  const order = reversePostorder(graph);
  const place = new Int32Array(graph.size).fill(unknown);
  order.forEach((node, at) => {
    place[node] = at;
  });
  const { first, from } = predecessors(graph, place);
  // By places in the order, where a dominator always comes first.
  const found = new Int32Array(order.length).fill(unknown);
  found[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = 1; at < order.length; at++) {
      let best = unknown;
      for (let edge = first[at] ?? 0; edge < (first[at + 1] ?? 0); edge++) {
        const before = from[edge] ?? 0;
        if (found[before] === unknown) continue;
        best = best === unknown ? before : meet(found, before, best);
      }
      if (best === found[at]) continue;
      found[at] = best;
      changed = true;
    }
  }
  const of = new Int32Array(graph.size).fill(unknown);
  for (let at = 1; at < order.length; at++) of[order[at] ?? 0] = order[found[at] ?? 0] ?? 0;
  return { of, order };
};

/** The nearest common dominator of two places. */
const meet = (found: Int32Array, one: number, other: number): number => {
  let [a, b] = [one, other];
  while (a !== b) {
    while (a > b) a = found[a] ?? 0;
    while (b > a) b = found[b] ?? 0;
  }
  return a;
};

const reversePostorder = ({ size, first, to }: HeapGraph): Int32Array => {
  const next = first.slice(0, size);
  const seen = new Uint8Array(size);
  const order = new Int32Array(size);
  let free = size;
  const stack = [0];
  seen[0] = 1;
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    const edge = next[node] ?? 0;
    if (edge === first[node + 1]) {
      stack.pop();
      order[--free] = node;
      continue;
    }
    next[node] = edge + 1;
    const target = to[edge] ?? 0;
    if (seen[target] === 1) continue;
    seen[target] = 1;
    stack.push(target);
  }
  return order.subarray(free);
};

/** The edges into each place, as places. */
const predecessors = ({ size, first, to }: HeapGraph, place: Int32Array) => {
  const reached = place.reduce((sum, at) => (at === unknown ? sum : sum + 1), 0);
  const starts = new Int32Array(reached + 1);
  const visit = (take: (source: number, target: number) => void): void => {
    for (let node = 0; node < size; node++) {
      const source = place[node] ?? unknown;
      if (source === unknown) continue;
      for (let edge = first[node] ?? 0; edge < (first[node + 1] ?? 0); edge++) take(source, place[to[edge] ?? 0] ?? 0);
    }
  };
  visit((_, target) => {
    starts[target + 1] = (starts[target + 1] ?? 0) + 1;
  });
  for (let at = 0; at < reached; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const free = starts.slice(0, reached);
  const from = new Int32Array(starts[reached] ?? 0);
  visit((source, target) => {
    const at = free[target] ?? 0;
    free[target] = at + 1;
    from[at] = source;
  });
  return { first: starts, from };
};
