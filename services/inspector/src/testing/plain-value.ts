/** A result as JSON-like data for tests: rows as objects, sequences as arrays, enums by name, dates as text. */
import type { Type } from "@fairlead/linq";
import { Decimal, EnumValue, enumName, Group, isRow, Sequence, SimpleValue } from "@fairlead/linq/values";
import { Buff, Monster } from "./fixture.ts";

export const plainValue = (value: unknown, type?: Type): unknown => {
  if (value === undefined || value === null) return null;
  if (type?.kind === "enum" && typeof value === "number") return enumName(type.definition, value);
  if (typeof value === "bigint") return `${value}L`;
  if (typeof value !== "object") return value;
  if (Decimal.is(value)) return `${value.text()}m`;
  if (SimpleValue.isSimple(value)) return value.text();
  if (EnumValue.is(value)) return enumName(value.definition, value.value);
  if (value instanceof Monster) return `Monster ${value.Id}`;
  if (value instanceof Buff) return `Buff ${value.Name}`;
  const item = type?.kind === "list" ? type.item : undefined;
  if (Group.is(value))
    return {
      key: plainValue(value.key, type?.kind === "list" ? type.key : undefined),
      items: value.items.map((each) => plainValue(each, item)),
    };
  if (Sequence.is(value)) return value.items.map((each) => plainValue(each, item));
  if (isRow(value)) {
    const fields = type?.kind === "record" ? type.fields : [];
    return Object.fromEntries(
      Object.keys(value).map((name) => [
        name,
        plainValue(value[name], fields.find((field) => field.name === name)?.type),
      ]),
    );
  }
  return Array.isArray(value) ? value.map((each) => plainValue(each, item)) : value;
};
