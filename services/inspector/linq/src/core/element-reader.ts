/** Elements that are read over several pauses. The loop of a fold does the same for its own elements: see `fold.ts`. */
import { absent } from "./absent.ts";
import type { Frame } from "./frame.ts";
import type { ElementList } from "./sequence-run.ts";

/** Looks at the list again whenever other code ran: where it has become shorter it ends, where it has become longer it does not. */
export class ElementReader {
  readonly #elements: ElementList;
  readonly #frame: Frame;
  #length: number;
  #pauses: number;

  constructor(elements: ElementList, frame: Frame) {
    this.#elements = elements;
    this.#frame = frame;
    this.#length = elements.length;
    this.#pauses = frame.pauses;
  }

  /** How long the list is now, at most as long as at first. */
  get length(): number {
    if (this.#frame.pauses !== this.#pauses) {
      this.#pauses = this.#frame.pauses;
      this.#length = Math.min(this.#length, this.#elements.resumed?.() ?? this.#length);
    }
    return this.#length;
  }

  /** `absent` beyond the end. */
  at(index: number): unknown {
    return index < this.length ? this.#elements.at(index) : absent;
  }
}
