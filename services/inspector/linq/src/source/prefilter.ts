/**
 * A test ahead of `where`, in source: true when a row is sure to fail. It makes the first conditions of an `&&` together, with no jump
 * between them, so that the processor guesses once a row and not once a condition; a wrong guess costs more than to read a member.
 * Where a value is not what a condition expects it says nothing, and `where` itself decides, errors included.
 */
import type { BoundNode, BoundRead } from "../bind/tree/bound.ts";
import type { NativeOperator } from "../core/operation.ts";
import { findPrimitive } from "../type/type.ts";
import { quotedSource } from "../value/row.ts";

/** Most conditions made together: each reads a member of every row. */
const together = 3;

/** A member of the row as a property, if it is one. */
type PropertySource = (read: BoundRead) => string | undefined;

/** A condition that is `value`, provided that what is `expected` is true. */
interface ExpectedCondition {
  readonly expected: readonly RowExpectation[];
  readonly value: string;
}

/** What nearly every row is. A Boolean is recognised by two comparisons, which must not become two jumps. */
interface RowExpectation {
  readonly join: "&&" | "&";
  readonly source: string;
}

export const prefilterSource = (where: BoundNode, property: PropertySource): string | undefined => {
  if (where.kind !== "logic" || where.operator !== "&&") return undefined;
  const conditions: ExpectedCondition[] = [];
  for (const item of where.items.slice(0, together)) {
    const condition = readCondition(item, property);
    if (condition === undefined) break;
    conditions.push(condition);
  }
  if (conditions.length < 2) return undefined;
  const expected = conditions.flatMap((condition) => condition.expected);
  const joined = (by: RowExpectation["join"]): string =>
    [...new Set(expected.filter(({ join }) => join === by).map(({ source }) => `${source} ${by} `))].join("");
  const all = conditions.map(({ value }) => `(${value})`).join(" & ");
  return `${joined("&&")}(${joined("&")}((${all}) ^ 1))`;
};

const readCondition = (bound: BoundNode, property: PropertySource): ExpectedCondition | undefined => {
  if (bound.kind === "read") return conditionFrom([bound], { of: "boolean" }, property);
  if (bound.kind !== "apply" || bound.operation.native === undefined || bound.path !== undefined) return undefined;
  return conditionFrom(bound.operands, bound.operation.native, property);
};

const conditionFrom = (
  operands: readonly BoundNode[],
  { of, sign = "" }: NativeOperator,
  property: PropertySource,
): ExpectedCondition | undefined => {
  const expected: RowExpectation[] = [];
  const values: string[] = [];
  for (const operand of operands) {
    if (operand.kind === "value" && typeof operand.value === of) values.push(literal(operand.value));
    const read = operand.kind === "read" && hasPrimitive(operand, of) ? property(operand) : undefined;
    if (read === undefined) continue;
    values.push(of === "boolean" ? `(${read} === true)` : read);
    expected.push(expecting(read, of));
  }
  if (values.length !== operands.length || expected.length === 0) return undefined;
  return { expected, value: values.join(` ${sign} `) };
};

const expecting = (read: string, of: NativeOperator["of"]): RowExpectation =>
  of === "boolean"
    ? { join: "&", source: `((${read} === true) | (${read} === false))` }
    : { join: "&&", source: `typeof ${read} === "${of}"` };

const hasPrimitive = ({ type }: BoundRead, of: NativeOperator["of"]): boolean =>
  type.kind === "dynamic" || findPrimitive(type) === of;

const literal = (value: unknown): string => {
  if (typeof value === "string") return quotedSource(value);
  return typeof value === "bigint" ? `${value}n` : String(value);
};
