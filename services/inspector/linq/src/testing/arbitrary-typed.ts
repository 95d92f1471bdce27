/** Random expressions that the binder accepts, over a row of known members, with random rows to run them on. */
import fc from "fast-check";
import { type BinaryOperator, node as frozen, type Node } from "../syntax/ast.ts";
import { numberLiteral } from "../syntax/number-literal.ts";

const at = 0;
const node = (made: Node): Node => frozen(made);
const name = (text: string): Node => node({ kind: "name", at, name: text, escaped: false });
const text = (value: string): Node => node({ kind: "string", at, value });
const binary = (operator: BinaryOperator, left: Node, right: Node): Node =>
  node({ kind: "binary", at, operator, left, right });
const member = (object: Node, wanted: string, lifted = false): Node =>
  node({ kind: "member", at, object, name: wanted, lifted });
const call = (object: Node, wanted: string, given: readonly Node[]): Node =>
  node({ kind: "call", at, object, name: wanted, types: [], arguments: given, lifted: false });

interface Kinds {
  readonly int: Node;
  readonly maybe: Node;
  readonly real: Node;
  readonly text: Node;
  readonly truth: Node;
}

type Kind = keyof Kinds;

const words = ["", "a", "B", "ab", "Zebra", "é"];
const wholes = fc.constantFrom("0", "1", "2", "7", "100", "2147483647", "65536");
const literal = fc.tuple(wholes, fc.boolean()).map(([digits, minus]) => numberLiteral(digits, minus, at));
const realLiteral = fc
  .constantFrom("0.0", "1.5", "0.1", "1e3", "2.25")
  .map((digits) => numberLiteral(digits, false, at));
const relation = fc.constantFrom<BinaryOperator>("<", "<=", ">", ">=", "==", "!=");
const sign = fc.constantFrom<BinaryOperator>("+", "-", "*", "/", "%");

