/** The tightest part of the grammar: literals, names, calls, `new`, and what follows a value (`.x`, `[i]`, `(…)`). */

import { LinqError } from "../core/error.ts";
import { type NewMember, type Node, type NumberNode, node, type TypeNode } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { numberLiteral } from "./number-literal.ts";
import { predefinedType, scopeWords } from "./words.ts";

/** The looser levels, passed in because grammar is circular and imports are not. */
export interface Grammar {
  readonly expression: (cursor: Cursor) => Node;
  /** An expression in which a top-level `as` ends it. */
  readonly member: (cursor: Cursor) => Node;
  readonly typeName: (cursor: Cursor) => TypeNode;
}

/** Parses a value with everything that follows it; `given` is a number whose minus was already taken. */
export const primary = (cursor: Cursor, grammar: Grammar, given?: NumberNode): Node => {
  let object = given ?? start(cursor, grammar);
  for (;;) {
    const lifted = cursor.sees("?.") || cursor.sees("?[");
    if (cursor.sees(".") || cursor.sees("?.")) {
      cursor.next();
      object = afterDot(cursor, grammar, { object, lifted });
    } else if (cursor.sees("[") || cursor.sees("?[")) {
      const { at } = cursor.next();
      const items = argumentList(cursor, grammar, "]");
      if (items.length === 0)
        throw new LinqError("expected", "Expression expected", {
          position: at + 1,
          hint: 'give a place or a key: `[0]`, `["name"]`',
        });
      object = node({ kind: "index", at, object, arguments: items, lifted });
    } else return object;
  }
};

const afterDot = (
  cursor: Cursor,
  grammar: Grammar,
  { object, lifted }: { readonly object: Node; readonly lifted: boolean },
): Node => {
  const { at, text } = cursor.identifier();
  const name = text.startsWith("@") ? text.slice(1) : text;
  if (name === "") throw new LinqError("expected", "Identifier expected", { position: at });
  const types = typeArguments(cursor, grammar);
  if (cursor.accept("("))
    return node({ kind: "call", at, object, name, types, arguments: argumentList(cursor, grammar, ")"), lifted });
  return node({ kind: "member", at, object, name, lifted });
};

/** `<A, B>` only when `(` follows, so that comparisons stay comparisons. */
const typeArguments = (cursor: Cursor, grammar: Grammar): readonly TypeNode[] => {
  if (!cursor.sees("<")) return [];
  let ahead = 1;
  for (;;) {
    if (cursor.peek(ahead++).kind !== "identifier") return [];
    while (cursor.sees(".", ahead) && cursor.peek(ahead + 1).kind === "identifier") ahead += 2;
    if (cursor.sees("?", ahead)) ahead++;
    if (cursor.sees(",", ahead)) ahead++;
    else break;
  }
  if (!cursor.sees(">", ahead) || !cursor.sees("(", ahead + 1)) return [];
  cursor.next();
  const types: TypeNode[] = [];
  do types.push(grammar.typeName(cursor));
  while (cursor.accept(","));
  cursor.expect(">");
  return types;
};

/** Arguments up to the closing sign, which is taken too. */
const argumentList = (cursor: Cursor, grammar: Grammar, close: ")" | "]"): readonly Node[] => {
  const items: Node[] = [];
  if (cursor.accept(close)) return items;
  do items.push(grammar.expression(cursor));
  while (cursor.accept(","));
  cursor.expect(close, close === ")" ? "')' or ',' expected" : "']' or ',' expected");
  return items;
};

const start = (cursor: Cursor, grammar: Grammar): Node => {
  const { kind, text, at, value } = cursor.token;
  switch (kind) {
    case "number":
      cursor.next();
      return numberLiteral(text, false, at);
    case "string":
      cursor.next();
      return node({ kind: "string", at, value: value ?? "" });
    case "char":
      cursor.next();
      return node({ kind: "char", at, value: value ?? "" });
    case "identifier":
      return named(cursor, grammar);
    case "operator":
      if (text !== "(") break;
      return bracketed(cursor, grammar);
    case "end":
      break;
  }
  throw cursor.error("expected", "Expression expected");
};

