/**
 * An entry put into a JSON file that people write: everything else of it stays as it is, comments and trailing commas included. Pure.
 *
 * Not here: reading and writing the file (`declared/saved-entry.ts`).
 */
import { isRecord } from "./record.ts";

/** The document, of a text with comments and trailing commas as editors allow them. Throws a `SyntaxError`. */
export const parseCommentedJson = (text: string): unknown => JSON.parse(withoutComments(text));

/** The text in which `member` of the document has one more entry. Throws where the text is no object, or has such an entry already. */
export const insertEntry = (
  text: string,
  { member, name, value }: { readonly member: string; readonly name: string; readonly value: unknown },
): string => {
  const before = parseCommentedJson(text);
  if (!isRecord(before)) throw new Error("it is not an object");
  const entries = before[member] ?? {};
  if (!isRecord(entries)) throw new Error(`its ${member} is not an object`);
  if (Object.hasOwn(entries, name)) throw new Error(`its ${member} has an entry ${name} already`);
  const plain = withoutComments(text);
  const root = readObject(plain, plain.search(/\S/));
  const place = root.members.findLast(({ key }) => key === member);
  const edited =
    place === undefined
      ? withMember({ text, plain, object: root }, member, { [name]: value })
      : withMember({ text, plain, object: readObject(plain, place.start) }, name, value);
  const wanted = { ...before, [member]: { ...entries, [name]: value } };
  // Whatever the file is like: what is not that and nothing else is not written.
  if (JSON.stringify(parseCommentedJson(edited)) !== JSON.stringify(wanted))
    throw new Error("it cannot be edited safely");
  return edited;
};

/** The same with spaces in place of comments and trailing commas, so that each character keeps its place. One pass, whatever the text is. */
const withoutComments = (text: string): string => {
  const parts: string[] = [];
  /** The part of a comma that nothing but blanks has followed. */
  let comma = -1;
  for (let at = 0; at < text.length; ) {
    const end = endOfPart(text, at);
    const part = text.slice(at, end);
    const isComment = part.startsWith("//") || part.startsWith("/*");
    const isBlank = isComment || /^\s$/.test(part);
    if ((part === "}" || part === "]") && comma >= 0) parts[comma] = " ";
    if (part === ",") comma = parts.length;
    else if (!isBlank) comma = -1;
    parts.push(isComment ? part.replace(/[^\n]/g, " ") : part);
    at = end;
  }
  return parts.join("");
};

/** A string, a comment, or one character; what is not closed goes to the end. */
const endOfPart = (text: string, at: number): number => {
  const two = text.slice(at, at + 2);
  if (two === "//") return orEnd(text, text.indexOf("\n", at));
  if (two === "/*") return orEnd(text, text.indexOf("*/", at + 2) + 2, 1);
  if (text[at] !== '"') return at + 1;
  let end = at + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  return Math.min(text.length, end + 1);
};

/** @param none the greatest number that means that there is no such place */
const orEnd = (text: string, found: number, none = -1): number => (found <= none ? text.length : found);

interface ObjectPlace {
  /** Of its closing brace. */
  readonly close: number;
  readonly members: readonly { readonly key: string; readonly start: number; readonly end: number }[];
}

/** The object that begins there. The text is known to be JSON. */
const readObject = (plain: string, open: number): ObjectPlace => {
  const members: { key: string; start: number; end: number }[] = [];
  let at = skipSpace(plain, open + 1);
  while (plain[at] === '"') {
    const keyEnd = endOfValue(plain, at);
    const start = skipSpace(plain, skipSpace(plain, keyEnd) + 1);
    const end = endOfValue(plain, start);
    members.push({ key: String(JSON.parse(plain.slice(at, keyEnd))), start, end });
    at = skipSpace(plain, end);
    if (plain[at] === ",") at = skipSpace(plain, at + 1);
  }
  return { close: at, members };
};

const skipSpace = (plain: string, from: number): number => {
  let at = from;
  while (/\s/.test(plain.charAt(at))) at += 1;
  return at;
};

const token = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:"{}[\]]+/y;

const endOfValue = (plain: string, start: number): number => {
  let depth = 0;
  let at = start;
  do {
    token.lastIndex = at;
    const [found] = token.exec(plain) ?? [];
    if (found === undefined) at += 1;
    else {
      at += found.length;
      if (found === "{" || found === "[") depth += 1;
      if (found === "}" || found === "]") depth -= 1;
    }
  } while (depth > 0 && at < plain.length);
  return at;
};

interface ObjectText {
  readonly text: string;
  readonly plain: string;
  readonly object: ObjectPlace;
}

/** After the last member, on lines of its own; a comment behind that one stays where it is. */
const withMember = ({ text, plain, object: { close, members } }: ObjectText, key: string, value: unknown): string => {
  const last = members.at(-1);
  const outer = indentAt(text, close);
  const inner = last === undefined ? `${outer}  ` : indentAt(text, last.start);
  const indent = inner.length > outer.length ? inner : `${outer}  `;
  const written = `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`)}`;
  const head = text.slice(0, close).trimEnd();
  const tail =
    head.length === close || !text.slice(head.length, close).includes("\n")
      ? `\n${outer}`
      : text.slice(head.length, close);
  const comma = last === undefined || hasComma(text, plain, { from: last.end, to: close }) ? "" : ",";
  const cut = last === undefined ? head.length : last.end;
  return `${head.slice(0, cut)}${comma}${head.slice(cut)}\n${indent}${written}${tail}${text.slice(close)}`;
};

/** Whether a trailing comma is there, which is blank in `plain` and outside of comments. */
const hasComma = (
  text: string,
  plain: string,
  { from, to }: { readonly from: number; readonly to: number },
): boolean => {
  for (let at = from; at < to; at = endOfPart(text, at))
    if (text[at] === ",") return plain.slice(from, to).trim() === "";
  return false;
};

/** The blanks that its line begins with. */
const indentAt = (text: string, at: number): string => {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
};
