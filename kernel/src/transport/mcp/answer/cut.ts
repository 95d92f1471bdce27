/**
 * Makes a value shorter, so that its JSON has at most so many tokens, and says where. What is left is of the same shape: lists and maps lose their
 * last entries, long texts their ends, and an object keeps all its members, or has none where not even their names have room. Pure.
 */
import { isRecord } from "../../../call/record.ts";
import { estimateTokens } from "./tokens.ts";

/** One place where something was left out. */
export interface Cut {
  /** Like `builds` or `tree.nodes`; empty for the value itself. Entries of one list have the same. */
  readonly path: string;
  readonly kept: number;
  readonly of: number;
  readonly unit: "items" | "members" | "characters";
}

interface CutValue {
  readonly value: unknown;
  readonly cuts: readonly Cut[];
}

/** No shorter text is cut: names, ids and enums stay what they are. */
const shortestText = 200;
/** Tokens in which an entry of a list can say what it is. */
const entryTokens = 80;
/** An object with more members than any contract names is a map. */
const mapMembers = 64;
/** Times that it is made shorter still, where members that cannot be cut take more than their share. */
const tries = 8;

export const cutValue = (value: unknown, tokens: number): CutValue => {
  let share = tokens;
  for (let tried = 0; tried < tries; tried += 1) {
    const cutter = new Cutter();
    const shorter = cutter.cut(value, share, "");
    if (cost(shorter) <= tokens) return { value: shorter, cuts: cutter.cuts };
    share *= 0.7;
  }
  const cutter = new Cutter();
  return { value: cutter.cut(value, 0, ""), cuts: cutter.cuts };
};

class Cutter {
  readonly #cuts = new Map<string, Cut>();

  get cuts(): readonly Cut[] {
    return [...this.#cuts.values()];
  }

  cut(value: unknown, tokens: number, path: string): unknown {
    if (cost(value) <= tokens) return value;
    if (typeof value === "string") return this.#cutText(value, tokens, path);
    if (Array.isArray(value)) return this.#cutList(value, tokens, path);
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    if (path !== "" && namesCost(members) > tokens) {
      this.#note({ path, kept: 0, of: members.length, unit: "members" });
      return {};
    }
    return Object.fromEntries(
      members.length > mapMembers ? this.#cutMap(members, tokens, path) : this.#cutMembers(members, tokens, path),
    );
  }

  #cutText(text: string, tokens: number, path: string): string {
    if (text.length <= shortestText) return text;
    const kept = Math.max(shortestText, Math.floor((text.length * tokens) / cost(text)) - 1);
    // Half of a pair of surrogates is no character.
    const end = /[\uD800-\uDBFF]/.test(text.charAt(kept - 1)) ? kept - 1 : kept;
    this.#note({ path, kept: end, of: text.length, unit: "characters" });
    return `${text.slice(0, end)}…`;
  }

  #cutList(list: readonly unknown[], tokens: number, path: string): readonly unknown[] {
    const kept =
      cost(list[0]) > tokens / 2
        ? this.#outline(list, tokens, path)
        : this.#takeWhile(list, tokens, (item, left) => this.cut(item, left, path));
    if (kept.length < list.length) this.#note({ path, kept: kept.length, of: list.length, unit: "items" });
    return kept;
  }

  /** Of a list of large entries, the first ones in outline. */
  #outline(list: readonly unknown[], tokens: number, path: string): readonly unknown[] {
    const kept = list.slice(0, Math.max(1, Math.floor(tokens / entryTokens)));
    const below = path === "" ? "[]" : path;
    return shareOut(kept.map(cost), tokens).map((share, at) => this.cut(kept[at], share, below));
  }

  #cutMap(members: readonly Member[], tokens: number, path: string): readonly Member[] {
    const kept = this.#takeWhile(members, tokens, ([name, member], left) => [name, this.cut(member, left, path)]);
    if (kept.length < members.length) this.#note({ path, kept: kept.length, of: members.length, unit: "members" });
    return kept as readonly Member[];
  }

  /** The first entries that there is room for; the very first is made shorter where even that has none. */
  #takeWhile<T>(entries: readonly T[], tokens: number, shorten: (entry: T, tokens: number) => unknown): unknown[] {
    const kept: unknown[] = [];
    let left = tokens - 1;
    for (const entry of entries) {
      const price = cost(entry) + 1;
      if (price > left) {
        if (kept.length === 0 && left > 0) kept.push(shorten(entry, left));
        break;
      }
      kept.push(entry);
      left -= price;
    }
    return kept;
  }

  /** Small members stay as they are; what is left of the tokens is shared by the large ones. */
  #cutMembers(members: readonly Member[], tokens: number, path: string): readonly Member[] {
    const shares = shareOut(
      members.map(([, member]) => cost(member)),
      tokens - namesCost(members),
    );
    return members.map(([name, member], at) => [
      name,
      this.cut(member, shares[at] ?? 0, path === "" ? name : `${path}.${name}`),
    ]);
  }

  /** Several entries of one list are cut at the same path: the first says it for all. */
  #note(cut: Cut): void {
    if (!this.#cuts.has(cut.path)) this.#cuts.set(cut.path, cut);
  }
}

type Member = readonly [name: string, value: unknown];

/** What is cheap gets its price, and the rest shares what is left. */
const shareOut = (prices: readonly number[], tokens: number): readonly number[] => {
  const shares = new Array<number>(prices.length).fill(0);
  let left = tokens;
  const cheapestFirst = [...prices.entries()].toSorted(([, one], [, other]) => one - other);
  for (const [index, [at, price]] of cheapestFirst.entries()) {
    const share = Math.min(price, Math.max(0, left / (cheapestFirst.length - index)));
    shares[at] = share;
    left -= share;
  }
  return shares;
};

/** Marks around a member beside its name. */
const marks = 2;

const namesCost = (members: readonly Member[]): number =>
  members.reduce((sum, [name]) => sum + estimateTokens(name) + marks, 0);

const costs = new WeakMap<object, number>();

/** Tokens of a value's JSON; of an object it is counted once. */
const cost = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return estimateTokens(JSON.stringify(value) ?? "");
  const known = costs.get(value) ?? estimateTokens(JSON.stringify(value));
  costs.set(value, known);
  return known;
};
