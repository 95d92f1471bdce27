/**
 * Tests by the name of a class that no declaration knows (`is Order`, `OfType<Order>()`): the names are those that the constructors of a value's prototypes
 * have when it is tested. What is tested runs nothing of the program. The names that were met say which ones were mistyped.
 */
import { nearest } from "@fairlead/linq";
import { prototypes } from "../host/reading.ts";
import { maskText } from "../host/redaction.ts";
import { constructorName } from "./class-name.ts";

/** Prototypes whose names are remembered, and names that are. */
const mostKnown = 10_000;
/** Letters by which a mistyped name is longer or shorter; a longer one that has it as a part is another class. */
const mostLonger = 2;
/** Prototypes of one value that are looked at. */
const mostAbove = 100;

export class ClassTests {
  readonly #known = new Map<object, readonly string[]>();
  readonly #met = new Set<string>();
  readonly #wanted = new Set<string>();
  readonly #found = new Set<string>();

  /** True for an object of a class of that name, or of one that derives from it. */
  readonly test = (name: string): ((value: unknown) => boolean) => {
    this.#wanted.add(name);
    return (value) => {
      if (typeof value !== "object" || value === null || !this.#names(value).includes(name)) return false;
      this.#found.add(name);
      return true;
    };
  };

  /** A sentence for each name that no tested value had and that is near to one that was met. */
  hints(): readonly string[] {
    return [...this.#wanted].flatMap((name) => {
      const near = this.#found.has(name) ? undefined : nearest(name, this.#met);
      return near === undefined || Math.abs(near.length - name.length) > mostLonger
        ? []
        : [`no value that was tested is of a class '${name}'; did you mean '${maskText(near)}'?`];
    });
  }

  #names(value: object): readonly string[] {
    const [own] = prototypes(value);
    if (own === undefined) return [];
    const known = this.#known.get(own);
    if (known !== undefined) return known;
    const names: string[] = [];
    let above = 0;
    for (const prototype of prototypes(value)) {
      if (++above > mostAbove) break;
      const name = constructorName(prototype);
      if (name === undefined) continue;
      names.push(name);
      if (this.#met.size < mostKnown) this.#met.add(name);
    }
    if (this.#known.size < mostKnown) this.#known.set(own, names);
    return names;
  }
}
