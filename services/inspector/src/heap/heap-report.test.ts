/** Counts, what is kept alive and holders of small heaps, against what a definition says: a node keeps alive what is not reached without it. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findDominators } from "./dominators.ts";
import type { HeapGraph } from "./heap-graph.ts";
import { readHeapGraph } from "./heap-graph.ts";
import { reportHeap } from "./heap-report.ts";
import { SnapshotReader, type SnapshotTables } from "./snapshot-reader.ts";

const readSnapshot = (text: string): SnapshotTables => {
  const reader = new SnapshotReader();
  reader.write(text);
  return reader.end();
};

/** Of edges by node: every node has 10 bytes and a class of its own. */
const graphFrom = (edges: readonly (readonly number[])[]): HeapGraph => {
  const size = edges.length;
  const first = new Int32Array(size + 1);
  edges.forEach((targets, node) => {
    first[node + 1] = (first[node] ?? 0) + targets.length;
  });
  const classes = edges.map((_, node) => `C${node}`);
  return {
    size,
    bytes: new Float64Array(size).fill(10),
    classAt: Int32Array.from(classes.keys()),
    classes,
    first,
    to: Int32Array.from(edges.flat()),
    label: () => "",
  };
};

const reachedWithout = (edges: readonly (readonly number[])[], left: number | undefined): ReadonlySet<number> => {
  const seen = new Set<number>();
  const open = left === 0 ? [] : [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node) || node === left) continue;
    seen.add(node);
    open.push(...(edges[node] ?? []));
  }
  return seen;
};

const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 4 }), { minLength: size, maxLength: size }),
  );

test("what a node keeps alive is what nothing reaches without it", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const all = reachedWithout(edges, undefined);
      const { classes } = reportHeap(graphFrom(edges), undefined);
      for (let node = 1; node < edges.length; node++) {
        const kept = all.has(node) ? all.size - reachedWithout(edges, node).size : 1;
        expect(classes.find(({ name }) => name === `C${node}`)?.retained).toBe(10 * kept);
      }
    }),
    { numRuns: 500 },
  );
});

test("a chain of a million nodes is no problem of depth", () => {
  const size = 1_000_000;
  const to = Int32Array.from({ length: size - 1 }, (_, node) => node + 1);
  const first = Int32Array.from({ length: size + 1 }, (_, node) => Math.min(node, size - 1));
  const { of } = findDominators({
    size,
    first,
    to,
    bytes: new Float64Array(size),
    classAt: new Int32Array(size),
    classes: ["C"],
    label: () => "",
  });
  expect(of[size - 1]).toBe(size - 2);
});

test("a text of the engine's form is read: classes, kinds, weak edges, names of edges", () => {
  const text = JSON.stringify({
    snapshot: {
      meta: {
        node_fields: ["type", "name", "id", "self_size", "edge_count"],
        node_types: [["synthetic", "object", "string"], "string", "number", "number", "number"],
        edge_fields: ["type", "name_or_index", "to_node"],
        edge_types: [["property", "element", "weak", "internal"], "string_or_number", "node"],
      },
    },
    // root -> cache -> [0] -> Order -> "a"; root weakly -> Order
    nodes: [0, 0, 1, 0, 2, 1, 1, 3, 16, 1, 1, 2, 5, 32, 1, 2, 3, 7, 8, 0],
    edges: [0, 4, 5, 2, 5, 10, 1, 0, 10, 0, 5, 15],
    strings: ["", "Array", "Order", "a", "cache", "name"],
  });
  const { classes, holders } = reportHeap(readHeapGraph(readSnapshot(text)), "Order");
  expect(classes.find(({ name }) => name === "Order")).toEqual({ name: "Order", count: 1, bytes: 32, retained: 40 });
  expect(holders).toEqual([{ path: "cache[*]", count: 1 }]);
});
