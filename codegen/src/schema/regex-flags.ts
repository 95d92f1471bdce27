/**
 * A regular expression's flags written into its source, since JSON Schema's `pattern` has none: it is searched for, case and line ends
 * as the source says. Pure.
 *
 * Not here: how long an expression can take (`pattern`).
 */

/** The same expression for `pattern`; `undefined` where its flags cannot be said by the source alone. */
export const patternSource = ({ source, flags }: Pick<RegExp, "source" | "flags">): string | undefined => {
  // Leading `.*` only lengthens what is found, and costs time: a pattern is searched for, not matched whole.
  const searched = source.replace(/^\.\*(?=[^?*+{])/, "").replace(/([^\\])\.\*$/, "$1");
  const meaning = [...flags].filter((flag) => !"gdu".includes(flag));
  if (meaning.length === 0) return searched;
  if (meaning.some((flag) => flag !== "i" && flag !== "s")) return undefined;
  const tokens = source.match(token);
  if (tokens === null || tokens.join("") !== source) return undefined;
  const parts = tokens.map((each) => rewriteToken(each, { i: flags.includes("i"), s: flags.includes("s") }));
  return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
};

/** An escape, a class, the head of a group, or one character; each directly behind the one before. */
const token =
  /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<[A-Za-z]\w*>|[:=!]|<[=!])|[^\\[]/gsuy;

interface Meaning {
  readonly i: boolean;
  readonly s: boolean;
}

const rewriteToken = (text: string, { i, s }: Meaning): string | undefined => {
  if (text === ".") return s ? "[\\s\\S]" : text;
  if (!i || text.startsWith("(?")) return text;
  if (text.startsWith("[")) return rewriteClass(text);
  // What an escape stands for may have two cases.
  if (/^\\[puxkcP]/.test(text) || /^\\[1-9]/.test(text)) return undefined;
  return bothCases(text);
};

const bothCases = (letter: string): string | undefined => {
  if (/^\p{ASCII}+$/u.test(letter))
    return /^[A-Za-z]$/.test(letter) ? `[${letter.toUpperCase()}${letter.toLowerCase()}]` : letter;
  return letter.toLowerCase() === letter.toUpperCase() ? letter : undefined;
};

/** A class with the other case of its letters and of its ranges of letters; other ranges that hold letters are left to the author. */
const rewriteClass = (text: string): string | undefined => {
  if (!/^\p{ASCII}*$/u.test(text) || /\\[puxcP]/.test(text)) return undefined;
  const [, open = "[", inside = ""] = /^(\[\^?)(.*)\]$/s.exec(text) ?? [];
  let others = "";
  for (const [part] of inside.matchAll(/\\.|[^\\]-[^\\]|[^\\]/gs)) {
    if (/^[A-Za-z]$/.test(part)) others += swapCase(part);
    else if (/^[a-z]-[a-z]$|^[A-Z]-[A-Z]$/.test(part)) others += swapCase(part);
    else if (/^.-.$/s.test(part) && !/^[0-9]-[0-9]$/.test(part)) return undefined;
  }
  // In front, so that they join no range at the end; a hyphen that was first there is none of a range either.
  return `${open}${others}${inside.replace(/^-/, "\\-")}]`;
};

const swapCase = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());
