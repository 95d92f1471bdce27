/** Texts of expressions: how a part of a value is reached from the expression for the whole, so that `eval` finds it again. */

/** Names, calls and indexes behind each other, which a dot can follow. Whatever does not look like it gets brackets: they do no harm. */
const chain = /^(?:@?[A-Za-z_$]\w*|\([^()]*\))(?:\??\.@?\w+|<[\w., ]+>|\([^()]*\)|\??\[[^[\]]*\])*$/;

import { predefinedType, scopeWords, type Type } from "@fairlead/linq";
import { blockedNames, enumName, enumNumber } from "@fairlead/linq/values";
import { maskText } from "../host/redaction.ts";

/** An expression in the form that more can be put behind it. */
export const asObject = (expression: string): string => {
  const text = expression.trim();
  return chain.test(text) ? text : `(${text})`;
};

/** Words that stand for something else than a root of that name. */
const words: ReadonlySet<string> = new Set([...Object.keys(scopeWords), "true", "false", "null", "not"]);

/** A root by its name. */
export const rootExpression = (name: string): string =>
  words.has(name.toLowerCase()) || predefinedType(name) !== undefined ? `@${name}` : name;

/** `owner.name`, or `owner["odd name"]`. A credential in the name is masked: such an expression shows the place but does not find it. */
export const memberExpression = (owner: string, name: string): string =>
  /^[A-Za-z_$]\w*$/.test(name) && !blockedNames.has(name)
    ? `${owner}.${name}`
    : `${owner}[${JSON.stringify(maskText(name))}]`;

/** Longest text of a key inside an expression. */
const longestKey = 200;

/** `owner[key]` where a literal can say the key and may, else the value's place among the values. */
export const entryExpression = (
  owner: string,
  key: unknown,
  { type, index }: { readonly type: Type; readonly index: number },
): string => {
  const literal = keyLiteral(key, type);
  return literal === undefined ? `${owner}.Values[${index}]` : `${owner}[${literal}]`;
};

const keyLiteral = (key: unknown, type: Type): string | undefined => {
  switch (typeof key) {
    case "string":
      return key.length <= longestKey && maskText(key) === key ? JSON.stringify(key) : undefined;
    case "number":
      return type.kind === "enum" ? enumLiteral(key, type) : Number.isFinite(key) ? String(key) : undefined;
    case "bigint":
      return BigInt.asIntN(64, key) === key ? String(key) : undefined;
    case "boolean":
      return String(key);
    default:
      return key === null ? "null" : undefined;
  }
};

const enumLiteral = (key: number, { definition }: Type & { kind: "enum" }): string | undefined => {
  const name = enumName(definition, key);
  return enumNumber(definition, name) === key ? JSON.stringify(name) : undefined;
};
