/**
 * Keeps errors short on every wire, and free of the input: one has at most 4 KB, and a reply made of errors at most 64 KB, however many there
 * are in it; a name that no contract says is an asterisk in a path, and is not repeated in the words.
 *
 * Texts are cut and issues left out, the last first. The data of a declared error is never touched: its contract promises it.
 */
import { fieldNames, type Issue, type Procedure, type WireError } from "@fairlead/contracts";

const mostErrorBytes = 4_096;
const mostReplyBytes = 65_536;
/** What may surround an error: brackets, commas, the framing of events and lines. */
const framing = 64;
/** Bytes of JSON that a text may have in an error that is too long. */
const mostTextBytes = 400;

/** Bytes that an error may have on the wire when the reply can have so many of them. */
export const errorBytes = (errors = 1): number =>
  Math.min(mostErrorBytes, Math.floor(mostReplyBytes / Math.max(1, errors))) - framing;

/** What `make` makes of the error; of a shorter one, if that has more bytes as JSON (or as it is, when it is a text). */
export const fitted = <T>(error: WireError, bytes: number, make: (error: WireError) => T): T => {
  let made = make(error);
  if (jsonSize(made) <= bytes) return made;
  const { message, hint, issues, ...rest } = error;
  const short = {
    ...rest,
    message: clippedBytes(message, mostTextBytes),
    ...(hint !== undefined && { hint: clippedBytes(hint, mostTextBytes) }),
  };
  for (let kept = issues?.length ?? 0; kept >= 0; kept -= 1) {
    made = make(issues === undefined ? short : { ...short, issues: issues.slice(0, kept) });
    if (jsonSize(made) <= bytes) break;
  }
  return made;
};

/** The text, cut to so many bytes of JSON. */
export const clippedBytes = (text: string, bytes: number): string => {
  if (text.length <= bytes / 6) return text;
  let size = 0;
  let end = 0;
  for (const char of text) {
    size += Buffer.byteLength(JSON.stringify(char)) - 2;
    if (size > bytes) return `${text.slice(0, end)}…`;
    end += char.length;
  }
  return text;
};

const jsonSize = (made: unknown): number =>
  Buffer.byteLength(typeof made === "string" ? made : (JSON.stringify(made) ?? ""));

const known = new WeakMap<Procedure, ReadonlySet<string>>();
const noNames: ReadonlySet<string> = new Set();

/**
 * For callers over a network; whoever is in the same process gets the names: there they are its own. The error without names that the
 * procedure's input does not have; without any where no procedure is known.
 */
export const withoutInputNames = (error: WireError, procedure?: Procedure): WireError => {
  if (error.issues === undefined || error.issues.length === 0) return error;
  const names = procedure === undefined ? noNames : readNames(procedure);
  return { ...error, issues: error.issues.map((issue) => withoutNames(issue, names)) };
};

const readNames = (procedure: Procedure): ReadonlySet<string> => {
  const names = known.get(procedure) ?? fieldNames(procedure.input);
  known.set(procedure, names);
  return names;
};

/** A step of a path as `pathText` writes it: a quoted key, an index, a name. A path that was cut ends in the middle of one. */
const step = /\["((?:[^"\\]|\\.)*)(?:"\])?|\[(\d+)\]|\.?([^.[]+)/g;

const withoutNames = (issue: Issue, names: ReadonlySet<string>): Issue => {
  const foreign = new Set<string>();
  const path = issue.path.replace(step, (text, quoted?: string, index?: string, name?: string) => {
    if (index !== undefined) return text;
    const key = quoted ?? name ?? "";
    if (isKnown(key, names)) return text;
    foreign.add(key);
    return text.startsWith(".") || quoted !== undefined ? ".*" : "*";
  });
  if (foreign.size === 0) return issue;
  const words = (text: string, otherwise: string): string => {
    const short = text.replaceAll(`\`${issue.path}\``, "what is there");
    return [...foreign].some((key) => repeats(short, key)) ? otherwise : short;
  };
  const isUnknown = issue.expected === "a known field";
  return {
    path,
    expected: words(issue.expected, "something else"),
    fix: words(
      issue.fix,
      isUnknown ? "remove what is not a field here, or check its spelling" : "correct what is there",
    ),
  };
};

/** A field of the input, the one name that is refused by name, or the beginning of a field at the end of a path that was cut. */
const isKnown = (key: string, names: ReadonlySet<string>): boolean =>
  names.has(key) ||
  key === "__proto__" ||
  (key.endsWith("…") && [...names].some((name) => name.startsWith(key.slice(0, -1))));

/** True where the text has the key as a word. */
const repeats = (text: string, key: string): boolean =>
  key !== "" &&
  text
    .split(/[^\p{L}\p{N}_$]+/u)
    .some((word) => word !== "" && key.includes(word) && word.length >= Math.min(4, key.length));
