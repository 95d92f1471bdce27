/**
 * The tags of an XML text in their order, in one pass whatever the text is: what is in comments, CDATA and quoted values is no tag. What is not closed ends
 * it. Pure. Not here: entities of a document type, and whether the text is well-formed.
 */

export interface XmlTag {
  readonly name: string;
  /** `<a>`, `</a>` or `<a/>`. */
  readonly kind: "open" | "close" | "empty";
  /** The value of an attribute; the five entities of XML are replaced. */
  readonly read: (attribute: string) => string | undefined;
}

const skipped = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

export function* readTags(text: string): Generator<XmlTag> {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const other = skipped.find(([begin]) => text.startsWith(begin, at));
    const end = other === undefined ? findTagEnd(text, at) : text.indexOf(other[1], at + other[0].length);
    if (end < 0) return;
    if (other === undefined) yield parseTag(text.slice(at + 1, end));
    at = end + (other?.[1].length ?? 1);
  }
}

/** Of the `>` that ends it; -1 where there is none. */
const findTagEnd = (text: string, from: number): number => {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return at;
  }
  return -1;
};

const parseTag = (inside: string): XmlTag => {
  const kind = inside.startsWith("/") ? "close" : inside.endsWith("/") ? "empty" : "open";
  const [name = ""] = /^[^\s/]*/.exec(kind === "close" ? inside.slice(1) : inside) ?? [];
  return { name, kind, read: (attribute) => readAttribute(inside, attribute) };
};

const attributes = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const readAttribute = (inside: string, wanted: string): string | undefined => {
  for (const [, name, double, single = ""] of inside.matchAll(attributes))
    if (name === wanted)
      return (double ?? single).replace(/&(amp|lt|gt|quot|apos);/g, (_, known) => entities[known] ?? "");
  return undefined;
};

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
