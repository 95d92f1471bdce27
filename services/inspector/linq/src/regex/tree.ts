/** A regular expression as a tree. Only what can be matched in linear time has a place in it: nothing looks around or back. */

/** True for the characters that are meant, each as its code point. */
export type CharacterTest = (point: number) => boolean;

export type RegexNode =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "sequence"; readonly items: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly items: readonly RegexNode[] }
  | {
      readonly kind: "repeat";
      readonly item: RegexNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    }
  /** A group that is kept, by its number from 1 on. */
  | { readonly kind: "group"; readonly item: RegexNode; readonly number: number }
  | { readonly kind: "assertion"; readonly at: Assertion };

export type Assertion = "start" | "end" | "lineStart" | "lineEnd" | "word" | "noWord";
