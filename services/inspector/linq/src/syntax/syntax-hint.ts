/** What to do about a text that can not be parsed further, from the tokens around the place. */
import type { Lexeme } from "./token.ts";
import { comparisonWords } from "./words.ts";

/** Where reading stopped. */
interface ParseStop {
  /** The token that does not fit; `end` where the text is over. */
  readonly token: Lexeme;
  /** All tokens before it. */
  readonly before: readonly Lexeme[];
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "?[": "]" };
const closers: ReadonlySet<string> = new Set(Object.values(closing));

const isSign = ({ kind, text }: Lexeme, ...signs: readonly string[]): boolean =>
  kind === "operator" && signs.includes(text);

export const syntaxHint = ({ token, before }: ParseStop): string | undefined => {
  const last = before.at(-1);
  if (isSign(token, "=") && last !== undefined && isSign(last, "==", "!="))
    return "write `==` or `!=`, without a third sign";
  const generic = uncalled(before);
  if (generic !== undefined) return `a generic method is called with brackets: ${generic}()`;
  const open = unclosed(before);
  if (isSign(token, ".", "?.") && last !== undefined && isSign(last, "("))
    return `close the bracket first: \`()${token.text}\``;
  if (last === undefined) return "begin with a root, a member, a number or a text";
  if (last.kind === "operator" ? !closers.has(last.text) : isWord(last)) return valueAfter(last, token);
  if (open === undefined)
    return closers.has(token.text) ? `nothing is open that '${token.text}' could close` : meaning(token);
  const close = closing[open.text] ?? ")";
  if (token.kind === "end") return `'${open.text}' is not closed: add '${close}'`;
  return meaning(token) ?? `'${open.text}' is still open: '${close}' or an operator comes next`;
};

const words: ReadonlySet<string> = new Set([
  ...Object.keys(comparisonWords),
  ...["and", "or", "andalso", "orelse", "in", "not_in", "not", "mod"],
]);

const isWord = ({ kind, text }: Lexeme): boolean => kind === "identifier" && words.has(text.toLowerCase());

const valueAfter = (last: Lexeme, token: Lexeme): string => {
  const what = isSign(last, ".", "?.") ? "the name of a member" : "a value";
  const instead = token.kind === "end" ? "the text ends" : `here is '${token.text}'`;
  return `${what} is expected after '${last.text}', but ${instead}`;
};

const meaning = ({ kind, text }: Lexeme): string | undefined => {
  if (kind !== "operator" || closers.has(text)) return undefined;
  if (text === ":") return "':' belongs to a choice: test ? whenTrue : whenFalse";
  if (text === "{") return "'{' follows only `new`: new { A, B }";
  if (text === "(") return "only a method is called: a name goes directly before '('";
  return `'${text}' cannot be here: an operator takes a value on both sides`;
};

/** The innermost bracket that is open. */
const unclosed = (before: readonly Lexeme[]): Lexeme | undefined => {
  const open: Lexeme[] = [];
  for (const token of before) {
    if (token.kind !== "operator") continue;
    if (Object.hasOwn(closing, token.text)) open.push(token);
    else if (closers.has(token.text)) open.pop();
  }
  return open.at(-1);
};

/** `Name<Type>` at the end, read as two comparisons. */
const uncalled = (before: readonly Lexeme[]): string | undefined => {
  const [name, less, type, more] = before.slice(-4);
  if (name?.kind !== "identifier" || type?.kind !== "identifier" || less === undefined || more === undefined)
    return undefined;
  return isSign(less, "<") && isSign(more, ">") ? `${name.text}<${type.text}>` : undefined;
};
