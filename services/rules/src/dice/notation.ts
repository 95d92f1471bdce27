/**
 * Dice notation: `2d6+1d4-3`, `4d6kh3`, `2d6ro<3`, `(1d8+2)*2`, `2d6[fire]`. A text becomes an expression, within caps.
 *
 *   expression = [ "-" ] product { ( "+" | "-" ) product }
 *   product    = factor { ( "*" factor ) | ( "/" number ) }
 *   factor     = ( number | dice | "(" expression ")" ) [ "[" label "]" ]
 *   dice       = [ number ] "d" ( number | "%" ) { operation }
 *   operation  = ( "k" | "p" ) ( "h" number | "l" number | face ) | ( "dh" | "dl" ) number
 *              | ( "rr" | "ro" | "ra" | "e" ) face | ( "mi" | "ma" ) number
 *   face       = number | ">" number | "<" number
 *
 * Spaces are allowed between tokens, letters in either case. Not here: rolling (`resolve/roll.ts`), odds (`odds/dice.ts`).
 */
import {
  type DiceOperation,
  type Expression,
  expressionRange,
  type FaceSelector,
  keptInstead,
  matchesFace,
} from "./expression.ts";

type ParsedNotation =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly at: number; readonly expected: string };

/** Nothing over these is parsed: they bound memory, time and the size of a reply. */
export const caps = {
  ...{ length: 100, terms: 20, dice: 100, sides: 1_000, flat: 10_000, depth: 10, operations: 6, result: 1_000_000 },
} as const;

class NotationProblem extends Error {
  readonly at: number;
  readonly expected: string;
  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

const tokens = {
  number: /\d{1,9}/y,
  space: /[ \t]*/y,
  label: /\[([^[\]]{1,40})\]/y,
  legacy: /d[hl]/iy,
  keep: /[kp](?:[hl]|(?=[<>\d]))/iy,
  again: /(?:r[roa]|e)(?=[<>\d])/iy,
  bound: /m[ia](?=\d)/iy,
  compare: /[<>]/y,
} as const;

const againWords = { rr: "always", ro: "once", ra: "add", e: "explode" } as const;

/** Dropping the lowest one alone is keeping the highest others. */
const keepInstead = (operations: readonly DiceOperation[], dice: number): readonly DiceOperation[] => {
  const [only, ...more] = operations;
  return only?.kind === "drop" && more.length === 0 ? [keptInstead(only.selectors, dice) ?? only] : operations;
};

/** One reading of one text: a cursor and what was counted so far. */
class NotationReader {
  private at = 0;
  private terms = 0;
  private dice = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  read(): Expression {
    this.take("space");
    const expression = this.expression(0);
    if (this.at < this.text.length) this.fail("+, -, *, / or the end");
    const range = expressionRange(expression);
    if (range.some((value) => Math.abs(value) > caps.result))
      this.fail(`a result of at most ${caps.result.toLocaleString("en-US")}`);
    return expression;
  }

  private fail(expected: string): never {
    throw new NotationProblem(this.at, expected);
  }