const bracketed = (cursor: Cursor, grammar: Grammar): Node => {
  cursor.next();
  const inner = grammar.expression(cursor);
  cursor.expect(")", "')' or operator expected");
  return inner;
};

const named = (cursor: Cursor, grammar: Grammar): Node => {
  const { text, at } = cursor.next();
  if (text.startsWith("@")) {
    if (text.length > 1) return callOrName(cursor, grammar, { name: text.slice(1), at, escaped: true });
    throw new LinqError("expected", "Identifier expected", { position: at + 1, hint: "@ goes directly before a name" });
  }
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return node({ kind: "boolean", at, value: word === "true" });
  if (word === "null") return node({ kind: "null", at });
  const scope = Object.hasOwn(scopeWords, word) ? scopeWords[word] : undefined;
  if (scope !== undefined) return node({ kind: "scope", at, word: scope });
  if (word === "new" && (cursor.sees("(") || cursor.sees("{") || cursor.sees("[") || namesArray(cursor)))
    return creation(cursor, grammar, at);
  const special = Object.hasOwn(forms, word) && cursor.sees("(") ? forms[word] : undefined;
  if (special !== undefined) {
    cursor.next();
    return special(cursor, grammar, at);
  }
  const type = predefinedType(text);
  if (type !== undefined && cursor.token.kind === "string") {
    const { value } = cursor.next();
    return node({ kind: "typed", at, type: text, text: value ?? "" });
  }
  if (type !== undefined && cursor.sees("?") && cursor.sees("(", 1) && cursor.token.at === at + text.length) {
    cursor.next();
    return callOrName(cursor, grammar, { name: `${text}?`, at, escaped: false });
  }
  return callOrName(cursor, grammar, { name: text, at, escaped: false });
};

const callOrName = (
  cursor: Cursor,
  grammar: Grammar,
  { name, at, escaped }: { readonly name: string; readonly at: number; readonly escaped: boolean },
): Node => {
  const types = typeArguments(cursor, grammar);
  if (!cursor.accept("(")) return node({ kind: "name", at, name, escaped });
  const items = argumentList(cursor, grammar, ")");
  return node({ kind: "call", at, object: undefined, name, types, arguments: items, lifted: false });
};

type SpecialForm = (cursor: Cursor, grammar: Grammar, at: number) => Node;

const fixed = (cursor: Cursor, grammar: Grammar, at: number): readonly Node[] => {
  const items = argumentList(cursor, grammar, ")");
  if (items.length > 0) return items;
  throw new LinqError("wrong_arguments", "Expression expected between the brackets", { position: at });
};

const typed =
  (kind: "is" | "as" | "cast"): SpecialForm =>
  (cursor, grammar, at) => {
    const first = cursor.token;
    if (first.kind === "string" && cursor.sees(")", 1)) {
      const type = grammar.typeName(cursor);
      cursor.next();
      return node({ kind, at, value: undefined, type });
    }
    const value = grammar.expression(cursor);
    cursor.expect(",", `The '${kind}' function takes a value and a type name`);
    const type = grammar.typeName(cursor);
    cursor.expect(")", "')' expected");
    return node({ kind, at, value, type });
  };

const wrongCount = (at: number, message: string, hint: string): LinqError =>
  new LinqError("wrong_arguments", message, { position: at, hint });

