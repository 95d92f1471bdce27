/** What a new reading of the declarations would change. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type DeclaredUpstream, planChanges, type UpstreamDeclarations } from "./plan.ts";

const upstream = (url: string, starts = true): DeclaredUpstream => ({
  target: { transport: "http", url, headers: {}, trusted: true, era: "auto", tools: {}, awaitsApproval: false },
  starts,
});

it("names what comes, goes and differs, with the fields that do", () => {
  const before = new Map([
    ["kept", upstream("http://a.example/mcp")],
    ["gone", upstream("http://b.example/mcp?key=secret")],
    ["moved", upstream("http://c.example/mcp")],
    ["off", upstream("http://d.example/mcp")],
  ]);
  const after = new Map([
    ["off", upstream("http://d.example/mcp", false)],
    ["moved", upstream("http://c.example/elsewhere")],
    ["kept", upstream("http://a.example/mcp")],
    ["new", upstream("http://e.example/mcp")],
  ]);
  expect(planChanges(before, after)).toEqual([
    { name: "gone", change: "removed", from: "http://b.example/mcp", to: null, fields: [] },
    {
      name: "moved",
      change: "changed",
      from: "http://c.example/mcp",
      to: "http://c.example/elsewhere",
      fields: ["url"],
    },
    { name: "new", change: "added", from: null, to: "http://e.example/mcp", fields: [] },
    { name: "off", change: "changed", from: "http://d.example/mcp", to: "http://d.example/mcp", fields: ["start"] },
  ]);
});

it("takes no notice of what waits for approval: that is not written down", () => {
  const one = upstream("http://a.example/mcp");
  const waiting = { ...one, target: { ...one.target, awaitsApproval: true } };
  expect(planChanges(new Map([["a", waiting]]), new Map([["a", one]]))).toEqual([]);
});

const declared: fc.Arbitrary<UpstreamDeclarations> = fc
  .dictionary(
    fc.constantFrom("a", "b", "c", "d"),
    fc.record({ at: fc.constantFrom("http://x/", "http://y/"), on: fc.boolean() }),
  )
  .map((all) => new Map(Object.entries(all).map(([name, { at, on }]) => [name, upstream(at, on)])));

it("is empty for what is the same, and what is done by it gives what is written", () => {
  fc.assert(
    fc.property(declared, declared, (before, after) => {
      expect(planChanges(before, before)).toEqual([]);
      const done = new Map(before);
      for (const { name } of planChanges(before, after)) {
        const next = after.get(name);
        if (next === undefined) done.delete(name);
        else done.set(name, next);
      }
      expect(Object.fromEntries(done)).toEqual(Object.fromEntries(after));
    }),
  );
});
