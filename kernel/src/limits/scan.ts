/**
 * The scan of raw JSON before it is parsed, and the same limits for values that arrive parsed: depth, members of an object, items
 * of an array, bytes of a text, bytes in all, and no member named twice. Zod overflows the stack on deep input and parsers lose
 * double members silently, so both are stopped here.
 *
 * Never recurses. Not here: reading bytes (`body.ts`), the place and the words of a refusal (`breach.ts`).
 */
import { type Limits, pathText, type WireError } from "@fairlead/contracts";
import { type Breach, firstFault, pathAt, refusal } from "./breach.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: WireError };

/** Parses strict JSON under the limits. */
export const parseJson = (text: string, limits: Limits): ParsedJson => {
  if (text.length * 3 > limits.bytes && Buffer.byteLength(text) > limits.bytes) {
    return refused({ kind: "bytes", path: "" }, limits);
  }
  const swept = sweep(text, limits);
  if (typeof swept !== "number") return refused({ kind: swept.kind, path: pathAt(text, swept.at) }, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(firstFault(text), limits);
  }
  return swept === countMembers(value) ? { ok: true, value } : refused(firstFault(text), limits);
};

/** The one name that no member may have: code that copies members one by one would set a prototype by it. */
const prototypeName = "__proto__";

/**
 * Whether a text may name a member `__proto__`, perhaps in escapes. Then a transport leaves the input to be measured, which
 * looks at every member. False for nearly every text, after one search.
 */
export const mayNamePrototype = (text: string): boolean => text.includes(prototypeName) || text.includes("\\u00");

const refused = (breach: Breach, limits: Limits): ParsedJson => ({ ok: false, error: refusal(breach, limits) });

interface Excess {
  readonly kind: "string" | "depth" | "keys" | "items";
  readonly at: number;
}

/** Holds the text to the limits and counts the members of all objects. Text that is not JSON gives some number. */
const sweep = (text: string, limits: Limits): number | Excess => {
  const isObject: boolean[] = [];
  const commas: number[] = [];
  let open = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = closingQuote(text, at);
        if (end === -1) return members;
        if ((end - at - 1) * 3 > limits.string && textBytes(text.slice(at, end + 1)) > limits.string) {
          return { kind: "string", at };
        }
        at = end;
        break;
      }
      case 0x5b:
      case 0x7b:
        if (open >= limits.depth) return { kind: "depth", at };
        isObject[open] = text.charCodeAt(at) === 0x7b;
        commas[open] = 0;
        open += 1;
        break;
      case 0x5d:
      case 0x7d:
        if (open > 0) open -= 1;
        break;
      case 0x2c:
        if (open > 0) {
          const count = (commas[open - 1] ?? 0) + 1;
          commas[open - 1] = count;
          if (isObject[open - 1] ? count >= limits.keys : count >= limits.items) {
            return { kind: isObject[open - 1] ? "keys" : "items", at };
          }
        }
        break;
      case 0x3a:
        members += 1;
        break;
    }
  }
  return members;
};

/** Most texts are short: looking by hand for this long is cheaper than a search. */
const nearby = 32;

/** Where the text that starts at `from` closes; -1 when it does not. */
const closingQuote = (text: string, from: number): number => {
  const near = Math.min(text.length, from + nearby);
  for (let at = from + 1; at < near; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return at;
    if (char === 0x5c) break;
  }
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
};

/** Bytes of the string that a JSON text encodes; 0 when the text is not valid, which the parser reports. */
const textBytes = (json: string): number => {
  try {
    return Buffer.byteLength(JSON.parse(json));
  } catch {
    return 0;
  }
};

/** Members of all objects in what the parser made: plain objects, so `for in` finds their own members and no others. */
const countMembers = (root: unknown): number => {
  let members = 0;
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node)) {
      for (const item of node) if (typeof item === "object") pending.push(item);
      continue;
    }
    const object = node as Readonly<Record<string, unknown>>;
    for (const key in object) {
      members += 1;
      const child = object[key];
      if (typeof child === "object") pending.push(child);
    }
  }
  return members;
};

