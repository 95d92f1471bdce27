/**
 * Changes some elements of an XML text and leaves every other character as it was: what this code does not know is kept.
 *
 * Changes are collected and made together. Not here: reading (`xml.ts`), what is changed (`changed-build.ts`).
 */
import { type Element, skipTag } from "./xml.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlEditor {
  /** Sets attributes and keeps the others. */
  set(element: Element, attributes: Attributes): void;
  /** Puts another text in the place of an element; nothing takes it out. */
  replace(element: Element, xml: string): void;
  /** Adds a text behind the last child. */
  append(parent: Element, xml: string): void;
  text(): string;
}

/** `text` is what the elements were read from. */
export const createXmlEditor = (text: string): XmlEditor => {
  const attributes = new Map<Element, Attributes>();
  const appended = new Map<Element, string>();
  const replaced = new Map<Element, string>();

  const buildSplices = (element: Element): readonly Splice[] => {
    const { kind, end } = skipTag(text, element.start) ?? { kind: "open", end: element.end };
    const inside = appended.get(element) ?? "";
    const open = startTag(element.name, { ...element.attributes, ...attributes.get(element) });
    if (kind === "empty") {
      const whole = inside === "" ? `${open}/>` : `${open}>${inside}</${element.name}>`;
      return [{ from: element.start, to: end, put: whole }];
    }
    const close = text.lastIndexOf("</", element.end - 1);
    return [
      { from: element.start, to: end, put: `${open}>` },
      { from: close, to: close, put: inside },
    ];
  };

  return {
    set: (element, more) => void attributes.set(element, { ...attributes.get(element), ...more }),
    replace: (element, xml) => void replaced.set(element, xml),
    append: (parent, xml) => void appended.set(parent, (appended.get(parent) ?? "") + xml),
    text: () => {
      const touched = [...new Set([...attributes.keys(), ...appended.keys()])].filter((one) => !replaced.has(one));
      const splices: readonly Splice[] = [
        ...[...replaced].map(([{ start, end }, put]) => ({ from: start, to: end, put })),
        ...touched.flatMap(buildSplices),
      ];
      return splices
        .toSorted((a, b) => b.from - a.from)
        .reduce((done, { from, to, put }) => done.slice(0, from) + put + done.slice(to), text);
    },
  };
};

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/** An element without children. */
export const emptyElement = (name: string, attributes: Attributes): string => `${startTag(name, attributes)}/>`;

export const textElement = (name: string, attributes: Attributes, text: string): string =>
  `${startTag(name, attributes)}>${escapeXml(text)}</${name}>`;

const startTag = (name: string, attributes: Attributes): string =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(" ")}`;

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
