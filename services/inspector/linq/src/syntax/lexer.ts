/**
 * Text to tokens. Escapes are those of .NET regular expressions, as the library decodes them; numbers keep their text, because
 * a minus before one belongs to it and only the parser sees that.
 */
import { LinqError } from "../core/error.ts";
import { type Lexeme, signs } from "./token.ts";

/** All tokens of a text, ending with one of kind `end`. Throws `LinqError`. */
export const tokens = (text: string): readonly Lexeme[] => {
  const found: Lexeme[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    if (at >= text.length) {
      found.push({ kind: "end", text: "", at: text.length, end: text.length });
      return found;
    }
    const token = tokenAt(text, at);
    found.push(token);
    at = token.end;
  }
};

const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isAsciiLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const letter = /\p{L}/u;
const letterOrMark = /[\p{L}\p{Nd}\p{Mn}\p{Mc}]/u;

const startsName = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if (code < 128)
    return isAsciiLetter(code) || code === 95 || code === 64 || code === 36 || code === 94 || code === 126;
  return letter.test(text.charAt(at));
};

const continuesName = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if (code < 128) return isAsciiLetter(code) || isDigit(code) || code === 95;
  return letterOrMark.test(text.charAt(at));
};

const tokenAt = (text: string, at: number): Lexeme => {
  const code = text.charCodeAt(at);
  if (isDigit(code)) return numberAt(text, at);
  if (code === 34 || code === 39) return quotedAt(text, at);
  if (startsName(text, at)) {
    let end = at + 1;
    while (end < text.length && continuesName(text, end)) end++;
    return { kind: "identifier", text: text.slice(at, end), at, end };
  }
  for (const sign of signs)
    if (text.startsWith(sign, at)) return { kind: "operator", text: sign, at, end: at + sign.length };
  throw new LinqError("unexpected_character", `Syntax error: '${text.charAt(at)}' has no meaning here`, {
    position: at,
    hint: strange[text.charAt(at)],
  });
};

const strange: Readonly<Record<string, string>> = {
  ";": "one expression only, without a semicolon",
  "#": "there are no comments, and private fields (#name) cannot be read in an expression: explore shows them with includePrivate",
  "`": 'strings are written "…"',
  "\\": "a backslash has a meaning only inside a string",
};

const numberAt = (text: string, at: number): Lexeme => {
  const prefix = text.slice(at, at + 2).toLowerCase();
  let end = at;
  if (prefix === "0x" || prefix === "0b") {
    end += 2;
    const allowed = prefix === "0x" ? isHexDigit : isBinaryDigit;
    while (end < text.length && allowed(text.charCodeAt(end))) end++;
    if (end === at + 2) throw badNumber("Digit expected", end);
    return finishNumber(text, at, integerSuffix(text, end));
  }
  end = digitsFrom(text, end);
  let real = false;
  if (text[end] === ".") {
    real = true;
    end = someDigits(text, end + 1);
  }
  if (text[end] === "e" || text[end] === "E") {
    real = true;
    end++;
    if (text[end] === "+" || text[end] === "-") end++;
    end = someDigits(text, end);
  }
  if (/[fFdDmM]/.test(text.charAt(end))) return finishNumber(text, at, end + 1);
  return finishNumber(text, at, real ? end : integerSuffix(text, end));
};

const finishNumber = (text: string, at: number, end: number): Lexeme => {
  if (end < text.length && continuesName(text, end)) {
    const hint =
      text[end] === "_"
        ? "digits are not separated"
        : "suffixes are U, L, UL (upper case) on whole numbers, and f, d, m";
    throw badNumber("Invalid number literal", end, hint);
  }
  return { kind: "number", text: text.slice(at, end), at, end };
};

const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
const isBinaryDigit = (code: number): boolean => code === 48 || code === 49;

const digitsFrom = (text: string, from: number): number => {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
};

const someDigits = (text: string, from: number): number => {
  const end = digitsFrom(text, from);
  if (end === from) throw badNumber("Digit expected", from);
  return end;
};

const integerSuffix = (text: string, at: number): number => {
  if (text.startsWith("UL", at) || text.startsWith("LU", at)) return at + 2;
  return text[at] === "U" || text[at] === "L" ? at + 1 : at;
};

const badNumber = (message: string, position: number, hint?: string): LinqError =>
  new LinqError("bad_number", message, { position, hint });

const quotedAt = (text: string, at: number): Lexeme => {
  const quote = text.charAt(at);
  let end = at + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) {
    const message = quote === '"' ? "Unterminated string literal" : "Unterminated character literal";
    throw new LinqError("unterminated_string", message, { position: at, hint: `add the closing ${quote}` });
  }
  const value = unescaped(text.slice(at + 1, end), at + 1);
  if (quote === '"') return { kind: "string", text: text.slice(at, end + 1), at, end: end + 1, value };
  if (value.length !== 1) {
    throw new LinqError("bad_char", "Character literal must contain exactly one character", {
      position: at,
      length: end + 1 - at,
      hint: 'strings are written "…"',
    });
  }
  return { kind: "char", text: text.slice(at, end + 1), at, end: end + 1, value };
};

const controls: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  t: "\t",
  r: "\r",
  v: "\u000b",
  f: "\f",
  n: "\n",
  e: "\u001b",
};

/** @NOTE The pattern is ours and the text is short: no user text ever becomes a RegExp. */
const escapes = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|c([A-Za-z@[\]\\^_])|([0-7]{1,3})|([\s\S]))/g;

const unescaped = (raw: string, at: number): string => {
  if (!raw.includes("\\")) return raw;
  return raw.replace(escapes, (all, hex, unicode, control, octal, other, offset: number) => {
    const digits: string | undefined = hex ?? unicode;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    if (control !== undefined) return String.fromCharCode(String(control).toUpperCase().charCodeAt(0) - 64);
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const mapped = controls[other];
    if (mapped !== undefined) return mapped;
    if (/\w/.test(other)) {
      throw new LinqError("bad_escape", `Unrecognized escape sequence '${all}'`, {
        position: at + offset,
        length: all.length,
        hint: "known are \\n \\r \\t \\\\ \\\" \\' \\x41 \\u0041",
      });
    }
    return other;
  });
};
