/**
 * A regular expression without the flag `u` in the words of one with it, since readers of JSON Schema compile a `pattern` with that flag: there
 * `\-` is an error, and `\u{2}` another character. Pure.
 *
 * Not here: the flags that change what is found (`regex-flags`). Both read a text outside of the basic plane as other counts of characters, which is
 * left as it is: lengths in JSON Schema differ from Zod's in the same way.
 */

/** The same expression for the flag `u`; `undefined` where it has none, or what its author meant is not what it says. */
export const unicodeSource = (source: string): string | undefined => {
  let written = "";
  for (const { 0: text, index } of source.matchAll(token)) {
    const part = text.startsWith("[") ? classPart(text) : outsidePart(text, source.slice(index + text.length));
    if (part === undefined) return undefined;
    written += part;
  }
  return isExpression(written) ? written : undefined;
};

/** A class, an escape, a count, or one character, each directly behind the one before: together they are all of any expression. */
const token =
  /\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:c[A-Za-z]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|k<[^>]*>|[\s\S])|\{\d+(?:,\d*)?\}|[\s\S]/guy;

const outsidePart = (text: string, rest: string): string | undefined => {
  if (text.startsWith("\\")) return escapePart(text, rest);
  if (/^[{}\]]$/.test(text)) return `\\${text}`;
  // Without the flag only the second half of it is repeated.
  return isWide(text) && /^[*+?{]/.test(rest) ? undefined : text;
};

/** Characters that may be escaped with the flag, the classes, and what stands for a character. */
const shared = /^\\(?:[\^$\\.*+?()[\]{}|/dDsSwWbBfnrtv]|c[A-Za-z]|x..|k<|[1-9])/;

const escapePart = (text: string, rest: string): string | undefined => {
  if (/^\\u[dD][89a-fA-F]/.test(text)) return undefined;
  if (shared.test(text) || /^\\u./.test(text)) return text;
  if (text === "\\0") return /^\d/.test(rest) ? undefined : text;
  // Whoever writes these means something that they are not without the flag.
  if (/^\\[cxk]$/.test(text) || (/^\\[uPp]$/.test(text) && rest.startsWith("{"))) return undefined;
  return text.slice(1);
};

const isWide = (text: string): boolean => /[\u{10000}-\u{10ffff}]/u.test(text);

const inClass = /\\(?:c[A-Za-z]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])|[\s\S]/gu;

const isSet = (text: string | undefined): boolean => text !== undefined && /^\\[dDsSwW]$/.test(text);

/** A hyphen beside a class like `\w` stands for itself. */
const classPart = (text: string): string | undefined => {
  const [, open = "", inside = ""] = /^(\[\^?)([\s\S]*)\]$/.exec(text) ?? [];
  if (isWide(inside)) return undefined;
  const found = [...inside.matchAll(inClass)];
  const parts = found.map(({ 0: each, index }, at) => {
    if (each === "-" && (isSet(found[at - 1]?.[0]) || isSet(found[at + 1]?.[0]))) return "\\-";
    if (each === "\\-") return each;
    if (each === "\\B") return "B";
    return each.startsWith("\\") ? escapePart(each, inside.slice(index + each.length)) : each;
  });
  return parts.every((part) => part !== undefined) ? `${open}${parts.join("")}]` : undefined;
};

const isExpression = (source: string): boolean => {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
};
