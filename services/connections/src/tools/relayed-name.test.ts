/** Names: what every client takes, one for each pair, the same for ever. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relayedName, relayedPrefix } from "./relayed-name.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const accepted = /^[A-Za-z0-9_-]{1,64}$/;

describe("relayedName", () => {
  it.each([
    ["holler", "ping", "holler__ping"],
    ["otlp-mcp", "get_stats", "otlp-mcp__get_stats"],
    ["a_b", "c__d", "a_b__c__d"],
    ["memory", "create_entities", "memory__create_entities"],
  ])("shows %s %s as it is", (connection, tool, expected) => expect(relayedName(connection, tool)).toBe(expected));

  it("stays the same for ever", () => {
    expect(relayedName("files", "read/one")).toBe("files__read_one_wi3isdts");
    const long = relayedName("files", "x".repeat(100));
    expect(long).toHaveLength(64);
    expect(long.startsWith("files__xxxx")).toBe(true);
  });

  it.each([
    [
      ["a_", "b"],
      ["a", "_b"],
    ],
    [
      ["a__b", "c"],
      ["a", "b__c"],
    ],
    [
      ["a", "b/c"],
      ["a", "b_c"],
    ],
    [
      ["a", "b.c"],
      ["a", "b/c"],
    ],
    [
      ["a", "x".repeat(70)],
      ["a", `${"x".repeat(70)}y`],
    ],
    [
      ["a", "\ud800"],
      ["a", "\ud801"],
    ],
    [
      ["a", relayedName("a", "b/c").slice(3)],
      ["a", "b/c"],
    ],
    [
      ["my.srv", "t"],
      ["my_srv", "t"],
    ],
  ])("tells %j from %j", ([a = "", b = ""], [c = "", d = ""]) => expect(relayedName(a, b)).not.toBe(relayedName(c, d)));

  it("is taken by every client, whatever the upstream calls its tools", () => {
    const any = fc.oneof(
      fc.string({ unit: "binary", maxLength: 120 }),
      fc.string({ unit: fc.constantFrom("_", "a", "-", "/") }),
    );
    fc.assert(
      fc.property(any, any, (connection, tool) => {
        const name = relayedName(connection, tool);
        expect(name).toMatch(accepted);
        expect(relayedName(connection, tool)).toBe(name);
        if (connection.length <= 40) expect(name.startsWith(relayedPrefix(connection))).toBe(true);
      }),
      { numRuns: inLongTier ? 5_000 : 1_000 },
    );
  });

  it("gives 100,000 pairs 100,000 names, even when all are cut at the same place (property 11)", () => {
    const names = new Set<string>();
    const long = "a".repeat(60);
    for (let at = 0; at < 50_000; at += 1) {
      names.add(relayedName("files", `${long}${at}`));
      names.add(relayedName(at % 2 === 0 ? "s_" : "s", `${at % 3 === 0 ? "_" : ""}tool.${at >> 1}/${at & 1}`));
    }
    expect(names.size).toBe(100_000);
  });
});
