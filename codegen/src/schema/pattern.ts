/**
 * Whether a regular expression can be made to take far longer than its text is long: the way in which one short request stops a
 * server. Judged from the expression alone; nothing is run.
 */
import { createRequire } from "node:module";
import type { analyse } from "scslre";
import { regexes } from "zod/v4/core";

/** How the time grows with the length of a hostile text. */
export type PatternSlowness = "polynomial" | "exponential";

/** Loaded for the first pattern that is not known: most contracts have none of their own. */
const require = createRequire(import.meta.url);

/** Formats of Zod that most contracts have; a test judges them. */
export const formatPatterns: readonly RegExp[] = [
  regexes.datetime({}),
  regexes.datetime({ offset: true }),
  regexes.time({}),
  regexes.date,
  regexes.uuid(),
  regexes.email,
];

const known = new Map<string, PatternSlowness | undefined>(
  formatPatterns.map(({ source, flags }) => [`/${source}/${flags}`, undefined]),
);

/** `undefined` for an expression that takes time in proportion to its text. Throws for what is not an expression. */
export const patternSlowness = (source: string, flags = ""): PatternSlowness | undefined => {
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, analysePattern(source, flags));
  return known.get(key);
};

const analysePattern = (source: string, flags: string): PatternSlowness | undefined => {
  const { reports }: ReturnType<typeof analyse> = require("scslre").analyse({ source, flags });
  if (reports.length === 0) return undefined;
  return reports.some(({ exponential }) => exponential) ? "exponential" : "polynomial";
};
