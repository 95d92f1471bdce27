/**
 * Looks for a regular expression in a text. All ways to match go forward together, one character at a time, the preferred ones first; so no pattern and no
 * text take more than their lengths multiplied. What is found is what an engine that goes back would find: the leftmost, by preference.
 */
import { fault, type LinqError } from "../core/error.ts";
import { isWord } from "./characters.ts";
import type { Instruction, RegexProgram } from "./program.ts";
import type { Assertion } from "./tree.ts";

/** Where it begins and ends, then each group; -1 for a group that has no part in it. */
export type RegexMatch = readonly number[];

/** Steps of one search, or of all searches that share them; about 20 ms. */
const mostSteps = 2_000_000;

/** What searches of one text have left together. */
interface StepBudget {
  left: number;
}

export const sharedSteps = (): StepBudget => ({ left: mostSteps });

interface Way {
  readonly at: number;
  readonly slots: RegexMatch;
}

/** Steps that a search may take. */
export const searchSteps = ({ instructions }: RegexProgram, text: string): number =>
  instructions.length * (text.length + 1);

/** The leftmost match from a place on. Throws `text_too_long`. */
export const searchRegex = (
  program: RegexProgram,
  text: string,
  from = 0,
  steps: StepBudget = sharedSteps(),
): RegexMatch | undefined => {
  if (searchSteps(program, text) > mostSteps) throw tooLong(text);
  return new Search(program, text, steps).run(from);
};

const tooLong = (text: string): LinqError =>
  fault(
    "text_too_long",
    `A text of ${text.length} characters is too long for this pattern`,
    "cut it with Substring, or search with Contains before",
  );

class Search {
  readonly #instructions: readonly Instruction[];
  readonly #text: string;
  readonly #none: RegexMatch;
  /** At which place each instruction was reached last. */
  readonly #reached: Int32Array;
  readonly #steps: StepBudget;
  #ways: Way[] = [];

  constructor({ instructions, groups }: RegexProgram, text: string, steps: StepBudget) {
    this.#instructions = instructions;
    this.#text = text;
    this.#steps = steps;
    this.#none = Array.from({ length: 2 * groups + 2 }, () => -1);
    this.#reached = new Int32Array(instructions.length).fill(-1);
  }

  run(from: number): RegexMatch | undefined {
    let found: RegexMatch | undefined;
    for (let place = from; place <= this.#text.length; ) {
      const point = this.#text.codePointAt(place);
      if (found === undefined) this.#reach(0, place, this.#none);
      const ways = this.#ways;
      this.#ways = [];
      const next = place + (point === undefined || point <= 0xffff ? 1 : 2);
      for (const { at, slots } of ways) {
        const instruction = this.#instructions[at];
        if (instruction?.kind === "match") {
          found = slots;
          // What follows is preferred less.
          break;
        }
        if (instruction?.kind === "character" && point !== undefined && instruction.test(point))
          this.#reach(at + 1, next, slots);
      }
      if (this.#ways.length === 0 && found !== undefined) return found;
      place = next;
    }
    return found;
  }

  /** Follows what needs no character, in order of preference. */
  #reach(first: number, place: number, slots: RegexMatch): void {
    const waiting: Way[] = [{ at: first, slots }];
    for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
      const { at } = way;
      if (this.#reached[at] === place) continue;
      this.#reached[at] = place;
      this.#steps.left--;
      if (this.#steps.left < 0) throw tooLong(this.#text);
      const instruction = this.#instructions[at];
      switch (instruction?.kind) {
        case "jump":
          waiting.push({ at: instruction.to, slots: way.slots });
          break;
        case "split":
          waiting.push({ at: instruction.second, slots: way.slots }, { at: instruction.first, slots: way.slots });
          break;
        case "save":
          waiting.push({ at: at + 1, slots: way.slots.with(instruction.slot, place) });
          break;
        case "assertion":
          if (this.#holds(instruction.at, place)) waiting.push({ at: at + 1, slots: way.slots });
          break;
        default:
          this.#ways.push(way);
      }
    }
  }

  #holds(assertion: Assertion, place: number): boolean {
    const text = this.#text;
    switch (assertion) {
      case "start":
        return place === 0;
      case "end":
        return place === text.length;
      case "lineStart":
        return place === 0 || text[place - 1] === "\n";
      case "lineEnd":
        return place === text.length || text[place] === "\n";
      case "word":
        return isWordAt(text, place - 1) !== isWordAt(text, place);
      case "noWord":
        return isWordAt(text, place - 1) === isWordAt(text, place);
    }
  }
}

const isWordAt = (text: string, place: number): boolean => isWord(text.codePointAt(place) ?? 0);
