/**
 * Whether a regular expression can be made to take far longer than its text is long: the way in which one short request stops a
 * server. Judged from the expression alone; nothing is run.
 */
import { analyse } from "scslre";

/** How the time grows with the length of a hostile text. */
export type Slowness = "polynomial" | "exponential";

const known = new Map<string, Slowness | undefined>();

/** `undefined` for an expression that takes time in proportion to its text. Throws for what is no expression. */
export const slownessOf = (source: string, flags = ""): Slowness | undefined => {
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, judge(source, flags));
  return known.get(key);
};

const judge = (source: string, flags: string): Slowness | undefined => {
  const { reports } = analyse({ source, flags });
  if (reports.length === 0) return undefined;
  return reports.some(({ exponential }) => exponential) ? "exponential" : "polynomial";
};