/** Expressions of every kind; inside `Items` bare names are the element's, which has `V` and `W`. */
const grammar = (names: Readonly<Record<Kind, readonly string[]>>, nested: fc.Arbitrary<Kinds> | undefined) =>
  fc.letrec<Kinds>((tie: fc.LetrecTypedTie<Kinds>): fc.LetrecValue<Kinds> => {
    const [int, maybe, real, string, truth] = [tie("int"), tie("maybe"), tie("real"), tie("text"), tie("truth")];
    const named = (kind: Kind): fc.Arbitrary<Node>[] =>
      names[kind].length === 0 ? [] : [fc.constantFrom(...names[kind]).map(name)];
    const choose = (of: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
      fc
        .tuple(truth, of, of)
        .map(([test, whenTrue, whenFalse]) => node({ kind: "conditional", at, test, whenTrue, whenFalse }));
    const limit = { maxDepth: 4, depthIdentifier: "typed" };
    const items = name("Items");
    const lists: fc.Arbitrary<Node>[] =
      nested === undefined
        ? []
        : [
            nested.map((inner) => call(items, "Count", [inner.truth])),
            nested.map((inner) => call(call(items, "Where", [inner.truth]), "Count", [])),
            nested.map((inner) => call(items, "Sum", [inner.int])),
            nested.map((inner) => call(call(items, "Select", [inner.int]), "Sum", [])),
          ];
    const tests: fc.Arbitrary<Node>[] =
      nested === undefined
        ? []
        : [
            nested.map((inner) => call(items, "Any", [inner.truth])),
            nested.map((inner) => call(call(items, "Reverse", []), "All", [inner.truth])),
          ];
    return {
      int: fc.oneof(
        limit,
        literal,
        ...named("int"),
        fc.tuple(sign, int, int).map(([s, a, b]) => binary(s, a, b)),
        int.map((operand) => node({ kind: "unary", at, operator: "-", operand })),
        choose(int),
        fc.tuple(maybe, int).map(([a, b]) => binary("??", a, b)),
        fc.constantFrom(...words).map((word) => member(text(word), "Length")),
        ...lists,
      ),
      maybe: fc.oneof(
        limit,
        ...(names.maybe.length > 0
          ? named("maybe")
          : [
              fc.constant(
                node({
                  kind: "conditional",
                  at,
                  test: node({ kind: "boolean", at, value: true }),
                  whenTrue: node({ kind: "null", at }),
                  whenFalse: numberLiteral("1", false, at),
                }),
              ),
            ]),
        fc.tuple(sign, maybe, int).map(([s, a, b]) => binary(s, a, b)),
        ...(names.text.length > 0 ? [fc.constant(member(name("Name"), "Length", true))] : []),
      ),
      real: fc.oneof(
        limit,
        realLiteral,
        ...named("real"),
        fc.tuple(sign, real, fc.oneof(real, int)).map(([s, a, b]) => binary(s, a, b)),
        fc.tuple(sign, int, real).map(([s, a, b]) => binary(s, a, b)),
        choose(real),
      ),
      text: fc.oneof(
        limit,
        fc.constantFrom(...words).map(text),
        ...named("text"),
        fc.tuple(string, fc.oneof(string, int, truth, maybe)).map(([a, b]) => binary("+", a, b)),
        fc.tuple(int, string).map(([a, b]) => binary("+", a, b)),
        string.map((object) => call(object, "ToUpper", [])),
        choose(string),
        fc.tuple(string, string).map(([a, b]) => binary("??", a, b)),
      ),
      truth: fc.oneof(
        limit,
        fc.boolean().map((value): Node => node({ kind: "boolean", at, value })),
        ...named("truth"),
        fc.tuple(relation, fc.oneof(int, real, maybe), fc.oneof(int, real, maybe)).map(([s, a, b]) => binary(s, a, b)),
        fc.tuple(relation, string, string).map(([s, a, b]) => binary(s, a, b)),
        fc
          .record({
            operator: fc.constantFrom("&&" as const, "||" as const),
            items: fc.array(truth, { minLength: 2, maxLength: 3 }),
          })
          .map((made): Node => node({ kind: "logic", at, ...made })),
        truth.map((operand): Node => node({ kind: "unary", at, operator: "!", operand })),
        fc
          .record({
            item: fc.oneof(int, maybe),
            negated: fc.boolean(),
            list: fc.array(int, { minLength: 1, maxLength: 3 }).map((of) => ({ items: of })),
          })
          .map((made): Node => node({ kind: "in", at, ...made })),
        fc.tuple(string, string).map(([a, b]) => call(a, "Contains", [b])),
        fc
          .tuple(maybe, fc.boolean())
          .map(([a, positive]) => binary(positive ? "==" : "!=", a, node({ kind: "null", at }))),
        ...tests,
      ),
    };
  });

const inner = grammar({ int: ["V"], maybe: [], real: ["W"], text: [], truth: [] }, undefined);
const outer = grammar(
  { int: ["Level"], maybe: ["Hp"], real: ["Ratio"], text: ["Name"], truth: ["Alive"] },
  fc.record({ int: inner.int, maybe: inner.maybe, real: inner.real, text: inner.text, truth: inner.truth }),
);

export const arbitraryExpression: fc.Arbitrary<Node> = fc.oneof(
  outer.int,
  outer.maybe,
  outer.real,
  outer.text,
  outer.truth,
);

export interface Sample {
  readonly Level: number;
  readonly Hp: number | null;
  readonly Ratio: number;
  readonly Name: string | null;
  readonly Alive: boolean;
  readonly Items: readonly { readonly V: number; readonly W: number }[];
}

const whole = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer());
const ratio = fc.oneof(
  fc.constantFrom(0, 0.5, -1.25, 3),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => Math.round(value * 8) / 8),
);

export const arbitrarySample: fc.Arbitrary<Sample> = fc.record({
  Level: whole,
  Hp: fc.option(whole),
  Ratio: ratio,
  Name: fc.option(fc.constantFrom(...words)),
  Alive: fc.boolean(),
  Items: fc.array(fc.record({ V: whole, W: ratio }), { maxLength: 3 }),
});
