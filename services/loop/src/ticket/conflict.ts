/** Which tickets can be worked on at the same time: those whose paths cannot overlap. */

import { coversPath, isGlob } from "../scope/glob.ts";
import { isWithin } from "../scope/path.ts";
import type { Ticket } from "./ticket.ts";

/** True when the two could touch one file. A ticket that may touch anything conflicts with every other. */
export const conflicts = (a: Ticket, b: Ticket): boolean => {
  const [left, right] = [ticketPaths(a), ticketPaths(b)];
  return left.length === 0 || right.length === 0 || left.some((one) => right.some((other) => pathsOverlap(one, other)));
};

/** The highest-ranked tickets of a list that do not conflict with one another. */
export const selectIndependent = (tickets: readonly Ticket[], most: number): readonly Ticket[] => {
  const chosen: Ticket[] = [];
  for (const ticket of tickets) {
    if (chosen.length >= most) break;
    if (!chosen.some((taken) => conflicts(taken, ticket))) chosen.push(ticket);
  }
  return chosen;
};

const ticketPaths = ({ allowedPaths, files }: Ticket): readonly string[] =>
  allowedPaths.length > 0 ? allowedPaths : files;

/** Globs are compared by the folder before their first wildcard: more conflicts than there are, never fewer. */
const pathsOverlap = (a: string, b: string): boolean => {
  if (!isGlob(a) && !isGlob(b)) return isWithin(a, b) || isWithin(b, a);
  if (!isGlob(a)) {
    const fixed = literalPrefix(b);
    return fixed === "" || coversPath(b, a) || isWithin(fixed, a) || isWithin(a, fixed);
  }
  if (!isGlob(b)) return pathsOverlap(b, a);
  const [left, right] = [literalPrefix(a), literalPrefix(b)];
  return left === "" || right === "" || isWithin(left, right) || isWithin(right, left);
};

const literalPrefix = (pattern: string): string => {
  const parts = pattern.split("/");
  const wild = parts.findIndex(isGlob);
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/");
};
