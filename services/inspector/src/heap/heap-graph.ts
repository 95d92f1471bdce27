/** A heap snapshot of V8 as a graph: nodes with their class, size and edges, in flat arrays. Weak edges are left out: they keep nothing alive. */
import type { SnapshotTables } from "./snapshot-reader.ts";

export interface HeapGraph {
  /** Number of nodes; node 0 is the root of all. */
  readonly size: number;
  /** Bytes of each node itself. */
  readonly bytes: Float64Array;
  /** Index into `classes`, for each node. */
  readonly classAt: Int32Array;
  readonly classes: readonly string[];
  /** The edges of node `n` are those from `first[n]` to `first[n + 1]`. */
  readonly first: Int32Array;
  readonly to: Int32Array;
  /** How the edge's target is reached: `.name`, `[*]`, or nothing for what only the engine has. */
  readonly label: (edge: number) => string;
}

/** Objects of the program are called by their class; all else by its kind. */
const named: ReadonlySet<string> = new Set(["object", "native"]);

export const readHeapGraph = ({ meta, nodes, edges, strings }: SnapshotTables): HeapGraph => {
  const { node_fields, node_types, edge_fields, edge_types } = meta;
  const field = (name: string): number => node_fields.indexOf(name);
  const [typeAt, nameAt, sizeAt, countAt] = [field("type"), field("name"), field("self_size"), field("edge_count")];
  const [width, edgeWidth] = [node_fields.length, edge_fields.length];
  const size = nodes.length / width;
  const bytes = new Float64Array(size);
  const classAt = new Int32Array(size);
  const first = new Int32Array(size + 1);
  const numbers = new Map<string, number>();
  const kept = new Uint32Array(Math.ceil(edges.length / edgeWidth));
  let keeping = 0;
  let edge = 0;
  for (let node = 0; node < size; node++) {
    const base = node * width;
    const kind = node_types[0][nodes[base + typeAt] ?? 0] ?? "";
    const name = named.has(kind) ? (strings[nodes[base + nameAt] ?? 0] ?? "") : `(${kind})`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    classAt[node] = number;
    bytes[node] = nodes[base + sizeAt] ?? 0;
    first[node] = keeping;
    for (let left = nodes[base + countAt] ?? 0; left > 0; left--, edge += edgeWidth)
      if (edge_types[0][edges[edge] ?? 0] !== "weak") kept[keeping++] = edge;
  }
  first[size] = keeping;
  const to = Int32Array.from(kept.subarray(0, keeping), (at) => (edges[at + 2] ?? 0) / width);
  const label = (index: number): string => {
    const at = kept[index] ?? 0;
    switch (edge_types[0][edges[at] ?? 0]) {
      case "element":
        return "[*]";
      case "property":
      case "context":
        return `.${strings[edges[at + 1] ?? 0]}`;
      default:
        return "";
    }
  };
  return { size, bytes, classAt, classes: [...numbers.keys()], first, to, label };
};
