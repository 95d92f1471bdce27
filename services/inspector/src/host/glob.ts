/**
 * Patterns with `*` (any text) and `?` (one character), ignoring case, matched in time linear in pattern times text.
 *
 * The matcher remembers one star only and never backtracks further, so no pattern can make it slow. No host RegExp is involved.
 */

/** Compiles a pattern to a test. A pattern without `*` and `?` matches the whole text only. */
export const glob = (pattern: string): ((text: string) => boolean) => {
  const wanted = pattern.toLowerCase();
  if (!wanted.includes("*") && !wanted.includes("?")) return (text) => text.toLowerCase() === wanted;
  return (text) => matches(wanted, text.toLowerCase());
};

const matches = (pattern: string, text: string): boolean => {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
};
