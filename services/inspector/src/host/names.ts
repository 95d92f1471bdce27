/**
 * Names of an object's own properties, asked for only where that does not stop the program: V8 gives all of them or none, at half a microsecond
 * each, and nothing ends that once it began. How many there are is estimated first, by what costs a twentieth of it.
 *
 * @NOTE An estimate misses whole numbers as names that are far apart or large, and a large object among very many rows. Such an object is listed
 * once, and known to be large from then on.
 */
import { fault } from "@fairlead/linq";
import { hasNames, ownNames } from "./reading.ts";

const { getOwnPropertySymbols, hasOwn } = Object;

/** Names that are listed without leave: they take less than 10 ms. */
const mostNames = 25_000;
/** Milliseconds to list one name, and to pass over one on the search for symbols. */
const [listingMs, passingMs] = [0.0006, 0.00002];
/** Searches of which the fastest counts, for one that took long: something else may have run meanwhile. */
const searches = 2;
/** Objects of one question that are all estimated, which takes 3 µs each; of further ones, rows as a rule, each of so many. */
const [careful, stride] = [10_000, 16];

/** Objects with more names than that, with about how many. Shared by all questions, so that each object is a surprise once. */
const large = new WeakMap<object, number>();

interface NameOptions {
  /** True when the caller allows what stops the program. */
  readonly isAllowed?: boolean;
  /** Milliseconds from any origin. */
  readonly now?: () => number;
}

/** Reads names for one question. */
export class NameReader {
  readonly #isAllowed: boolean;
  readonly #now: () => number;
  readonly #listed = new Map<object, readonly string[]>();
  #estimatedMs = 0;
  #estimates = 0;

  constructor({ isAllowed = false, now = () => performance.now() }: NameOptions = {}) {
    this.#isAllowed = isAllowed;
    this.#now = now;
  }

  /** Milliseconds that the lists of names were estimated at which the caller allowed. */
  get estimatedMs(): number {
    return this.#estimatedMs;
  }

  /** As `ownNames`. Throws `pause_needed` for an object with too many of them, unless that is allowed. */
  readonly read = (owner: object): readonly string[] => {
    const before = this.#listed.get(owner);
    if (before !== undefined) return before;
    const count = large.get(owner) ?? this.#estimate(owner);
    if (count <= mostNames) return this.#list(owner);
    large.set(owner, count);
    const ms = Math.ceil(count * listingMs);
    if (!this.#isAllowed) throw pauseNeeded(count, ms);
    this.#estimatedMs += ms;
    const names = this.#list(owner);
    this.#listed.set(owner, names);
    return names;
  };

  #list(owner: object): readonly string[] {
    const names = ownNames(owner);
    if (names.length > mostNames) large.set(owner, names.length);
    else large.delete(owner);
    return names;
  }

  #estimate(owner: object): number {
    if (!hasNames(owner)) return 0;
    const isPassed = ++this.#estimates > careful && this.#estimates % stride !== 0;
    return isPassed ? 0 : Math.max(this.#countTexts(owner), countNumbers(owner));
  }

  /** Names that are texts, by how long the search for a symbol among them takes. */
  #countTexts(owner: object): number {
    let least = Number.POSITIVE_INFINITY;
    for (let search = 0; search < searches; search++) {
      const began = this.#now();
      getOwnPropertySymbols(owner);
      least = Math.min(least, this.#now() - began);
      if (least <= mostNames * passingMs) return 0;
    }
    return Math.round(least / passingMs);
  }
}

/** Places at which a whole number as a name is looked for, and how many names a hit stands for. */
const samples = (
  [
    [17, 48],
    [20, 48],
    [24, 96],
  ] as const
).map(([bits, count]) => {
  const share = 2 ** bits / count;
  // One in each part of the range, at no regular distance.
  const places = Array.from({ length: count }, (_, part) => Math.floor((part + ((part * 0.618_034) % 1)) * share));
  return { places, share };
});

/** Names that are whole numbers. One hit is a chance. */
const countNumbers = (owner: object): number => {
  let most = 0;
  for (const { places, share } of samples) {
    let hits = 0;
    for (const place of places) if (hasOwn(owner, place)) hits++;
    if (hits > 1) most = Math.max(most, Math.round(hits * share));
  }
  return most;
};

const pauseNeeded = (count: number, ms: number): Error =>
  fault(
    "pause_needed",
    `The object has about ${rounded(count)} names: to list them stops the program for about ${rounded(ms)} ms`,
    "name the member that you look for, or allow it with `pause: true`",
  );

/** An estimate in two digits. */
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString("en-US");
