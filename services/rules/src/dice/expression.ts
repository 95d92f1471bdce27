/**
 * A dice expression as data: dice with operations on them, numbers, parentheses and the four operators; its bounds, its normal form, and the parts that a sum adds.
 *
 * Not here: reading it (`notation.ts`), rolling it (`resolve/roll.ts`) and its odds (`odds/dice.ts`).
 */

/** Which dice of a set: the highest or lowest ones, or those that show a face. */
export type Selector =
  | { readonly which: "highest" | "lowest"; readonly count: number }
  | { readonly which: "is" | "over" | "under"; readonly face: number };

export type FaceSelector = Extract<Selector, { readonly face: number }>;

/** What is done with dice that were rolled, in the order written. */
export type DiceOperation =
  | { readonly kind: "keep" | "drop"; readonly selectors: readonly Selector[] }
  /** `always` until no die matches; `once`; `add`: one more die, for the first that matches. `explode`: one more die for each, again and again. */
  | { readonly kind: "always" | "once" | "add" | "explode"; readonly selectors: readonly FaceSelector[] }
  | { readonly kind: "least" | "most"; readonly amount: number };

export interface DiceNode {
  readonly kind: "dice";
  readonly count: number;
  readonly sides: number;
  readonly operations: readonly DiceOperation[];
  readonly label?: string;
}

export type Expression =
  | { readonly kind: "flat"; readonly amount: number; readonly label?: string }
  | DiceNode
  | { readonly kind: "group"; readonly of: Expression; readonly label?: string }
  | { readonly kind: "negative"; readonly of: Expression }
  | {
      readonly kind: "sum" | "difference" | "product" | "quotient";
      readonly left: Expression;
      readonly right: Expression;
    };

/** Dice that one die can explode into. */
export const mostExplosions = 10;

export const matchesFace = (selectors: readonly FaceSelector[], face: number): boolean =>
  selectors.some(({ which, face: wanted }) =>
    which === "is" ? face === wanted : which === "over" ? face > wanted : face < wanted,
  );

/** What is kept where one rank is dropped; `undefined` where dice are dropped by their faces, or by several ranks. */
export const keptInstead = (
  selectors: readonly Selector[],
  dice: number,
):
  | { readonly kind: "keep"; readonly selectors: readonly [Extract<Selector, { readonly count: number }>] }
  | undefined => {
  const [only, ...more] = selectors;
  if (only === undefined || "face" in only || more.length > 0) return undefined;
  const which = only.which === "highest" ? "lowest" : "highest";
  return { kind: "keep", selectors: [{ which, count: dice - only.count }] };
};

type DiceRange = readonly [least: number, most: number];

const order = (values: readonly number[]): DiceRange => [Math.min(...values), Math.max(...values)];

/** Results that an expression cannot leave; a die that is dropped counts as 0. */
export const expressionRange = (expression: Expression): DiceRange => {
  switch (expression.kind) {
    case "flat":
      return [expression.amount, expression.amount];
    case "dice":
      return diceRange(expression);
    case "group":
      return expressionRange(expression.of);
    case "negative": {
      const [least, most] = expressionRange(expression.of);
      return [0 - most, 0 - least];
    }
    default: {
      const [a, b] = expressionRange(expression.left);
      const [c, d] = expressionRange(expression.right);
      return combineRanges(expression.kind, [a, b], [c, d]);
    }
  }
};

const combineRanges = (
  kind: "sum" | "difference" | "product" | "quotient",
  [a, b]: DiceRange,
  [c, d]: DiceRange,
): DiceRange => {
  switch (kind) {
    case "sum":
      return [a + c, b + d];
    case "difference":
      return [a - d, b - c];
    case "product":
      return order([a * c, a * d, b * c, b * d]);
    case "quotient":
      return order([a / c, a / d, b / c, b / d].map(Math.floor));
  }
};

/** The same of dice. */
export const diceRange = ({ count, sides, operations }: DiceNode): DiceRange => {
  const grows = operations.some(({ kind }) => kind === "explode");
  const adds = operations.filter(({ kind }) => kind === "add").length;
  const highest = Math.max(sides, ...operations.map((one) => (one.kind === "least" ? one.amount : 0)));
  const lowest = operations.some(({ kind }) => kind === "keep" || kind === "drop") ? 0 : Math.min(count, highest);
  return [lowest, (count * (grows ? mostExplosions + 1 : 1) + adds) * highest];
};

const words = {
  ...{ keep: "k", drop: "p", always: "rr", once: "ro", add: "ra", explode: "e", least: "mi", most: "ma" },
  ...{ highest: "h", lowest: "l", is: "", over: ">", under: "<" },
} as const;

const formatSelector = (selector: Selector): string =>
  "face" in selector ? `${words[selector.which]}${selector.face}` : `${words[selector.which]}${selector.count}`;

const formatOperation = (operation: DiceOperation, dice: number): string => {
  if ("amount" in operation) return `${words[operation.kind]}${operation.amount}`;
  const { kind, selectors } = operation;
  const [first] = selectors;
  if (kind === "keep" && first !== undefined && "count" in first && first.count === 0)
    return `d${first.which === "highest" ? "l" : "h"}${dice}`;
  return selectors.map((one) => `${words[kind]}${formatSelector(one)}`).join("");
};

const operators = { sum: "+", difference: "-", product: "*", quotient: "/" } as const;

const unlabelled = (expression: Expression): string => {
  switch (expression.kind) {
    case "flat":
      return String(expression.amount);
    case "dice":
      return `${expression.count}d${expression.sides}${expression.operations.map((one) => formatOperation(one, expression.count)).join("")}`;
    case "group":
      return `(${formatExpression(expression.of)})`;
    case "negative":
      return `-${formatExpression(expression.of)}`;
    default:
      return `${formatExpression(expression.left)}${operators[expression.kind]}${formatExpression(expression.right)}`;
  }
};

/** Normal form; reading it gives the same expression. */
export const formatExpression = (expression: Expression): string => {
  const label = "label" in expression && expression.label !== undefined ? `[${expression.label}]` : "";
  return `${unlabelled(expression)}${label}`;
};

/** A part of a sum. */
interface Addend {
  readonly sign: 1 | -1;
  readonly of: Expression;
}

/** The parts that are added and subtracted, from left to right. */
export const listAddends = (expression: Expression): readonly Addend[] => {
  switch (expression.kind) {
    case "sum":
      return [...listAddends(expression.left), { sign: 1, of: expression.right }];
    case "difference":
      return [...listAddends(expression.left), { sign: -1, of: expression.right }];
    case "negative":
      return [{ sign: -1, of: expression.of }];
    default:
      return [{ sign: 1, of: expression }];
  }
};
