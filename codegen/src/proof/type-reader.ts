/**
 * Reads a printed TypeScript type back and says whether a JSON value is assignable to it: the part of the language that `print/types`
 * writes, and no more. It knows nothing of the schema that the type was printed from, so that the two can be held against each other.
 *
 * A test holds it to the compiler. As in the compiler, an object may have more fields than its type names.
 */

/** Whether a value is one of a type. */
export type TypePredicate = (value: unknown) => boolean;

/** Reads a type; names in it are those of `named`. Throws for what this house does not print. */
export const readType = (text: string, named: (name: string) => TypePredicate): TypePredicate => {
  const tokens = tokenize(text);
  let at = 0;
  const peek = (): string => tokens[at] ?? "";
  const next = (): string => tokens[at++] ?? "";
  const skip = (token: string): boolean => {
    if (peek() !== token) return false;
    at += 1;
    return true;
  };
  const expect = (token: string): void => {
    if (!skip(token)) throw new SyntaxError(`expected ${token} and found ${peek()} in the printed type ${text}`);
  };

  const separated = (operator: string, read: () => TypePredicate): readonly TypePredicate[] => {
    skip(operator);
    const all = [read()];
    while (skip(operator)) all.push(read());
    return all;
  };
  const union = (): TypePredicate => {
    const branches = separated("|", intersection);
    return (value) => branches.some((accepts) => accepts(value));
  };
  const intersection = (): TypePredicate => {
    const parts = separated("&", list);
    return (value) => parts.every((accepts) => accepts(value));
  };
  const list = (): TypePredicate => {
    skip("readonly");
    let type = single();
    while (peek() === "[" && tokens[at + 1] === "]") {
      at += 2;
      const item = type;
      type = (value) => Array.isArray(value) && value.every(item);
    }
    return type;
  };
  const single = (): TypePredicate => {
    const token = next();
    if (token === "(") {
      const type = union();
      expect(")");
      return type;
    }
    if (token === "{") return members();
    if (token === "[") return tuple();
    if (token.startsWith('"') || /^-?\d/.test(token)) return equals(JSON.parse(token));
    if (token.startsWith("`")) return template(token);
    return keyword(token);
  };
  const keyword = (token: string): TypePredicate => {
    const simple = keywords[token];
    if (simple !== undefined) return simple;
    if (token === "Record") return record(true);
    if (token !== "Partial") return named(token);
    expect("<");
    expect("Record");
    const type = record(false);
    expect(">");
    return type;
  };
  /** What follows `Record`: with all of its keys there, or any of them. */
  const record = (complete: boolean): TypePredicate => {
    expect("<");
    const keys = keyList();
    expect(",");
    const isEmpty = peek() === "never";
    const value = union();
    expect(">");
    // How an object without fields is printed; like any other, a value may have more.
    if (isEmpty) return isObject;
    return (given) =>
      isObject(given) &&
      (keys === undefined
        ? Object.values(given).every(value)
        : keys.every((key) => (key in given ? value(given[key]) : !complete)));
  };
  const keyList = (): readonly string[] | undefined => {
    if (skip("string")) return undefined;
    if (skip("never")) return [];
    const keys: string[] = [];
    do keys.push(String(JSON.parse(next())));
    while (skip("|"));
    return keys;
  };
  const tuple = (): TypePredicate => {
    const items: TypePredicate[] = [];
    let least = 0;
    let rest: TypePredicate | undefined;
    while (!skip("]")) {
      if (skip("...")) rest = list();
      else {
        items.push(union());
        if (!skip("?")) least = items.length;
      }
      skip(",");
    }
    return (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      (rest === undefined ? value.length <= items.length : rest(value.slice(items.length))) &&
      items.slice(0, value.length).every((accepts, index) => accepts(value[index]));
  };
  const members = (): TypePredicate => {
    const checks: ((value: Readonly<Record<string, unknown>>) => boolean)[] = [];
    while (!skip("}")) {
      skip("readonly");
      if (skip("[")) {
        at += 2;
        const keys = peek() === "string" ? undefined : single();
        if (keys === undefined) at += 1;
        expect("]");
        expect(":");
        const accepts = union();
        checks.push((value) =>
          Object.entries(value).every(([key, inner]) => (keys !== undefined && !keys(key)) || accepts(inner)),
        );
      } else {
        const name = next();
        const key: string = name.startsWith('"') ? JSON.parse(name) : name;
        const optional = skip("?");
        expect(":");
        const accepts = union();
        checks.push((value) => (Object.hasOwn(value, key) ? accepts(value[key]) : optional));
      }
      skip(";");
    }
    return (value) => isObject(value) && checks.every((check) => check(value));
  };
  const template = (token: string): TypePredicate => {
    const parts = token.slice(1, -1).split(/\$\{([^{}]*)\}/);
    const source = parts.map((part, index) => (index % 2 === 0 ? escapeText(JSON.parse(`"${part}"`)) : hole(part)));
    const pattern = new RegExp(`^${source.join("")}$`, "s");
    return (value) => typeof value === "string" && pattern.test(value);
  };

  const type = union();
  if (at < tokens.length) throw new SyntaxError(`${peek()} is left over in the printed type ${text}`);
  return type;
};

const keywords: Readonly<Record<string, TypePredicate>> = {
  unknown: () => true,
  never: () => false,
  undefined: () => false,
  null: (value) => value === null,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  true: (value) => value === true,
  false: (value) => value === false,
};

/** What is in a hole of a template literal, as the compiler takes it. */
const hole = (type: string): string => {
  const alternatives = type.split(" | ").map((each) => {
    if (each === "string") return "[\\s\\S]*";
    if (each === "number") return "-?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?";
    if (each === "boolean") return "true|false";
    return escapeText(each.startsWith('"') ? JSON.parse(each) : each);
  });
  return `(?:${alternatives.join("|")})`;
};

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const equals =
  (literal: unknown): TypePredicate =>
  (value) =>
    value === literal;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const token =
  /\s+|\/\*[\s\S]*?\*\/|("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|-?\d[\d.]*(?:[eE][+-]?\d+)?|\.\.\.|[A-Za-z_$][\w$]*|[^\s\w])/g;

const tokenize = (text: string): readonly string[] =>
  [...text.matchAll(token)].flatMap(([, word]) => (word === undefined ? [] : [word]));
