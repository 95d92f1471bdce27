/**
 * Reads a printed TypeScript type back and says whether a JSON value is assignable to it: the part of the language that `print/types`
 * writes, and no more. It knows nothing of the schema that the type was printed from, so that the two can be held against each other.
 *
 * A test holds it to the compiler. As in the compiler, an object may have more fields than its type names.
 */

/** Whether a value is one of a type. */
export type TypePredicate = (value: unknown) => boolean;

/** Reads a type; names in it are those of `named`. Throws for what this house does not print. */
export const readType = (text: string, named: (name: string) => TypePredicate): TypePredicate =>
  new TypeParser(text, named).read();

/** A parser by recursive descent: a method for each form of type, the ones that bind less tightly first. */
class TypeParser {
  readonly #text: string;
  readonly #tokens: readonly string[];
  readonly #named: (name: string) => TypePredicate;
  #at = 0;

  constructor(text: string, named: (name: string) => TypePredicate) {
    this.#text = text;
    this.#tokens = tokenize(text);
    this.#named = named;
  }

  read(): TypePredicate {
    const type = this.#union();
    if (this.#at < this.#tokens.length)
      throw new SyntaxError(`${this.#peek()} is left over in the printed type ${this.#text}`);
    return type;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? "";
  }

  #skip(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#skip(token))
      throw new SyntaxError(`expected ${token} and found ${this.#peek()} in the printed type ${this.#text}`);
  }

  #separated(operator: string, read: () => TypePredicate): readonly TypePredicate[] {
    this.#skip(operator);
    const all = [read()];
    while (this.#skip(operator)) all.push(read());
    return all;
  }

  #union(): TypePredicate {
    const branches = this.#separated("|", () => this.#intersection());
    return (value) => branches.some((accepts) => accepts(value));
  }

  #intersection(): TypePredicate {
    const parts = this.#separated("&", () => this.#list());
    return (value) => parts.every((accepts) => accepts(value));
  }

  #list(): TypePredicate {
    this.#skip("readonly");
    let type = this.#single();
    while (this.#peek() === "[" && this.#tokens[this.#at + 1] === "]") {
      this.#at += 2;
      const item = type;
      type = (value) => Array.isArray(value) && value.every(item);
    }
    return type;
  }

  #single(): TypePredicate {
    const token = this.#next();
    if (token === "(") {
      const type = this.#union();
      this.#expect(")");
      return type;
    }
    if (token === "{") return this.#members();
    if (token === "[") return this.#tuple();
    if (token.startsWith('"') || /^-?\d/.test(token)) return equals(JSON.parse(token));
    if (token.startsWith("`")) return template(token);
    return this.#keyword(token);
  }

  #keyword(token: string): TypePredicate {
    const simple = keywords[token];
    if (simple !== undefined) return simple;
    if (token === "Record") return this.#record(true);
    if (token !== "Partial") return this.#named(token);
    this.#expect("<");
    this.#expect("Record");
    const type = this.#record(false);
    this.#expect(">");
    return type;
  }

  /** What follows `Record`: with all of its keys there, or any of them. */
  #record(complete: boolean): TypePredicate {
    this.#expect("<");
    const keys = this.#keys();
    this.#expect(",");
    const isEmpty = this.#peek() === "never";
    const value = this.#union();
    this.#expect(">");
    // How an object without fields is printed; like any other, a value may have more.
    if (isEmpty) return isRecord;
    return (input) =>
      isRecord(input) &&
      (keys === undefined
        ? Object.values(input).every(value)
        : keys.every((key) => (key in input ? value(input[key]) : !complete)));
  }

  #keys(): readonly string[] | undefined {
    if (this.#skip("string")) return undefined;
    if (this.#skip("never")) return [];
    const keys: string[] = [];
    do keys.push(String(JSON.parse(this.#next())));
    while (this.#skip("|"));
    return keys;
  }

  #tuple(): TypePredicate {
    const items: TypePredicate[] = [];
    let least = 0;
    let rest: TypePredicate | undefined;
    while (!this.#skip("]")) {
      if (this.#skip("...")) rest = this.#list();
      else {
        items.push(this.#union());
        if (!this.#skip("?")) least = items.length;
      }
      this.#skip(",");
    }
    return (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      (rest === undefined ? value.length <= items.length : rest(value.slice(items.length))) &&
      items.slice(0, value.length).every((accepts, index) => accepts(value[index]));
  }

  #members(): TypePredicate {
    const checks: MemberPredicate[] = [];
    while (!this.#skip("}")) {
      // A member may be called so, too.
      if (!/^\??:?$/.test(this.#tokens[this.#at + 1] ?? "")) this.#skip("readonly");
      checks.push(this.#skip("[") ? this.#indexSignature() : this.#property());
      this.#skip(";");
    }
    return (value) => isRecord(value) && checks.every((check) => check(value));
  }

  #indexSignature(): MemberPredicate {
    // The key's name and its colon.
    this.#at += 2;
    const keys = this.#peek() === "string" ? undefined : this.#single();
    if (keys === undefined) this.#at += 1;
    this.#expect("]");
    this.#expect(":");
    const accepts = this.#union();
    return (value) =>
      Object.entries(value).every(([key, inner]) => (keys !== undefined && !keys(key)) || accepts(inner));
  }

  #property(): MemberPredicate {
    const name = this.#next();
    const key: string = name.startsWith('"') ? JSON.parse(name) : name;
    const optional = this.#skip("?");
    this.#expect(":");
    const accepts = this.#union();
    return (value) => (Object.hasOwn(value, key) ? accepts(value[key]) : optional);
  }
}

/** Whether a member of an object, or all that an index signature covers, is of its type. */
type MemberPredicate = (value: Readonly<Record<string, unknown>>) => boolean;

const template = (token: string): TypePredicate => {
  const source = [...token.slice(1, -1).matchAll(templatePart)].map(([char, escaped, types]) => {
    if (types !== undefined) return hole(types);
    return escapeText(escaped === undefined ? char : /^[`$]/.test(escaped) ? escaped : JSON.parse(`"${char}"`));
  });
  const pattern = new RegExp(`^${source.join("")}$`, "s");
  return (value) => typeof value === "string" && pattern.test(value);
};

/** An escaped character, a hole, or one character. */
const templatePart = /\\(u[0-9a-fA-F]{4}|[\s\S])|\$\{((?:"(?:\\.|[^"\\])*"|[^"}])*)\}|[\s\S]/g;

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
  const alternatives = (type.match(holeType) ?? []).map((each) => {
    if (each === "string") return "[\\s\\S]*";
    if (each === "number") return "-?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?";
    if (each === "boolean") return "true|false";
    return escapeText(each.startsWith('"') ? JSON.parse(each) : each);
  });
  return `(?:${alternatives.join("|")})`;
};

const holeType = /"(?:\\.|[^"\\])*"|[^\s|]+/g;

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const equals =
  (literal: unknown): TypePredicate =>
  (value) =>
    value === literal;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const token =
  /\s+|\/\*[\s\S]*?\*\/|("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|-?\d[\d.]*(?:[eE][+-]?\d+)?|\.\.\.|[A-Za-z_$][\w$]*|[^\s\w])/g;

const tokenize = (text: string): readonly string[] =>
  [...text.matchAll(token)].flatMap(([, word]) => (word === undefined ? [] : [word]));
