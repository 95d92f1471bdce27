/**
 * Reads a heap snapshot of V8 in parts: its text may be longer than a string of V8 can be (537 million characters). Tables of numbers go to flat arrays as
 * they come, names one by one; sections of no use here are passed over. What the tables mean is the business of `heap-graph.ts`.
 */

/** How rows of the tables are laid out. */
interface SnapshotMeta {
  readonly node_fields: readonly string[];
  readonly node_types: readonly [readonly string[], ...unknown[]];
  readonly edge_fields: readonly string[];
  readonly edge_types: readonly [readonly string[], ...unknown[]];
}

export interface SnapshotTables {
  readonly meta: SnapshotMeta;
  readonly nodes: Float64Array;
  readonly edges: Float64Array;
  readonly strings: readonly string[];
}

type Section = "nodes" | "edges" | "strings" | "snapshot" | "other";

/** Numbers of a table at first; it doubles. */
const firstRoom = 65_536;
/** Characters of one name, or of the section that says how the rest is laid out. */
const longestText = 16_777_216;

const quote = 34;
const backslash = 92;

class NumberTable {
  #items = new Float64Array(firstRoom);
  #size = 0;

  add(value: number): void {
    if (this.#size === this.#items.length) {
      const larger = new Float64Array(2 * this.#size);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#size++] = value;
  }

  items(): Float64Array {
    return this.#items.subarray(0, this.#size);
  }
}

export class SnapshotReader {
  readonly #tables = { nodes: new NumberTable(), edges: new NumberTable() };
  readonly #strings: string[] = [];
  #head = "";
  #section: Section | undefined;
  /** What is not read yet of the parts before. */
  #rest = "";
  #number = -1;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  /** Throws for what is no snapshot. */
  write(part: string): void {
    const text = this.#rest === "" ? part : this.#rest + part;
    let at = 0;
    while (at < text.length) {
      const next = this.#read(text, at);
      if (next === undefined) break;
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > longestText || this.#head.length > longestText) throw noSnapshot();
  }

  /** The tables, when all was written. Throws for a snapshot that is not whole. */
  end(): SnapshotTables {
    if (this.#section !== undefined || this.#head === "") throw noSnapshot();
    // The named boundary: what V8 writes.
    const { meta } = JSON.parse(this.#head) as { readonly meta: SnapshotMeta };
    return { meta, nodes: this.#tables.nodes.items(), edges: this.#tables.edges.items(), strings: this.#strings };
  }

  /** Where to go on; nothing where the next part is needed first. */
  #read(text: string, at: number): number | undefined {
    switch (this.#section) {
      case undefined:
        return this.#outside(text, at);
      case "nodes":
      case "edges":
        return this.#numbers(text, at, this.#tables[this.#section]);
      case "strings":
        return this.#names(text, at);
      default:
        return this.#pass(text, at, this.#section === "snapshot");
    }
  }

  #outside(text: string, at: number): number | undefined {
    const begins = text.indexOf('"', at);
    if (begins < 0) return text.length;
    const ends = text.indexOf('"', begins + 1);
    const value = /^\s*:\s*(\S)/.exec(ends < 0 ? "" : text.slice(ends + 1, ends + 100));
    if (value === null) return undefined;
    const name = text.slice(begins + 1, ends);
    const start = ends + value[0].length;
    this.#section = name === "nodes" || name === "edges" || name === "strings" || name === "snapshot" ? name : "other";
    const isList = value[1] === "[";
    if (this.#section !== "other" && isList === (this.#section === "snapshot")) throw noSnapshot();
    return this.#section === "other" || this.#section === "snapshot" ? start : start + 1;
  }

  #numbers(text: string, from: number, table: NumberTable): number {
    let number = this.#number;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 48 && code <= 57) {
        number = (number < 0 ? 0 : number * 10) + code - 48;
        continue;
      }
      if (code === 44 || code === 93) {
        if (number >= 0) table.add(number);
        number = -1;
        if (code === 44) continue;
        this.#number = -1;
        this.#section = undefined;
        return at + 1;
      }
      if (code > 32) throw noSnapshot();
    }
    this.#number = number;
    return text.length;
  }

  #names(text: string, from: number): number | undefined {
    const code = text.charCodeAt(from);
    if (code === 93) this.#section = undefined;
    if (code !== quote) return from + 1;
    let end = from + 1;
    while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1;
    if (end >= text.length) return undefined;
    this.#strings.push(JSON.parse(text.slice(from, end + 1)));
    return end + 1;
  }

  /** To the end of a section whose numbers are not read. */
  #pass(text: string, from: number, isKept: boolean): number {
    let at = from;
    let isOver = false;
    for (; at < text.length && !isOver; at++) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) {
        this.#isEscaped = code === backslash;
        this.#isInText = code !== quote;
      } else if (code === quote) this.#isInText = true;
      else if (code === 91 || code === 123) this.#depth++;
      else if (code === 93 || code === 125) isOver = --this.#depth <= 0;
    }
    if (isKept) this.#head += text.slice(from, at);
    if (isOver) {
      this.#section = undefined;
      this.#depth = 0;
    }
    return at;
  }
}

const noSnapshot = (): Error => new Error("The process sent no heap snapshot that can be read");
