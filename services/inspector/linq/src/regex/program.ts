/** A regular expression as instructions: each is done at most once for a character, so the time grows with the text alone. */
import { fault } from "../core/error.ts";
import { type ParsedRegex, parseRegex } from "./parse.ts";
import type { Assertion, CharacterTest, RegexNode } from "./tree.ts";

export type Instruction =
  | { readonly kind: "character"; readonly test: CharacterTest }
  /** Goes on at both, at the first one rather. */
  | { readonly kind: "split"; first: number; second: number }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "assertion"; readonly at: Assertion }
  | { readonly kind: "match" };

export interface RegexProgram {
  readonly instructions: readonly Instruction[];
  readonly groups: number;
}

/** Instructions of one pattern; what is repeated by count is there as often. */
const mostInstructions = 2_000;

const compileRegex = ({ tree, groups }: ParsedRegex): RegexProgram => {
  const instructions: Instruction[] = [];
  const add = <T extends Instruction>(instruction: T): T => {
    if (instructions.length === mostInstructions)
      throw fault("bad_format", `The pattern needs more than ${mostInstructions} steps`, "repeat fewer times");
    instructions.push(instruction);
    return instruction;
  };
  const write = (node: RegexNode): void => {
    switch (node.kind) {
      case "character":
        add({ kind: "character", test: node.test });
        return;
      case "assertion":
        add({ kind: "assertion", at: node.at });
        return;
      case "sequence":
        for (const item of node.items) write(item);
        return;
      case "group":
        add({ kind: "save", slot: 2 * node.number });
        write(node.item);
        add({ kind: "save", slot: 2 * node.number + 1 });
        return;
      case "choice":
        writeChoice(node.items);
        return;
      case "repeat":
        writeRepeat(node);
        return;
    }
  };
  const writeChoice = (items: readonly RegexNode[]): void => {
    const ends: { to: number }[] = [];
    for (const [index, item] of items.entries()) {
      const isLast = index === items.length - 1;
      const split = isLast ? undefined : add({ kind: "split", first: instructions.length + 1, second: 0 });
      write(item);
      if (split === undefined) continue;
      ends.push(add({ kind: "jump", to: 0 }));
      split.second = instructions.length;
    }
    for (const end of ends) end.to = instructions.length;
  };
  const writeRepeat = ({ item, least, most, isLazy }: Extract<RegexNode, { kind: "repeat" }>): void => {
    for (let time = 0; time < least; time++) {
      const begin = instructions.length;
      write(item);
      // Nothing, however often it is repeated; no count of instructions would end that.
      if (instructions.length === begin) return;
    }
    const leaving: (() => void)[] = [];
    const fork = (): void => {
      const split = add({ kind: "split", first: instructions.length + 1, second: instructions.length + 1 });
      leaving.push(() => {
        if (isLazy) split.first = instructions.length;
        else split.second = instructions.length;
      });
    };
    if (most === Number.POSITIVE_INFINITY) {
      const begin = instructions.length;
      fork();
      write(item);
      add({ kind: "jump", to: begin });
    } else
      for (let time = least; time < most; time++) {
        fork();
        write(item);
      }
    for (const leave of leaving) leave();
  };
  add({ kind: "save", slot: 0 });
  write(tree);
  add({ kind: "save", slot: 1 });
  add({ kind: "match" });
  return { instructions, groups };
};

/** Patterns that are kept: a query has the same for each of its rows. */
const mostKept = 64;
const kept = new Map<string, RegexProgram>();

/** Throws `bad_format`. */
export const regexProgram = (pattern: string): RegexProgram => {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const made = compileRegex(parseRegex(pattern));
  const [oldest] = kept.keys();
  if (kept.size === mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(pattern, made);
  return made;
};
