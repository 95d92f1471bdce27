/** Comparison of operands whose common type is known. Values are not null here; see `liftedToFalse`. */

import { type Operation, operation } from "../core/operation.ts";
import { portable } from "../core/portable.ts";
import type { HostAccess } from "../type/host.ts";
import { findPrimitive, type Type } from "../type/type.ts";
import type { Decimal } from "../value/decimal.ts";
import type { SimpleValue } from "../value/simple.ts";
import { valueKey } from "./compare.ts";
import type { OrderRelation } from "./dynamic.ts";

type Comparable = number | bigint | string;

const native: Readonly<Record<OrderRelation, (a: Comparable, b: Comparable) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** `<` and its kin for two values of one type; undefined where the type has no order. */
export const relation = portable("relation", (sign: OrderRelation, type: Type): Operation | undefined => {
  const name = `${sign}`;
  const test = native[sign];
  if (type.kind === "enum") return operation(name, test);
  if (type.kind !== "scalar") return undefined;
  switch (type.name) {
    case "Boolean":
      return undefined;
    case "Decimal":
      return operation(name, (a: Decimal, b: Decimal) => test(a.compare(b), 0));
    case "DateTime":
    case "DateOnly":
    case "TimeOnly":
    case "TimeSpan":
    case "Guid":
      return operation(name, (a: SimpleValue, b: SimpleValue) => test(a.order, b.order));
    case "Uri":
      return undefined;
    default:
      return {
        ...operation(name, test, (_, a = "", b = "") => `(${a} ${sign} ${b})`),
        ...findNativeOperator(type, sign),
      };
  }
});

const findNativeOperator = (type: Type, sign: string): Pick<Operation, "native"> => {
  const of = findPrimitive(type);
  return of === undefined ? {} : { native: { of, sign } };
};

/** `==` for two values of one type, null included. */
export const equality = portable("equality", (type: Type, host: HostAccess): Operation => {
  if (type.kind === "scalar") {
    switch (type.name) {
      case "Decimal":
        return operation("==", (a: Decimal | null, b: Decimal | null) =>
          a === null || b === null ? a === b : a.compare(b) === 0,
        );
      case "DateTime":
      case "DateOnly":
      case "TimeOnly":
      case "TimeSpan":
      case "Guid":
      case "Uri":
        return operation("==", (a: SimpleValue | null, b: SimpleValue | null) =>
          a === null || b === null ? a === b : a.order === b.order,
        );
    }
  }
  if (type.kind === "record" || type.kind === "list")
    return operation("==", (a, b) => a === b || valueKey(a, host) === valueKey(b, host));
  const made = operation(
    "==",
    (a, b) => a === b,
    (_, a = "", b = "") => `(${a} === ${b})`,
  );
  return { ...made, ...findNativeOperator(type, "===") };
});
