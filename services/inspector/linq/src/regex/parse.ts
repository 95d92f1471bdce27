/**
 * Reads a regular expression: literals, classes, groups, choices, repetitions, `^ $ \b \B`, `\d \w \s`, `\p{…}`, and the flags `i m s` at the start
 * (`(?i)`). What cannot be matched in linear time (looking around, references back) is refused with these words.
 */
import { inAnyCase, readClass, readEscape } from "./characters.ts";
import { PatternText } from "./text.ts";
import type { RegexNode } from "./tree.ts";

/** Groups within each other. */
const mostDepth = 100;
/** Times that something may be repeated, when it is counted. */
const mostTimes = 1_000;

export interface ParsedRegex {
  readonly tree: RegexNode;
  readonly groups: number;
}

/** Throws `bad_format`. */
export const parseRegex = (pattern: string): ParsedRegex => {
  const flags = /^\(\?([ims]+)\)/.exec(pattern)?.[1] ?? "";
  const text = new PatternText(pattern, flags === "" ? 0 : flags.length + 3);
  const parser = new RegexParser(text, flags);
  const tree = parser.choice(0);
  if (!text.isAtEnd) throw text.fault("a ')' without a '('");
  return { tree, groups: parser.groups };
};

class RegexParser {
  readonly #text: PatternText;
  readonly #flags: string;
  groups = 0;

  get #ignoresCase(): boolean {
    return this.#flags.includes("i");
  }

  constructor(text: PatternText, flags: string) {
    this.#text = text;
    this.#flags = flags;
  }

  choice(depth: number): RegexNode {
    if (depth > mostDepth) throw this.#text.fault("too many groups within each other");
    const items = [this.#sequence(depth)];
    while (this.#text.takes("|")) items.push(this.#sequence(depth));
    return items.length === 1 ? (items[0] ?? nothing) : { kind: "choice", items };
  }

  #sequence(depth: number): RegexNode {
    const items: RegexNode[] = [];
    while (!this.#text.isAtEnd && !this.#text.sees("|") && !this.#text.sees(")")) items.push(this.#repeated(depth));
    return { kind: "sequence", items };
  }

  #repeated(depth: number): RegexNode {
    const item = this.#atom(depth);
    const times = this.#times();
    if (times === undefined) return item;
    if (item.kind === "assertion") throw this.#text.fault("nothing that could be repeated");
    const isLazy = this.#text.takes("?");
    if (!isLazy && this.#text.takes("+")) throw this.#text.fault("a possessive repetition, which is not known here");
    if (this.#times() !== undefined) throw this.#text.fault("a repetition of a repetition");
    return { kind: "repeat", item, ...times, isLazy };
  }

  /** `*`, `+`, `?`, `{2}`, `{2,}`, `{2,3}`; other braces are characters. */
  #times(): { readonly least: number; readonly most: number } | undefined {
    if (this.#text.takes("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#text.takes("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#text.takes("?")) return { least: 0, most: 1 };
    const counted = this.#text.takesMatch(/\{(\d{1,9})(,(\d{0,9}))?\}/y);
    if (counted === undefined) return undefined;
    const [, first = "", comma, second = ""] = counted;
    const least = Number(first);
    const most = comma === undefined ? least : second === "" ? Number.POSITIVE_INFINITY : Number(second);
    if (most < least) throw this.#text.fault("a repetition whose most is less than its least");
    if (Math.max(least, Number.isFinite(most) ? most : 0) > mostTimes)
      throw this.#text.fault(`a repetition of more than ${mostTimes} times`);
    return { least, most };
  }

  #atom(depth: number): RegexNode {
    const text = this.#text;
    if (text.takes("(")) return this.#group(depth);
    if (text.takes("[")) return { kind: "character", test: readClass(text, this.#ignoresCase) };
    if (text.takes("^")) return { kind: "assertion", at: this.#flags.includes("m") ? "lineStart" : "start" };
    if (text.takes("$")) return { kind: "assertion", at: this.#flags.includes("m") ? "lineEnd" : "end" };
    if (text.takes("\\b")) return { kind: "assertion", at: "word" };
    if (text.takes("\\B")) return { kind: "assertion", at: "noWord" };
    if (text.takes(".")) return { kind: "character", test: this.#flags.includes("s") ? () => true : isInLine };
    if (text.takes("\\")) return { kind: "character", test: readEscape(text, this.#ignoresCase) };
    if (text.sees("*") || text.sees("+") || text.sees("?")) throw text.fault("nothing that could be repeated");
    const wanted = text.take();
    const test = (point: number): boolean => point === wanted;
    return { kind: "character", test: this.#ignoresCase ? inAnyCase(test) : test };
  }

  #group(depth: number): RegexNode {
    const text = this.#text;
    const isKept = text.takesMatch(/\?<[A-Za-z_]\w*>/y) !== undefined || !text.sees("?");
    if (!isKept && !text.takes("?:"))
      throw text.fault("a group that linear time has no way to match, or a flag that is not at the start");
    const number = isKept ? ++this.groups : 0;
    const item = this.choice(depth + 1);
    if (!text.takes(")")) throw text.fault("no ')' for a '('");
    return isKept ? { kind: "group", item, number } : item;
  }
}

const nothing: RegexNode = { kind: "sequence", items: [] };
const isInLine = (point: number): boolean => point !== 10 && point !== 13 && point !== 0x2028 && point !== 0x2029;
