/** Whatever an upstream's tools become, the difference from what was imported is reported, and nothing else. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDrift, hasDrift, noDrift, type ToolDescription } from "./drift.ts";

const tool = (upstreamName: string, more: Partial<ToolDescription> = {}): ToolDescription => ({
  upstreamName,
  description: "Does it.",
  inputSchema: { type: "object", properties: { a: { type: "string" } } },
  outputSchema: null,
  annotations: {},
  ...more,
});

const described = fc.record({
  upstreamName: fc.string({ minLength: 1, maxLength: 4 }),
  description: fc.string({ maxLength: 5 }),
  inputSchema: fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })),
  outputSchema: fc.option(fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }))),
  annotations: fc.dictionary(fc.constantFrom("readOnlyHint", "title"), fc.boolean()),
});
const lists = fc.uniqueArray(described, { selector: ({ upstreamName }) => upstreamName, maxLength: 6 });

describe("drift", () => {
  it("names what was added, removed and changed, with where", () => {
    const now = [tool("new"), tool("b", { inputSchema: { type: "object", properties: { a: { type: "number" } } } })];
    expect(findDrift([tool("gone"), tool("b")], now)).toEqual({
      added: ["new"],
      removed: ["gone"],
      changed: ["b"],
      changes: [{ tool: "b", path: "inputSchema.properties.a.type", was: '"string"', now: '"number"' }],
    });
  });

  it("is reported for an output schema that comes or goes", () => {
    const promised = tool("a", { outputSchema: { type: "object" } });
    expect(findDrift([tool("a")], [promised]).changes).toEqual([
      { tool: "a", path: "outputSchema", was: "null", now: '{"type":"object"}' },
    ]);
  });

  it("is nothing between a list and itself, in any order", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const again = list.map((each) => structuredClone(each)).toReversed();
        expect(findDrift(list, again)).toEqual(noDrift);
      }),
    );
  });

  it("is the same the other way round, with what was and what is exchanged", () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const there = findDrift(a, b);
        const back = findDrift(b, a);
        expect([back.added, back.removed, back.changed]).toEqual([there.removed, there.added, there.changed]);
        expect(hasDrift(there)).toBe(hasDrift(back));
      }),
    );
  });
});
