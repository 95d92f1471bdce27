/** Rolls dice that are written down: `2d6+3`. Reading them is `dice/notation.ts`. */
import type { Roll } from "@fairlead/contracts/rules";
import {
  type DiceNode,
  type DiceOperation,
  type Expression,
  formatExpression,
  listAddends,
  matchesFace,
  mostExplosions,
  type Selector,
} from "../dice/expression.ts";
import { parseDice } from "../dice/notation.ts";
import type { Dice } from "../dice/source.ts";
import { Refusal } from "../result/refusal.ts";

/** Refuses with `bad_notation`. */
export const readDice = (notation: string): Expression => {
  const parsed = parseDice(notation);
  if (parsed.ok) return parsed.expression;
  const { at, expected } = parsed;
  throw new Refusal("bad_notation", `the dice cannot be read at ${at}: ${expected} was expected`, { at, expected });
};

/** Refuses with `bad_notation`, or for the dice. */
export const rollNotation = (notation: string, dice: Dice): Roll => {
  const expression = readDice(notation);
  const terms = listAddends(expression).map(({ sign, of }) => {
    const term = `${sign < 0 ? "-" : ""}${formatExpression(of)}`;
    const rolled = evaluate(of, (sides) => dice.roll(sides, term, "roll"));
    const label = "label" in of ? of.label : undefined;
    const { rolls, kept } = rolled;
    return {
      term,
      rolls: [...rolls],
      kept: [...kept],
      subtotal: rolled.value * sign + 0,
      ...(label !== undefined && { label }),
    };
  });
  return {
    notation: formatExpression(expression),
    total: terms.reduce((sum, { subtotal }) => sum + subtotal, 0),
    terms,
    dice: dice.record(),
  };
};

interface RollValue {
  readonly value: number;
  /** Every face, in order. */
  readonly rolls: readonly number[];
  /** What counts. */
  readonly kept: readonly number[];
}

type Throw = (sides: number) => number;

const evaluate = (expression: Expression, roll: Throw): RollValue => {
  switch (expression.kind) {
    case "flat":
      return { value: expression.amount, rolls: [], kept: [] };
    case "dice":
      return rollSet(expression, roll);
    case "group":
      return evaluate(expression.of, roll);
    case "negative": {
      const rolled = evaluate(expression.of, roll);
      return { ...rolled, value: 0 - rolled.value };
    }
    default: {
      const left = evaluate(expression.left, roll);
      const right = evaluate(expression.right, roll);
      return {
        value: combine(expression.kind, left.value, right.value),
        rolls: [...left.rolls, ...right.rolls],
        kept: [...left.kept, ...right.kept],
      };
    }
  }
};

/** A quotient is rounded down. */
export const combine = (kind: "sum" | "difference" | "product" | "quotient", left: number, right: number): number => {
  switch (kind) {
    case "sum":
      return left + right;
    case "difference":
      return left - right;
    case "product":
      return left * right;
    case "quotient":
      return Math.floor(left / right);
  }
};

const rollSet = ({ count, sides, operations }: DiceNode, roll: Throw): RollValue => {
  const rolls: number[] = [];
  const throwOne = (): number => {
    const face = roll(sides);
    rolls.push(face);
    return face;
  };
  const start = Array.from({ length: count }, throwOne);
  const kept = operations.reduce<readonly number[]>((faces, operation) => operate(faces, operation, throwOne), start);
  return { value: kept.reduce((sum, face) => sum + face, 0), rolls, kept };
};

const operate = (faces: readonly number[], operation: DiceOperation, roll: () => number): readonly number[] => {
  switch (operation.kind) {
    case "keep":
      return select(faces, operation.selectors, true);
    case "drop":
      return select(faces, operation.selectors, false);
    case "least":
      return faces.map((face) => Math.max(face, operation.amount));
    case "most":
      return faces.map((face) => Math.min(face, operation.amount));
    case "once":
      return faces.map((face) => (matchesFace(operation.selectors, face) ? roll() : face));
    case "always":
      return faces.map((face) => {
        let now = face;
        while (matchesFace(operation.selectors, now)) now = roll();
        return now;
      });
    case "add":
      return faces.some((face) => matchesFace(operation.selectors, face)) ? [...faces, roll()] : faces;
    case "explode":
      return faces.flatMap((face) => {
        const chain = [face];
        while (chain.length <= mostExplosions && matchesFace(operation.selectors, chain.at(-1) ?? 0))
          chain.push(roll());
        return chain;
      });
  }
};

/** The faces that stay, in the order rolled; of equal ones the first. */
const select = (faces: readonly number[], selectors: readonly Selector[], stays: boolean): number[] => {
  const chosen = new Set(selectors.flatMap((selector) => choose(faces, selector)));
  return faces.filter((_, index) => chosen.has(index) === stays);
};

const choose = (faces: readonly number[], selector: Selector): readonly number[] => {
  if ("face" in selector) return faces.flatMap((face, index) => (matchesFace([selector], face) ? [index] : []));
  const sign = selector.which === "highest" ? -1 : 1;
  return faces
    .map((face, index) => ({ face, index }))
    .sort((a, b) => sign * (a.face - b.face) || a.index - b.index)
    .slice(0, selector.count)
    .map(({ index }) => index);
};
