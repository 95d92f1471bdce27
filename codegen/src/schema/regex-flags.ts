/**
 * A regular expression's flags written into its source, since JSON Schema's `pattern` has none: it is searched for, case and line ends
 * as the source says. Pure.
 *
 * Not here: an expression without the flag `u` (`unicode-pattern`), and how long one can take (`pattern`).
 */
import { unicodeSource } from "./unicode-pattern.ts";

/** The same expression for `pattern`, which readers compile with the flag `u`; `undefined` where the source alone cannot say it. */
export const patternSource = ({ source, flags }: Pick<RegExp, "source" | "flags">): string | undefined => {
  const meaning = [...flags].filter((flag) => !"gdu".includes(flag));
  if (meaning.some((flag) => flag !== "i" && flag !== "s")) return undefined;
  const written = flags.includes("u") ? source : unicodeSource(source);
  // Leading `.*` only lengthens what is found, and costs time: a pattern is searched for, not matched whole.
  if (written === undefined || meaning.length === 0)
    return written?.replace(/^\.\*(?=[^?*+{])/, "").replace(/([^\\])\.\*$/, "$1");
  const tokens = written.match(token);
  if (tokens === null || tokens.join("") !== written) return undefined;
  const meant = { i: flags.includes("i"), s: flags.includes("s"), u: flags.includes("u") };
  const parts = tokens.map((each) => rewriteToken(each, meant));
  return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
};

/** An escape, a class, the head of a group, or one character; each directly behind the one before. */
const token =
  /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<[A-Za-z]\w*>|[:=!]|<[=!])|(?!\(\?)[^\\[]/gsuy;

interface Meaning {
  readonly i: boolean;
  readonly s: boolean;
  /** With `i` and `u`, two letters have a third case: the sign of kelvin and the long s. */
  readonly u: boolean;
}

const rewriteToken = (text: string, { i, s, u }: Meaning): string | undefined => {
  if (text === ".") return s ? "[\\s\\S]" : text;
  if (!i || text.startsWith("(?")) return text;
  if (text.startsWith("[")) return rewriteClass(text, u);
  // What an escape stands for may have two cases.
  if (/^\\[puxkcP1-9]/.test(text) || (u && /^\\[wWbB]$/.test(text))) return undefined;
  return bothCases(text, u);
};

const bothCases = (letter: string, u: boolean): string | undefined => {
  if (/^\p{ASCII}+$/u.test(letter))
    return /^[A-Za-z]$/.test(letter)
      ? `[${letter.toUpperCase()}${letter.toLowerCase()}${u ? thirdCases(letter) : ""}]`
      : letter;
  return letter.toLowerCase() === letter.toUpperCase() ? letter : undefined;
};

const thirdCases = (letters: string): string =>
  (/k/i.test(letters) ? "\\u212a" : "") + (/s/i.test(letters) ? "\\u017f" : "");

/** A class with the other case of its letters and of its ranges of letters; other ranges that hold letters are left to the author. */
const rewriteClass = (text: string, u: boolean): string | undefined => {
  if (!/^\p{ASCII}*$/u.test(text) || /\\[puxcP]/.test(text) || (u && /\\[wW]/.test(text))) return undefined;
  const [, open = "[", inside = ""] = /^(\[\^?)(.*)\]$/s.exec(text) ?? [];
  let others = "";
  for (const [part] of inside.matchAll(/\\.|[^\\]-[^\\]|[^\\]/gs)) {
    if (/^[A-Za-z]$/.test(part)) others += swapCase(part) + (u ? thirdCases(part) : "");
    else if (/^[a-z]-[a-z]$|^[A-Z]-[A-Z]$/.test(part))
      others += swapCase(part) + (u ? thirdCases(lettersIn(part)) : "");
    else if (/^.-.$/s.test(part) && !/^[0-9]-[0-9]$/.test(part)) return undefined;
  }
  // In front, so that they join no range at the end; a hyphen that was first there is none of a range either.
  return `${open}${others}${inside.replace(/^-/, "\\-")}]`;
};

/** Those of a range that have a third case. */
const lettersIn = ([from = "", , to = ""]: string): string =>
  [..."kKsS"].filter((letter) => from <= letter && letter <= to).join("");

const swapCase = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());