  private take(token: keyof typeof tokens): RegExpExecArray | undefined {
    const pattern = tokens[token];
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  private takeSign(signs: string): string | undefined {
    this.take("space");
    const sign = this.text[this.at];
    if (sign === undefined || !signs.includes(sign)) return undefined;
    this.at += 1;
    return sign;
  }

  private expression(depth: number): Expression {
    if (depth > caps.depth) this.fail(`at most ${caps.depth} parentheses in each other`);
    const isNegative = this.takeSign("-") !== undefined;
    const first = this.product(depth);
    let left: Expression = isNegative ? { kind: "negative", of: first } : first;
    for (;;) {
      const sign = this.takeSign("+-");
      if (sign === undefined) return left;
      left = { kind: sign === "+" ? "sum" : "difference", left, right: this.product(depth) };
    }
  }

  private product(depth: number): Expression {
    let left = this.factor(depth);
    for (;;) {
      const sign = this.takeSign("*/");
      if (sign === undefined) return left;
      this.take("space");
      const place = this.at;
      const right = this.factor(depth);
      if (sign === "/" && (right.kind !== "flat" || right.amount === 0)) {
        this.at = place;
        this.fail("a number from 1 to divide by");
      }
      left = { kind: sign === "*" ? "product" : "quotient", left, right };
    }
  }

  private factor(depth: number): Expression {
    this.take("space");
    if (this.terms === caps.terms) {
      this.at = Math.max(0, this.at - 1);
      this.fail(`at most ${caps.terms} terms`);
    }
    const bare = this.text[this.at] === "(" ? this.group(depth) : this.term();
    this.take("space");
    const label = this.take("label")?.[1]?.trim();
    this.take("space");
    return label === undefined || label === "" ? bare : { ...bare, label };
  }

  private group(depth: number): Extract<Expression, { readonly kind: "group" }> {
    this.at += 1;
    const of = this.expression(depth + 1);
    if (this.takeSign(")") === undefined) this.fail("+, -, *, / or )");
    return { kind: "group", of };
  }

  private term(): Extract<Expression, { readonly kind: "flat" | "dice" }> {
    this.terms += 1;
    const lead = this.take("number")?.[0];
    if (this.text[this.at]?.toLowerCase() === "d") return this.rolled(lead === undefined ? 1 : Number(lead));
    if (lead === undefined) this.fail("a number or dice like 2d6");
    const amount = Number(lead);
    if (amount > caps.flat) this.fail(`a number up to ${caps.flat}`);
    return { kind: "flat", amount };
  }

  private rolled(count: number): Extract<Expression, { readonly kind: "dice" }> {
    this.at += 1;
    const sides = this.sides();
    if (sides < 1 || sides > caps.sides) this.fail(`a die of 1 to ${caps.sides} sides`);
    this.dice += count;
    if (count < 1 || this.dice > caps.dice) this.fail(`1 to ${caps.dice} dice in all`);
    const operations: DiceOperation[] = [];
    for (;;) {
      const place = this.at;
      const operation = this.operation({ count, sides });
      if (operation === undefined) return { kind: "dice", count, sides, operations: keepInstead(operations, count) };
      // Each more would multiply the dice by eleven.
      if (operation.kind === "explode" && operations.some(({ kind }) => kind === "explode")) {
        this.at = place;
        this.fail("another operation: dice explode once");
      }
      const last = operations.at(-1);
      const isMore =
        last !== undefined && last.kind === operation.kind && (last.kind === "keep" || last.kind === "drop");
      if (isMore && (operation.kind === "keep" || operation.kind === "drop"))
        operations.splice(-1, 1, { kind: operation.kind, selectors: [...last.selectors, ...operation.selectors] });
      else operations.push(operation);
      if (operations.length > caps.operations) this.fail(`at most ${caps.operations} operations on dice`);
    }
  }

  private sides(): number {
    if (this.text[this.at] !== "%") return Number(this.take("number")?.[0] ?? 0);
    this.at += 1;
    return 100;
  }

  private operation(set: { readonly count: number; readonly sides: number }): DiceOperation | undefined {
    const legacy = this.take("legacy")?.[0].toLowerCase();
    if (legacy !== undefined) return this.ranked("drop", legacy, set.count);
    const keep = this.take("keep")?.[0].toLowerCase();
    if (keep !== undefined) {
      const kind = keep.startsWith("k") ? "keep" : "drop";
      return keep.length > 1 ? this.ranked(kind, keep, set.count) : { kind, selectors: [this.selector(set.sides)] };
    }
    const again = this.take("again")?.[0].toLowerCase();
    if (again === "rr" || again === "ro" || again === "ra" || again === "e") return this.again(again, set);
    const bound = this.take("bound")?.[0].toLowerCase();
    if (bound === undefined) return undefined;
    return { kind: bound === "mi" ? "least" : "most", amount: this.face(set.sides) };
  }

  private ranked(kind: "keep" | "drop", word: string, count: number): DiceOperation {
    const which = word.endsWith("h") ? "highest" : "lowest";
    return { kind, selectors: [{ which, count: this.among(word, count) }] };
  }

  private among(word: string, count: number): number {
    const chosen = Number(this.take("number")?.[0] ?? 0);
    if (chosen < 1 || chosen > count) this.fail(`a number from 1 to ${count} after ${word}`);
    return chosen;
  }

  private again(word: keyof typeof againWords, { sides }: { readonly sides: number }): DiceOperation {
    const selectors = [this.selector(sides)];
    const kind = againWords[word];
    const left = Array.from({ length: sides }, (_, index) => index + 1).filter((face) => !matchesFace(selectors, face));
    if (kind === "always" && left.length * 20 < sides) this.fail("rerolling that leaves a face in twenty at least");
    if (kind === "explode" && left.length === 0) this.fail("exploding that leaves a face at least");
    return { kind, selectors };
  }

  private selector(sides: number): FaceSelector {
    const sign = this.take("compare")?.[0];
    const face = this.face(sides);
    return { which: sign === ">" ? "over" : sign === "<" ? "under" : "is", face };
  }

  private face(sides: number): number {
    const face = Number(this.take("number")?.[0] ?? 0);
    if (face < 1 || face > sides) this.fail(`a face from 1 to ${sides}`);
    return face;
  }
}

export const parseDice = (text: string): ParsedNotation => {
  if (text.length > caps.length) return { ok: false, at: caps.length, expected: `at most ${caps.length} characters` };
  try {
    return { ok: true, expression: new NotationReader(text).read() };
  } catch (problem) {
    if (!(problem instanceof NotationProblem)) throw problem;
    return { ok: false, at: problem.at, expected: problem.expected };
  }
};