const forms: Readonly<Record<string, SpecialForm>> = {
  iif: (cursor, grammar, at) => {
    const [test, whenTrue, whenFalse, ...more] = fixed(cursor, grammar, at);
    if (test === undefined || whenTrue === undefined || whenFalse === undefined || more.length > 0)
      throw wrongCount(at, "The 'iif' function requires three arguments", "iif(test, whenTrue, whenFalse)");
    return node({ kind: "conditional", at, test, whenTrue, whenFalse });
  },
  isnull: (cursor, grammar, at) => {
    const [left, right, ...more] = fixed(cursor, grammar, at);
    if (left === undefined || right === undefined || more.length > 0)
      throw wrongCount(at, "The 'isnull' function requires two arguments", "isnull(value, fallback)");
    return node({ kind: "binary", at, operator: "??", left, right });
  },
  np: (cursor, grammar, at) => {
    const [value, fallback, ...more] = fixed(cursor, grammar, at);
    if (value === undefined || more.length > 0)
      throw wrongCount(at, "The 'np' function requires one or two arguments", "np(a.b.c) or np(a.b.c, fallback)");
    return node({ kind: "np", at, value, fallback });
  },
  is: typed("is"),
  as: typed("as"),
  cast: typed("cast"),
};

const namesArray = (cursor: Cursor): boolean => {
  let ahead = 0;
  if (cursor.peek(ahead++).kind !== "identifier") return false;
  while (cursor.sees(".", ahead) && cursor.peek(ahead + 1).kind === "identifier") ahead += 2;
  return cursor.sees("[", ahead) && cursor.sees("]", ahead + 1);
};

const creation = (cursor: Cursor, grammar: Grammar, at: number): Node => {
  if (cursor.sees("(") || cursor.sees("{")) {
    const close = cursor.next().text === "(" ? ")" : "}";
    return node({ kind: "new", at, members: newMembers(cursor, grammar, close) });
  }
  const type = cursor.sees("[") ? undefined : grammar.typeName(cursor);
  cursor.expect("[");
  cursor.expect("]");
  const open = cursor.sees("(") ? cursor.next() : cursor.expect("{", "'{' expected");
  const close = open.text === "(" ? ")" : "}";
  const items: Node[] = [];
  if (cursor.accept(close)) return node({ kind: "newArray", at, type, items });
  do items.push(grammar.expression(cursor));
  while (cursor.accept(","));
  cursor.expect(close, `'${close}' or ',' expected`);
  return node({ kind: "newArray", at, type, items });
};

const newMembers = (cursor: Cursor, grammar: Grammar, close: ")" | "}"): readonly NewMember[] => {
  const members: NewMember[] = [];
  if (cursor.sees(close)) throw cursor.error("expected", "Expression expected", "`new` needs at least one member");
  do {
    const { at } = cursor.token;
    const assigned = cursor.token.kind === "identifier" && cursor.sees("=", 1) && !endsWithAs(cursor);
    const given = assigned ? plainName(cursor) : undefined;
    if (assigned) cursor.next();
    const value = grammar.member(cursor);
    const renamed = cursor.seesWord(["as"]) && !assigned;
    if (renamed) cursor.next();
    members.push(node({ at, value, name: renamed ? plainName(cursor) : given }));
  } while (cursor.accept(","));
  cursor.expect(close, `'${close}' or ',' expected`);
  return members;
};

const plainName = (cursor: Cursor): string => {
  const { text, at } = cursor.identifier();
  const name = text.startsWith("@") ? text.slice(1) : text;
  if (name !== "") return name;
  throw new LinqError("expected", "Identifier expected", { position: at });
};

/** True when the member ends with `as Name`: then `A = B` before it is the library's equality, not the spec's naming. */
const endsWithAs = (cursor: Cursor): boolean => {
  let open = 0;
  for (let ahead = 0; ; ahead++) {
    const { kind, text } = cursor.peek(ahead);
    if (kind === "end") return false;
    if (kind === "operator") {
      if (text === "(" || text === "[" || text === "{" || text === "?[") open++;
      else if (text === ")" || text === "]" || text === "}") open--;
      if (open < 0 || (open === 0 && text === ",")) return false;
    } else if (open === 0 && cursor.seesWord(["as"], ahead)) {
      return cursor.sees(",", ahead + 2) || cursor.sees(")", ahead + 2) || cursor.sees("}", ahead + 2);
    }
  }
};
