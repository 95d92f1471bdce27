/** Values whose declared class derives from the one that their place declares: the member's type is that of the class that has it. */
import { afterAll, expect, test } from "vitest";
import { inspect, properties } from "../host.ts";

class Part {
  readonly Weight = 2;
}
class Wheel extends Part {
  readonly Spokes = 7;
  readonly Width = Math.fround(0.1);
  readonly Size = 3;
}
class Sail extends Part {
  readonly Size = "wide";
}

const declared = (name: string, constructs: new () => object, types: Readonly<Record<string, string>>) =>
  ({
    kind: "class",
    name,
    constructs,
    members: properties(types),
    ...(name === "Part" ? {} : { base: "Part" }),
  }) as const;

const { ask, close } = inspect(
  { Parts: [new Wheel(), new Sail(), new Part()] },
  {
    rootTypes: { Parts: "List<Part>" },
    types: [
      declared("Part", Part, { Weight: "Int32" }),
      declared("Wheel", Wheel, { Spokes: "Int32", Width: "Single", Size: "Int32" }),
      declared("Sail", Sail, { Size: "String" }),
    ],
  },
);
afterAll(close);

test.each([
  ["Parts[0].Spokes / 2", 3],
  ["Parts[0].Width", 0.1],
  ["Parts.Where(it is Wheel && Spokes / 4 == 1).Count()", 1],
  ["Parts[0].Size", 3],
  ["Parts[1].Size", "wide"],
  ["(Parts[0] as Wheel).Size / 2", 1],
])("%s", (expr, value) => {
  expect(ask("eval", { expr })).toMatchObject({ ok: true, value });
});

test("functions of a base are for every class declared to derive from it, whatever JavaScript's classes are", () => {
  class Alone {
    readonly Children = ["a", "b"];
  }
  const { ask: askAlone, close: closeAlone } = inspect(
    { Panel: new Alone() },
    {
      types: [
        {
          name: "Element",
          kind: "class",
          constructs: class Never {},
          members: [{ name: "Depth", kind: "property", type: "Int32", read: () => 3 }],
          methods: [{ name: "Path", returns: "String", pure: () => "0->1" }],
          indexer: { key: "Int32", type: "String", read: (owner, at) => (owner as Alone).Children[Number(at)] },
        },
        { name: "Panel", kind: "class", base: "Element", constructs: Alone },
      ],
    },
  );
  for (const [expr, value] of [
    ["Panel.Depth / 2", 1],
    ["Panel.Path()", "0->1"],
    ["Panel[1]", "b"],
  ])
    expect(askAlone("eval", { expr })).toMatchObject({ ok: true, value });
  closeAlone();
});

test("another class lacks the member", () => {
  const unknown = { code: "unknown_member", position: 9, message: expect.stringContaining("'Sail'") };
  expect(ask("eval", { expr: "Parts[1].Spokes" })).toMatchObject({ ok: false, problem: unknown });
  const inQuery = ask("query", { from: "Parts", where: "Spokes > 1" });
  expect(inQuery).toMatchObject({ ok: false, problem: { code: "unknown_member", part: "where", position: 0 } });
});
