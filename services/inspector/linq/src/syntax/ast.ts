/**
 * The syntax tree: small frozen nodes with literal kinds. What was written, not what it means: names are not resolved and
 * numbers are still text. Every node knows where it began (`at`) so that errors can point there.
 */

export type NumberType = "Int32" | "UInt32" | "Int64" | "UInt64" | "Single" | "Double" | "Decimal";

interface NodePlace {
  /** First character of what the node's errors should point at. */
  readonly at: number;
}

/** `text` is canonical: decimal digits with an optional minus for whole numbers, as written without suffix for reals. */
export interface NumberNode extends NodePlace {
  readonly kind: "number";
  readonly type: NumberType;
  readonly text: string;
}
export interface StringNode extends NodePlace {
  readonly kind: "string";
  readonly value: string;
}
interface CharNode extends NodePlace {
  readonly kind: "char";
  readonly value: string;
}
interface BooleanNode extends NodePlace {
  readonly kind: "boolean";
  readonly value: boolean;
}
interface NullNode extends NodePlace {
  readonly kind: "null";
}
/** `it`, `parent`, `root` and their signs. */
export interface ScopeNode extends NodePlace {
  readonly kind: "scope";
  readonly word: "it" | "parent" | "root";
}
/** A bare name; `escaped` when written `@name`, which is never a keyword. */
export interface NameNode extends NodePlace {
  readonly kind: "name";
  readonly name: string;
  readonly escaped: boolean;
}
export interface MemberNode extends NodePlace {
  readonly kind: "member";
  readonly object: Node;
  readonly name: string;
  /** Written `?.`: null when the object is. */
  readonly lifted: boolean;
}
export interface IndexNode extends NodePlace {
  readonly kind: "index";
  readonly object: Node;
  readonly arguments: readonly Node[];
  readonly lifted: boolean;
}
/** A method (`object` present) or a function, type conversion or method of `it` (absent). */
export interface CallNode extends NodePlace {
  readonly kind: "call";
  readonly object: Node | undefined;
  readonly name: string;
  readonly types: readonly TypeNode[];
  readonly arguments: readonly Node[];
  readonly lifted: boolean;
}
export interface UnaryNode extends NodePlace {
  readonly kind: "unary";
  readonly operator: "-" | "!";
  readonly operand: Node;
}
export type BinaryOperator =
  | "??"
  | "&"
  | "|"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "<<"
  | ">>"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";
export interface BinaryNode extends NodePlace {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}
/** `&&` and `||` are flat, so that a long condition is not a deep tree. */
export interface LogicNode extends NodePlace {
  readonly kind: "logic";
  readonly operator: "&&" | "||";
  readonly items: readonly Node[];
}
export interface ConditionalNode extends NodePlace {
  readonly kind: "conditional";
  readonly test: Node;
  readonly whenTrue: Node;
  readonly whenFalse: Node;
}
/** `x in (a, b)` with `items`, or `x in Collection` with `collection`. */
export interface InNode extends NodePlace {
  readonly kind: "in";
  readonly item: Node;
  readonly negated: boolean;
  readonly list: { readonly items: readonly Node[] } | { readonly collection: Node };
}
export interface LambdaNode extends NodePlace {
  readonly kind: "lambda";
  readonly parameters: readonly string[];
  readonly body: Node;
}
export interface NewMember extends NodePlace {
  readonly value: Node;
  /** As given by `as` or `=`; absent when implied by the value. */
  readonly name: string | undefined;
}
export interface NewNode extends NodePlace {
  readonly kind: "new";
  readonly members: readonly NewMember[];
}
export interface NewArrayNode extends NodePlace {
  readonly kind: "newArray";
  readonly type: TypeNode | undefined;
  readonly items: readonly Node[];
}
/** `x is T`, `x as T`, `cast(x, "T")` and their function forms; without a value they mean `it`. */
export interface TypeTestNode extends NodePlace {
  readonly kind: "is" | "as" | "cast";
  readonly value: Node | undefined;
  readonly type: TypeNode;
}
/** `np(path)` and `np(path, fallback)`. */
export interface NullSafeNode extends NodePlace {
  readonly kind: "np";
  readonly value: Node;
  readonly fallback: Node | undefined;
}
/** `DateTime"2026-01-02"`. */
interface TypedLiteralNode extends NodePlace {
  readonly kind: "typed";
  readonly type: string;
  readonly text: string;
}

/** A type's name as written: dotted, perhaps with `?`. Not an expression. */
export interface TypeNode extends NodePlace {
  readonly name: string;
  readonly nullable: boolean;
}

/** A node of the syntax tree. */
export type Node =
  | NumberNode
  | StringNode
  | CharNode
  | BooleanNode
  | NullNode
  | ScopeNode
  | NameNode
  | MemberNode
  | IndexNode
  | CallNode
  | UnaryNode
  | BinaryNode
  | LogicNode
  | ConditionalNode
  | InNode
  | LambdaNode
  | NewNode
  | NewArrayNode
  | TypeTestNode
  | NullSafeNode
  | TypedLiteralNode;

/** One key of an ordering. */
export interface OrderKey extends NodePlace {
  readonly value: Node;
  readonly descending: boolean;
}

/** Freezes a node; lists inside are frozen too. */
export const node = <N extends Node | NewMember | TypeNode | OrderKey>(made: N): N => {
  for (const part of Object.values(made)) if (Array.isArray(part)) Object.freeze(part);
  return Object.freeze(made);
};

/** The nodes directly below one. */
const children = (parent: Node): readonly Node[] => {
  switch (parent.kind) {
    case "number":
    case "string":
    case "char":
    case "boolean":
    case "null":
    case "scope":
    case "name":
    case "typed":
      return [];
    case "member":
      return [parent.object];
    case "index":
      return [parent.object, ...parent.arguments];
    case "call":
      return parent.object === undefined ? parent.arguments : [parent.object, ...parent.arguments];
    case "unary":
      return [parent.operand];
    case "binary":
      return [parent.left, parent.right];
    case "logic":
      return parent.items;
    case "conditional":
      return [parent.test, parent.whenTrue, parent.whenFalse];
    case "in":
      return "items" in parent.list ? [parent.item, ...parent.list.items] : [parent.item, parent.list.collection];
    case "lambda":
      return [parent.body];
    case "new":
      return parent.members.map(({ value }) => value);
    case "newArray":
      return parent.items;
    case "is":
    case "as":
    case "cast":
      return parent.value === undefined ? [] : [parent.value];
    case "np":
      return parent.fallback === undefined ? [parent.value] : [parent.value, parent.fallback];
  }
};

/** Levels of a tree; a leaf is 1. */
export const treeDepth = (root: Node): number => {
  let deepest = 0;
  const open: [Node, number][] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, depth] = next;
    if (depth > deepest) deepest = depth;
    for (const child of children(current)) open.push([child, depth + 1]);
  }
  return deepest;
};
