/** The compiled forms against the naive evaluator: closures and generated source give what it gives, errors included. */
import {
  type BoundNode,
  compile,
  contextFor,
  type Frame,
  type HostAccess,
  LinqError,
  type Node,
  print,
  type Resumable,
  rowScope,
  runToEnd,
} from "@fairlead/linq";
import { Sequence } from "@fairlead/linq/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bind } from "../../linq/src/bind/bind.ts";
import { frameFor } from "../../linq/src/run/evaluate.ts";
import { SourceWriter } from "../../linq/src/source/generate.ts";
import { ReferenceLinkage } from "../../linq/src/source/linkage.ts";
import { arbitraryExpression, arbitrarySample, type Sample } from "../../linq/src/testing/arbitrary-typed.ts";
import { ReferenceFailure, type TaggedValue, untagged, walk } from "../../linq/src/testing/reference.ts";
import { hostAccess } from "../host/access.ts";
import { type AnyDeclaration, properties } from "../host/declaration.ts";
import { Registry } from "../host/registry.ts";
import { sentAway, there } from "../testing/other-process.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";
const runs = inLongTier ? 4_000 : 200;

class Item {
  readonly V: number;
  readonly W: number;
  constructor({ V, W }: { readonly V: number; readonly W: number }) {
    this.V = V;
    this.W = W;
  }
}

class Thing {
  readonly Level: number;
  readonly Hp: number | null;
  readonly Ratio: number;
  readonly Name: string | null;
  readonly Alive: boolean;
  readonly Items: readonly Item[];
  constructor(from: Sample) {
    this.Level = from.Level;
    this.Hp = from.Hp;
    this.Ratio = from.Ratio;
    this.Name = from.Name;
    this.Alive = from.Alive;
    this.Items = from.Items.map((item) => new Item(item));
  }
}

const declarations: readonly AnyDeclaration[] = [
  { kind: "class", name: "Item", constructs: Item, members: properties({ V: "Int32", W: "Double" }) },
  {
    kind: "class",
    name: "Thing",
    constructs: Thing,
    members: properties({
      Level: "Int32",
      Hp: "Int32?",
      Ratio: "Double",
      Name: "String",
      Alive: "Boolean",
      Items: "List<Item>",
    }),
  },
];
const registry = new Registry(declarations);
const host = hostAccess({ registry, roots: [], now: () => 0 });

const tagged = (sample: Sample): TaggedValue => {
  const int = (value: number): TaggedValue => ({ is: "int", of: BigInt(value) });
  const row = (of: Readonly<Record<string, TaggedValue>>): TaggedValue => ({ is: "row", of });
  return row({
    Level: int(sample.Level),
    Hp: sample.Hp === null ? { is: "null" } : int(sample.Hp),
    Ratio: { is: "double", of: sample.Ratio },
    Name: sample.Name === null ? { is: "null", text: true } : { is: "text", of: sample.Name },
    Alive: { is: "truth", of: sample.Alive },
    Items: { is: "list", of: sample.Items.map(({ V, W }) => row({ V: int(V), W: { is: "double", of: W } })) },
  });
};

/** The value, or the code of the error; -0 and 0 are one. */
const outcome = (run: () => unknown): unknown => {
  try {
    const value = run();
    const plain = Sequence.is(value) ? value.items : value;
    return typeof plain === "number" ? plain + 0 : (plain ?? null);
  } catch (error) {
    if (error instanceof LinqError || error instanceof ReferenceFailure) return { error: error.code };
    throw error;
  }
};

const hostThere = (): HostAccess => {
  const { hostAccess: make, Registry: Types } = there();
  return make({ registry: new Types(declarations), roots: [], now: () => 0 });
};

type Run = (row: unknown) => unknown;

/** Direct source as it runs here, and careful source as it is sent elsewhere: linked by recipe. */
const formsOf = (bound: BoundNode, keys: readonly string[]): readonly Run[] => {
  const linkage = new ReferenceLinkage(keys);
  const writer = new SourceWriter(host, linkage, "direct");
  const body = writer.write(bound);
  const direct = linkage.made(`function* (r, f) { ${writer.declarations} return ${body}; }`) as (
    row: unknown,
    frame: Frame,
  ) => Resumable<unknown>;
  const careful = sentAway(bound, host, hostThere());
  return [
    (row) => runToEnd(direct(row, frameFor({ host }))),
    (row) => {
      const frame = frameFor({ host });
      frame.slots[0] = row;
      return careful(frame);
    },
  ];
};

test("property: closures and generated source agree with the naive evaluator", () => {
  const seen = { values: 0, errors: 0 };
  fc.assert(
    fc.property(arbitraryExpression, fc.array(arbitrarySample, { minLength: 1, maxLength: 3 }), (tree, samples) => {
      const context = contextFor({ host });
      const bound = bind(tree, rowScope(registry.type("Thing")), context);
      const code = compile(bound, host);
      const forms = formsOf(bound, []);
      for (const sample of samples) {
        const row = new Thing(sample);
        const frame = frameFor({ host });
        frame.slots[0] = row;
        const expected = outcome(() => untagged(walk(tree, [tagged(sample)])));
        const title = `${print(tree)} on ${JSON.stringify(sample)}`;
        expect([title, outcome(() => code(frame))]).toEqual([title, expected]);
        for (const run of forms) expect([title, outcome(() => run(row))]).toEqual([title, expected]);
        seen[typeof expected === "object" && expected !== null && "error" in expected ? "errors" : "values"]++;
      }
    }),
    { numRuns: runs },
  );
  expect(seen.values).toBeGreaterThan(runs / 4);
  expect(seen.errors).toBeGreaterThan(runs / 200);
});

test("property: on undeclared rows closures and generated source agree with each other", () => {
  const keys = ["Level", "Hp", "Ratio", "Name", "Alive", "Items"];
  const seen = { values: 0, errors: 0 };
  fc.assert(
    fc.property(arbitraryExpression, fc.array(arbitrarySample, { minLength: 1, maxLength: 3 }), (tree, samples) => {
      const bound = boundOrNot(tree);
      if (bound === undefined) return;
      const code = compile(bound, host);
      const forms = formsOf(bound, keys);
      for (const sample of samples) {
        const frame = frameFor({ host });
        frame.slots[0] = sample;
        const expected = outcome(() => code(frame));
        for (const run of forms) expect([print(tree), outcome(() => run(sample))]).toEqual([print(tree), expected]);
        seen[typeof expected === "object" && expected !== null && "error" in expected ? "errors" : "values"]++;
      }
    }),
    { numRuns: runs },
  );
  expect(seen.values).toBeGreaterThan(runs / 4);
  expect(seen.errors).toBeGreaterThan(runs / 200);
});

/** Undefined for what the binder refuses of undeclared data, like a `??` that can never be needed. */
const boundOrNot = (tree: Node): BoundNode | undefined => {
  try {
    return bind(tree, rowScope(registry.type("object")), contextFor({ host }));
  } catch (error) {
    if (error instanceof LinqError) return undefined;
    throw error;
  }
};
