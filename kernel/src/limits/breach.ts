/**
 * What goes wrong with an input before it is decoded, as wire errors, and where it goes wrong. One wording for text and for values that arrive parsed, so
 * that every transport refuses the same input with the same words.
 *
 * Values are never echoed; a key is, clipped, where it is part of the path.
 *
 * The place is found by a slow walk over text that is known to be refused: the path, the first member named twice, or where the text
 * stops being JSON and what is expected there. It is iterative like the scan, but keeps the keys. The scan (`scan.ts`) decides.
 */
import { type Limits, pathText, type WireError } from "@fairlead/contracts";

/** A limit that an input passed, or why it is not JSON. `path` is where, as `pathText` writes it. */
export type Breach =
  | { readonly kind: "bytes" | "string" | "depth" | "keys" | "items" | "duplicate" | "name"; readonly path: string }
  | { readonly kind: "syntax"; readonly path: string; readonly expected: string; readonly place: string };

/** The refusal of a breach. */
export const refusal = (breach: Breach, limits: Limits): WireError => {
  const where = breach.path === "" ? "the input" : `\`${breach.path}\``;
  switch (breach.kind) {
    case "bytes":
      return {
        code: "resource_exhausted",
        message: `the input is larger than ${limits.bytes} bytes`,
        hint: "send less at once; the procedure's policy sets this limit",
        issues: [
          {
            path: breach.path,
            expected: `at most ${limits.bytes} bytes of JSON`,
            fix: "shorten the input, or split it over several calls",
          },
        ],
        retryable: false,
      };
    case "string":
      return {
        code: "resource_exhausted",
        message: "a text in the input is too long",
        hint: "send less at once; the procedure's policy sets this limit",
        issues: [{ path: breach.path, expected: `at most ${limits.string} bytes of UTF-8`, fix: `shorten ${where}` }],
        retryable: false,
      };
    case "depth":
      return invalid("the input is nested too deeply", {
        path: breach.path,
        expected: `at most ${limits.depth} levels of arrays and objects`,
        fix: "flatten the input",
      });
    case "keys":
      return invalid("an object in the input has too many members", {
        path: breach.path,
        expected: `at most ${limits.keys} members`,
        fix: `give ${where} fewer members, or split it over several calls`,
      });
    case "items":
      return invalid("an array in the input has too many items", {
        path: breach.path,
        expected: `at most ${limits.items} items`,
        fix: `give ${where} fewer items, or split it over several calls`,
      });
    case "duplicate":
      return invalid("an object in the input names a member twice", {
        path: breach.path,
        expected: "each member once",
        fix: `name ${where} once`,
      });
    case "name":
      return invalid("an object in the input has a member called `__proto__`", {
        path: breach.path,
        expected: "no member of that name, by which code would change what objects inherit",
        fix: `leave ${where} out, or give it another name`,
      });
    case "syntax":
      return invalid("the input is not valid JSON", {
        path: breach.path,
        expected: breach.expected,
        fix: `correct the JSON at ${breach.place}`,
      });
  }
};

const invalid = (message: string, issue: { path: string; expected: string; fix: string }): WireError => ({
  code: "invalid_argument",
  message,
  issues: [issue],
  retryable: false,
});

type ContainerFrame =
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
  const frames: ContainerFrame[] = [];
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

const after = (frames: readonly ContainerFrame[]): ExpectedToken => (frames.length === 0 ? "end" : "comma or close");

const describe = (expecting: ExpectedToken, frame: ContainerFrame | undefined): string =>
  expecting === "comma or close" ? `a comma or ${frame?.kind === "array" ? "]" : "}"}` : wording[expecting];

/** A frame that has not come to its first key or item yet adds nothing. */
function* parts(frames: readonly ContainerFrame[]): Iterable<string | number> {
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
    else return { bad: { offset: at, expected: "an escape that JSON has" } };
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
