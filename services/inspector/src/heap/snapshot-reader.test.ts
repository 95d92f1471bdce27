/** Snapshots in parts, cut anywhere: the tables are those of the whole text. One longer than a string of V8 is read, one that is none is refused. */
import { constants } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SnapshotReader, type SnapshotTables } from "./snapshot-reader.ts";

const meta = {
  node_fields: ["type", "name", "id", "self_size", "edge_count", "detachedness"],
  node_types: [["object"], "string"],
  edge_fields: ["type", "name_or_index", "to_node"],
  edge_types: [["context"], "string"],
};

const readParts = (parts: Iterable<string>): SnapshotTables => {
  const reader = new SnapshotReader();
  for (const part of parts) reader.write(part);
  return reader.end();
};

const cut = (text: string, at: readonly number[]): readonly string[] => {
  const places = [0, ...at.map((each) => each % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};

const numbers = fc.array(fc.nat(5_000_000_000), { maxLength: 20 });

test("the tables are those of the whole text, wherever it is cut", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "]", "}", "nodes", "ä€\u2028", "\ud800"));
  const snapshots = fc.record({
    nodes: numbers,
    edges: numbers,
    strings: fc.array(text, { maxLength: 8 }),
    space: fc.constantFrom(0, 2),
  });
  fc.assert(
    fc.property(snapshots, fc.array(fc.nat(), { maxLength: 30 }), ({ nodes, edges, strings, space }, at) => {
      const other = { trace_function_infos: [1, [2]], trace_tree: { "a]}": '"\\' }, samples: [], locations: [7, 8] };
      const whole = JSON.stringify(
        { snapshot: { meta, note: 'of "]}\\' }, nodes, edges, ...other, strings },
        null,
        space,
      );
      const found = readParts(cut(whole, at));
      expect({ ...found, nodes: [...found.nodes], edges: [...found.edges] }).toEqual({ meta, nodes, edges, strings });
    }),
    { numRuns: 300 },
  );
});

test.each([
  "",
  "{}",
  "no snapshot",
  '{"nodes":[1,2',
  '{"nodes":[1]}',
  '{"snapshot":[],"nodes":[1]}',
  '{"nodes":{"a":1}}',
  '{"nodes":[1,"x"]}',
  '{"snapshot":{"meta":{}},"strings":["a',
])("%j is refused", (text) => {
  expect(() => readParts([text])).toThrow();
});

if (process.env.TESTS_TIER === "long")
  test("a snapshot longer than a string of V8 is read", () => {
    const passed = "0,".repeat(4_194_304);
    const parts = function* (): Iterable<string> {
      yield `{"snapshot":${JSON.stringify({ meta })},"nodes":[3,4],"edges":[5],"locations":[`;
      for (let length = 0; length <= constants.MAX_STRING_LENGTH; length += passed.length) yield passed;
      yield '0],"strings":["a"]}';
    };
    expect(readParts(parts())).toMatchObject({ strings: ["a"] });
  });
