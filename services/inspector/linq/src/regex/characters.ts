/** Which characters an escape or a class means. */

import type { PatternText } from "./text.ts";
import type { CharacterTest } from "./tree.ts";

const isDigit: CharacterTest = (point) => point >= 48 && point <= 57;
export const isWord: CharacterTest = (point) =>
  isDigit(point) || (point >= 65 && point <= 90) || (point >= 97 && point <= 122) || point === 95;
const isSpace: CharacterTest = (point) =>
  point === 32 || (point >= 9 && point <= 13) || (point >= 128 && /^\s$/u.test(String.fromCodePoint(point)));

const not =
  (test: CharacterTest): CharacterTest =>
  (point) =>
    !test(point);

const kinds: Readonly<Record<string, CharacterTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7, e: 27, 0: 0 };

const exactly =
  (wanted: number): CharacterTest =>
  (point) =>
    point === wanted;

/** After a backslash. */
export const readEscape = (text: PatternText, ignoresCase: boolean): CharacterTest => {
  const property = text.takesMatch(/[pP]\{([A-Za-z_=]{1,40})\}/y);
  if (property !== undefined) return readProperty(property, text);
  const kind = text.takesMatch(/[dDwWsS]/y)?.[0];
  if (kind !== undefined) return kinds[kind] ?? exactly(0);
  const test = exactly(readPoint(text));
  return ignoresCase ? inAnyCase(test) : test;
};

/** One character that is escaped. */
const readPoint = (text: PatternText): number => {
  const code = text.takesMatch(/x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}/y);
  if (code !== undefined) return Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16);
  const control = text.takesMatch(/[nrtfvae0]/y)?.[0];
  if (control !== undefined) return controls[control] ?? 0;
  if (text.sees("k") || text.takesMatch(/[1-9]/y) !== undefined)
    throw text.fault("a reference back to a group, which linear time has no way to match");
  if (text.takesMatch(/[A-Za-z]/y) !== undefined) throw text.fault("an escape that is not known");
  return text.take();
};

/** The engine's own tables say what a property means: a test of one character takes the same time always. */
const readProperty = ([whole, name = ""]: RegExpExecArray, text: PatternText): CharacterTest => {
  try {
    const wanted = new RegExp(`^\\p{${name}}$`, "u");
    const test: CharacterTest = (point) => wanted.test(String.fromCodePoint(point));
    return whole.startsWith("P") ? not(test) : test;
  } catch {
    throw text.fault(`a property that is not known, ${name}`);
  }
};

/** The same for a character in another case. */
export const inAnyCase =
  (test: CharacterTest): CharacterTest =>
  (point) => {
    if (test(point)) return true;
    const text = String.fromCodePoint(point);
    const [lower, upper] = [text.toLowerCase().codePointAt(0) ?? point, text.toUpperCase().codePointAt(0) ?? point];
    return test(lower) || test(upper);
  };

/** After a `[`. */
export const readClass = (text: PatternText, ignoresCase: boolean): CharacterTest => {
  const isNegated = text.takes("^");
  const tests: CharacterTest[] = [];
  for (let isFirst = true; isFirst || !text.takes("]"); isFirst = false) {
    if (isFirst && text.takes("]")) {
      tests.push(exactly(93));
      continue;
    }
    const kind = text.takesMatch(/\\[dDwWsS]/y)?.[0];
    const property = kind === undefined ? text.takesMatch(/\\([pP])\{([A-Za-z_=]{1,40})\}/y) : undefined;
    if (kind !== undefined) tests.push(kinds[kind.slice(1)] ?? exactly(0));
    else if (property !== undefined) tests.push(readProperty(reread(property), text));
    else tests.push(readRange(text));
  }
  const some: CharacterTest = (point) => tests.some((each) => each(point));
  const test = ignoresCase ? inAnyCase(some) : some;
  return isNegated ? not(test) : test;
};

/** The same as outside of a class, without its backslash. */
const reread = ([, kind = "", name = ""]: RegExpExecArray): RegExpExecArray =>
  Object.assign([`${kind}{${name}}`, name], { index: 0, input: "" }) as RegExpExecArray;

const readRange = (text: PatternText): CharacterTest => {
  const from = readMember(text);
  if (!text.sees("-") || text.sees("-]") || !text.takes("-")) return exactly(from);
  const to = readMember(text);
  if (to < from) throw text.fault("a range whose end comes before its begin");
  return (point) => point >= from && point <= to;
};

const readMember = (text: PatternText): number => {
  if (text.takes("\\b")) return 8;
  return text.takes("\\") ? readPoint(text) : text.take();
};
