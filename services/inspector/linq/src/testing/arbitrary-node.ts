/** Random syntax trees that the grammar can write: for the properties of parser, printer and compiler. */
import fc from "fast-check";
import { type BinaryOperator, type NewMember, type Node, node, type TypeNode } from "../syntax/ast.ts";
import { numberLiteral } from "../syntax/number-literal.ts";

const at = 0;
const name = fc.constantFrom("Level", "Name", "x", "_a1", "Äpfel", "Buffs", "Is", "And", "New", "in2");
const plainName = fc.constantFrom("Level", "Name", "x", "_a1", "Äpfel", "Buffs");
const type: fc.Arbitrary<TypeNode> = fc.record({
  at: fc.constant(at),
  name: fc.constantFrom("Life", "int", "GameOffsets.VitalStruct", "string"),
  nullable: fc.boolean(),
});
const number = fc
  .tuple(
    fc.constantFrom("0", "7", "2147483648", "9999999999", "1.5", "1e3", "2f", "3d", "1.10m", "5L", "6U", "7UL"),
    fc.boolean(),
  )
  .map(([text, minus]) => numberLiteral(text, minus && !text.includes("U"), at));

const leaf: fc.Arbitrary<Node> = fc.oneof(
  number,
  fc.string({ maxLength: 6, unit: "binary" }).map((value): Node => node({ kind: "string", at, value })),
  fc.constantFrom("a", "'", "\\", "\n", "\ud800").map((value): Node => node({ kind: "char", at, value })),
  fc.boolean().map((value): Node => node({ kind: "boolean", at, value })),
  fc.constant<Node>(node({ kind: "null", at })),
  fc
    .constantFrom("it" as const, "parent" as const, "root" as const)
    .map((word): Node => node({ kind: "scope", at, word })),
  plainName.map((text): Node => node({ kind: "name", at, name: text, escaped: false })),
  fc.constantFrom("it", "null", "Level").map((text): Node => node({ kind: "name", at, name: text, escaped: true })),
  fc.constant<Node>(node({ kind: "typed", at, type: "DateTime", text: "2026-01-02" })),
);

const operators: readonly BinaryOperator[] = [
  "??",
  "&",
  "|",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "<<",
  ">>",
  "+",
  "-",
  "*",
  "/",
  "%",
];

const memberPath = (text: string): Node => node({ kind: "name", at, name: text, escaped: false });

/** `x in` must be followed by something that does not begin with a bracket. */
const collection: fc.Arbitrary<Node> = fc
  .tuple(plainName, name)
  .map(([first, second]) => node({ kind: "member", at, object: memberPath(first), name: second, lifted: false }));

export const arbitraryNode: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => {
  const inner = tie("node");
  const some = fc.array(inner, { maxLength: 3 });
  const atLeastOne = fc.array(inner, { minLength: 1, maxLength: 3 });
  const member: fc.Arbitrary<NewMember> = fc
    .record({ value: inner, name: fc.option(plainName, { nil: undefined }) })
    .map((made) => node({ at, ...made }));
  return {
    node: fc.oneof(
      { maxDepth: 5, depthIdentifier: "node" },
      leaf,
      fc
        .record({ object: inner, name, lifted: fc.boolean() })
        .map((made): Node => node({ kind: "member", at, ...made })),
      fc
        .record({ object: inner, arguments: atLeastOne, lifted: fc.boolean() })
        .map((made): Node => node({ kind: "index", at, ...made })),
      fc
        .record({ object: inner, name, types: fc.array(type, { maxLength: 2 }), arguments: some, lifted: fc.boolean() })
        .map((made): Node => node({ kind: "call", at, ...made })),
      fc
        .record({ name: plainName, arguments: some })
        .map((made): Node => node({ kind: "call", at, object: undefined, types: [], lifted: false, ...made })),
      fc
        .record({ operator: fc.constantFrom("-" as const, "!" as const), operand: inner })
        .map((made): Node => node({ kind: "unary", at, ...made })),
      fc
        .record({ operator: fc.constantFrom(...operators), left: inner, right: inner })
        .map((made): Node => node({ kind: "binary", at, ...made })),
      fc
        .record({
          operator: fc.constantFrom("&&" as const, "||" as const),
          items: fc.array(inner, { minLength: 2, maxLength: 3 }),
        })
        .map((made): Node => node({ kind: "logic", at, ...made })),
      fc
        .record({ test: inner, whenTrue: inner, whenFalse: inner })
        .map((made): Node => node({ kind: "conditional", at, ...made })),
      fc
        .record({
          item: inner,
          negated: fc.boolean(),
          list: fc.oneof(
            atLeastOne.map((items) => ({ items })),
            collection.map((found) => ({ collection: found })),
          ),
        })
        .map((made): Node => node({ kind: "in", at, ...made })),
      fc
        .record({ parameters: fc.uniqueArray(plainName, { minLength: 1, maxLength: 2 }), body: inner })
        .map((made): Node => node({ kind: "lambda", at, ...made })),
      fc.array(member, { minLength: 1, maxLength: 3 }).map((members): Node => node({ kind: "new", at, members })),
      fc
        .record({
          type: fc.option(
            type.map((made) => ({ ...made, nullable: false })),
            { nil: undefined },
          ),
          items: some,
        })
        .map((made): Node => node({ kind: "newArray", at, ...made })),
      fc
        .record({
          kind: fc.constantFrom("is" as const, "as" as const, "cast" as const),
          value: fc.option(inner, { nil: undefined }),
          type,
        })
        .map((made): Node => node({ at, ...made })),
      fc
        .record({ value: inner, fallback: fc.option(inner, { nil: undefined }) })
        .map((made): Node => node({ kind: "np", at, ...made })),
    ),
  };
}).node;

/** A tree without positions, for comparing. */
export const placeless = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(placeless);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (key === "at" ? [] : [[key, placeless(part)]])),
  );
};
