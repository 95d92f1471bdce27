/**
 * Whether a regular expression can be made to take far longer than its text is long: the way in which one short request stops a
 * server. Judged from the expression alone; nothing is run.
 */
import { analyse } from "scslre";

/** How the time grows with the length of a hostile text. */
export type PatternSlowness = "polynomial" | "exponential";

const known = new Map<string, PatternSlowness | undefined>();

/** `undefined` for an expression that takes time in proportion to its text. Throws for what is no expression. */
export const patternSlowness = (source: string, flags = ""): PatternSlowness | undefined => {
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, analysePattern(source, flags));
  return known.get(key);
};

const analysePattern = (source: string, flags: string): PatternSlowness | undefined => {
  const { reports } = analyse({ source, flags });
  if (reports.length === 0) return undefined;
  return reports.some(({ exponential }) => exponential) ? "exponential" : "polynomial";
};
