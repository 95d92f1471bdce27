/**
 * Reads untrusted XML: no document types, no entities of its own, bounded in size, depth and number of parts before the parser sees it.
 *
 * The answer is a plain tree of elements with their attributes and text. Not here: what the elements mean (`build.ts`).
 */
import { parseXml as parse, XmlElement, XmlText } from "@rgrove/parse-xml";
import { maxBuildChars, maxXmlDepth, xmlLimits } from "./limits.ts";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, without that of its children. */
  readonly text: string;
  /** Where it begins and ends in the text that was read. */
  readonly start: number;
  readonly end: number;
}

type ParsedXml = { readonly ok: true; readonly root: Element } | { readonly ok: false; readonly why: string };

export const parseXml = (text: string): ParsedXml => {
  const danger = findDanger(text);
  if (danger !== undefined) return { ok: false, why: danger };
  try {
    const { root } = parse(text, { includeOffsets: true });
    return root === null ? { ok: false, why: "it has no element" } : { ok: true, root: toElement(root) };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { ok: false, why: said.slice(0, 200) };
  }
};

/** The first child of that name. */
export const findChild = (element: Element, name: string): Element | undefined =>
  element.children.find((child) => child.name === name);

export const findChildren = (element: Element, name: string): readonly Element[] =>
  element.children.filter((child) => child.name === name);

/** What makes a text unfit for a parser: one pass over its tags, before anything is built from it. */
const findDanger = (text: string): string | undefined => {
  if (text.length > maxBuildChars) return `it is longer than ${maxBuildChars} characters`;
  if (countMarks(text, "&") > xmlLimits.references) return `it has more than ${xmlLimits.references} references`;
  let depth = 0;
  let parts = 0;
  let attributes = 0;
  for (let at = text.indexOf("<"); at !== -1; ) {
    const skipped = skipTag(text, at);
    if (skipped === undefined) return "it declares a document type, which no build does";
    if (skipped.kind === "open" && ++depth > maxXmlDepth)
      return `its elements are nested more than ${maxXmlDepth} deep`;
    if (skipped.kind === "close") depth--;
    else if (++parts > xmlLimits.elements) return `it has more than ${xmlLimits.elements} elements`;
    attributes += skipped.attributes;
    if (attributes > xmlLimits.attributes) return `it has more than ${xmlLimits.attributes} attributes`;
    at = text.indexOf("<", skipped.end);
  }
  return undefined;
};

const countMarks = (text: string, mark: string): number => {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count++;
  return count;
};

/** A tag, a comment or the like. */
interface XmlToken {
  readonly kind: "open" | "close" | "empty" | "other";
  readonly attributes: number;
  readonly end: number;
}

/** What begins at a `<`, and where it ends; nothing for a declaration. */
export const skipTag = (text: string, at: number): XmlToken | undefined => {
  const until = (mark: string, kind: XmlToken["kind"]): XmlToken => {
    const end = text.indexOf(mark, at + 1);
    return { kind, attributes: 0, end: end === -1 ? text.length : end + mark.length };
  };
  if (text.startsWith("<!--", at)) return until("-->", "other");
  if (text.startsWith("<![CDATA[", at)) return until("]]>", "other");
  if (text.startsWith("<!", at)) return undefined;
  if (text.startsWith("<?", at)) return until("?>", "other");
  if (text.startsWith("</", at)) return until(">", "close");
  let end = at + 1;
  let quotes = 0;
  for (let quote = ""; end < text.length; end++) {
    const char = text.charAt(end);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") {
      quote = char;
      quotes++;
    } else if (char === ">") break;
  }
  return { kind: text.charAt(end - 1) === "/" ? "empty" : "open", attributes: quotes, end: end + 1 };
};

const toElement = ({ name, attributes, children, start, end }: XmlElement): Element => ({
  name,
  start,
  end,
  attributes: { ...attributes },
  children: children.flatMap((child) => (child instanceof XmlElement ? [toElement(child)] : [])),
  text: children.map((child) => (child instanceof XmlText ? child.text : "")).join(""),
});