interface ScanFrame {
  readonly node: Readonly<Record<string | number, unknown>>;
  /** `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

/**
 * Holds a value that arrived parsed to the limits of the same value as JSON text. A cycle is found as depth, and a graph that
 * shares nodes as bytes, so the work is bounded by the limits and not by the value.
 */
export const measure = (value: unknown, limits: Limits): WireError | undefined =>
  surelyFits(value, limits) ? undefined : measured(value, limits);

/** Deeper values are left to `measured`, which needs no stack. */
const deepest = 256;

/** The check that nearly every input passes, in a quarter of the time. False when it does not, or might not. */
const surelyFits = (value: unknown, { bytes, depth, keys, items, string }: Limits): boolean => {
  let room = bytes;
  const longest = string / 3;

  const isSmall = (node: unknown, levels: number): boolean => {
    if (typeof node === "string") {
      room -= 6 * node.length + 2;
      return node.length <= longest;
    }
    if (typeof node === "object" && node !== null) return levels > 0 && isSmallContainer(node, levels - 1);
    room -= 25;
    return true;
  };

  const isSmallContainer = (node: object, levels: number): boolean => {
    room -= 2;
    if (Array.isArray(node)) {
      room -= node.length;
      if (node.length > items) return false;
      for (const item of node) if (!isSmall(item, levels)) return false;
    } else {
      let members = 0;
      for (const key in node) {
        members += 1;
        room -= 6 * key.length + 4;
        if (key.length > longest || key === prototypeName || !isSmall((node as Members)[key], levels)) return false;
      }
      if (members > keys) return false;
    }
    return room >= 0;
  };

  return isSmall(value, Math.min(depth, deepest)) && room >= 0;
};

type Members = Readonly<Record<string, unknown>>;

/** The whole truth: what does not fit, and where. */
const measured = (value: unknown, limits: Limits): WireError | undefined => {
  const frames: ScanFrame[] = [];
  const size = new Size();
  let current = value;
  for (;;) {
    if (typeof current === "string" && isTooLong(current, limits)) return excess("string", frames, limits);
    if (typeof current === "object" && current !== null) {
      if (frames.length >= limits.depth) return excess("depth", frames, limits);
      const frame = openFrame(current);
      if (frame.size > (frame.keys === undefined ? limits.items : limits.keys)) {
        return excess(frame.keys === undefined ? "items" : "keys", frames, limits);
      }
      size.container(frame);
      frames.push(frame);
    } else size.scalar(current);
    if (size.least > limits.bytes) return refusal({ kind: "bytes", path: "" }, limits);

    let frame = frames.at(-1);
    while (frame !== undefined && frame.next >= frame.size) {
      frames.pop();
      frame = frames.at(-1);
    }
    if (frame === undefined) break;
    const key = frame.keys === undefined ? frame.next : (frame.keys[frame.next] ?? "");
    if (typeof key === "string" && isTooLong(key, limits)) return excess("string", frames.slice(0, -1), limits);
    if (key === prototypeName) {
      frame.next += 1;
      return excess("name", frames, limits);
    }
    frame.next += 1;
    current = frame.node[key];
  }
  const isTooLarge = size.most > limits.bytes && encodedBytes(value) > limits.bytes;
  return isTooLarge ? refusal({ kind: "bytes", path: "" }, limits) : undefined;
};

const openFrame = (node: object): ScanFrame => {
  const keys = Array.isArray(node) ? undefined : Object.keys(node);
  return {
    node: node as ScanFrame["node"],
    keys,
    size: Array.isArray(node) ? node.length : (keys?.length ?? 0),
    next: 0,
  };
};

/** Bounds of the size as JSON, in bytes: cheap to keep, and close enough that the exact size is rarely needed. */
class Size {
  least = 0;
  most = 0;

  container({ keys, size }: ScanFrame): void {
    const framing = size === 0 ? 2 : size + 1;
    this.least += framing;
    this.most += framing;
    if (keys === undefined) return;
    for (const key of keys) {
      this.least += key.length + 3;
      this.most += 6 * key.length + 3;
    }
  }

  scalar(value: unknown): void {
    if (typeof value === "string") {
      this.least += value.length + 2;
      this.most += 6 * value.length + 2;
    } else {
      this.least += 1;
      this.most += 25;
    }
  }
}

const isTooLong = (text: string, limits: Limits): boolean =>
  text.length * 3 > limits.string && Buffer.byteLength(text) > limits.string;

const excess = (kind: Excess["kind"] | "name", frames: readonly ScanFrame[], limits: Limits): WireError =>
  refusal(
    { kind, path: pathText(frames.map(({ keys, next }) => (keys === undefined ? next - 1 : (keys[next - 1] ?? "")))) },
    limits,
  );

/** A value that JSON cannot say is not too large; the schema refuses it. */
const encodedBytes = (value: unknown): number => {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? "");
  } catch {
    return 0;
  }
};
