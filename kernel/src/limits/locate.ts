/**
 * The slow walk over JSON text that is known to be refused: finds the path of a place, the first member named twice, or where the
 * text stops being JSON and what is expected there.
 *
 * Iterative like the scan, but it keeps the keys. Only for error messages; the scan (`scan.ts`) decides.
 */
import { pathText } from "@fairlead/contracts";
import type { Breach } from "./breach.ts";

type Frame =
  | { readonly kind: "object"; readonly seen: Set<string>; key: string | undefined }
  | { readonly kind: "array"; index: number };

type ExpectedToken = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or close" | "end";

const wording: Readonly<Record<Exclude<ExpectedToken, "comma or close">, string>> = {
  value: "a value",
  "value or ]": "a value or ]",
  key: "a member's name in double quotes",
  "key or }": "a member's name in double quotes, or }",
  colon: "a colon",
  end: "nothing more",
};

/** Path of the value that starts at the offset, or of the array or object around it. */
export const pathAt = (text: string, offset: number): string => walk(text, offset).path;

/** The first thing that makes the text no strict JSON: a member named twice, or an error of syntax. */
export const firstFault = (text: string): Breach => {
  const { path, fault } = walk(text, Number.POSITIVE_INFINITY);
  if (fault === undefined || fault.expected === undefined) return { kind: "duplicate", path };
  return { kind: "syntax", path, expected: fault.expected, place: locateLine(text, fault.offset) };
};

interface Fault {
  readonly offset: number;
  /** What is expected there; absent for a member named twice. */
  readonly expected?: string;
}

const walk = (text: string, stopAt: number): { readonly path: string; readonly fault?: Fault } => {
  const frames: Frame[] = [];
  let expecting: ExpectedToken = "value";
  let at = 0;

  const found = (fault?: Fault) => ({ path: pathText(parts(frames)), ...(fault !== undefined && { fault }) });
  const unexpected = () => found({ offset: at, expected: describe(expecting, frames.at(-1)) });

  for (;;) {
    at = skipSpace(text, at);
    if (at >= stopAt) return { path: pathText(parts(expecting.startsWith("value") ? frames : frames.slice(0, -1))) };
    if (at >= text.length) return expecting === "end" ? found() : unexpected();
    const char = text[at];
    const frame = frames.at(-1);
    switch (expecting) {
      case "key":
      case "key or }": {
        if (char === "}" && expecting === "key or }") {
          frames.pop();
          expecting = after(frames);
          at += 1;
          break;
        }
        if (char !== '"' || frame?.kind !== "object") return unexpected();
        const end = stringEnd(text, at);
        if (end.bad !== undefined) return found(end.bad);
        const key: string = JSON.parse(text.slice(at, end.next));
        frame.key = key;
        if (frame.seen.has(key)) return found({ offset: at });
        frame.seen.add(key);
        expecting = "colon";
        at = end.next;
        break;
      }
      case "colon":
        if (char !== ":") return unexpected();
        expecting = "value";
        at += 1;
        break;
      case "comma or close":
        if (char === "," && frame !== undefined) {
          if (frame.kind === "array") frame.index += 1;
          expecting = frame.kind === "array" ? "value" : "key";
        } else if (char === (frame?.kind === "array" ? "]" : "}")) {
          frames.pop();
          expecting = after(frames);
        } else return unexpected();
        at += 1;
        break;
      case "value":
      case "value or ]":
        if (char === "{") {
          frames.push({ kind: "object", seen: new Set(), key: undefined });
          expecting = "key or }";
          at += 1;
        } else if (char === "[") {
          frames.push({ kind: "array", index: 0 });
          expecting = "value or ]";
          at += 1;
        } else if (char === "]" && expecting === "value or ]") {
          frames.pop();
          expecting = after(frames);
          at += 1;
        } else {
          const end = char === '"' ? stringEnd(text, at) : scalarEnd(text, at);
          if (end.bad !== undefined) return found(end.bad);
          expecting = after(frames);
          at = end.next;
        }
        break;
      case "end":
        return unexpected();
    }
  }
};

const after = (frames: readonly Frame[]): ExpectedToken => (frames.length === 0 ? "end" : "comma or close");

const describe = (expecting: ExpectedToken, frame: Frame | undefined): string =>
  expecting === "comma or close" ? `a comma or ${frame?.kind === "array" ? "]" : "}"}` : wording[expecting];

/** A frame that has not come to its first key or item yet adds nothing. */
function* parts(frames: readonly Frame[]): Iterable<string | number> {
  for (const frame of frames) {
    if (frame.kind === "array") yield frame.index;
    else if (frame.key !== undefined) yield frame.key;
  }
}

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at += 1;
  return at;
};

type End = { readonly next: number; readonly bad?: undefined } | { readonly bad: Fault };

const stringEnd = (text: string, from: number): End => {
  let at = from + 1;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return { next: at + 1 };
    if (char < 0x20) return { bad: { offset: at, expected: "no line breaks or control characters in a text" } };
    if (char !== 0x5c) at += 1;
    else if ('"\\/bfnrt'.includes(text[at + 1] ?? " ")) at += 2;
    else if (/^u[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 6))) at += 6;
    else return { bad: { offset: at, expected: "an escape that JSON knows" } };
  }
  return { bad: { offset: text.length, expected: "a closing double quote" } };
};

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const scalarEnd = (text: string, from: number): End => {
  scalar.lastIndex = from;
  return scalar.test(text) ? { next: scalar.lastIndex } : { bad: { offset: from, expected: "a value" } };
};

const locateLine = (text: string, offset: number): string => {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `line ${line}, column ${offset - (before.lastIndexOf("\n") + 1) + 1}`;
};
